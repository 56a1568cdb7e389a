-- Rulings R4: 'Initialize' and 'Shutdown' set a wanted state that is stored; beside it what the bot really does, for every copy to see.
create table telegram_service (
  only_row boolean primary key default true check (only_row),
  wanted text not null default 'inactive' check (wanted in ('active', 'inactive')),
  -- What the copy that runs the bot last said of itself.
  state text not null default 'inactive' check (state in ('inactive', 'starting', 'active', 'failing')),
  state_since timestamptz not null default clock_timestamp(),
  -- Told again and again by the copy that runs the bot; an old one means that nobody does.
  told_at timestamptz,
  bot_id bigint,
  bot_username text,
  last_error text,
  last_error_at timestamptz,
  last_update_at timestamptz,
  -- Part of the webhook's path and its header; made once.
  webhook_secret text
);
insert into telegram_service default values;

-- Every chat the bot has met. The group's own row outlives its configuration.
create table telegram_chats (
  chat_id bigint primary key,
  kind text not null check (kind in ('private', 'group', 'supergroup', 'channel')),
  title text not null,
  is_forum boolean not null default false,
  -- Where notifications go: the topic in which the last setup was made; null: the chat itself.
  topic_id bigint,
  bot_status text not null check (bot_status in ('member', 'administrator', 'restricted', 'left', 'kicked')),
  can_send_messages boolean not null default true,
  can_send_photos boolean not null default true,
  -- When the bot was put out; its configuration is purged 30 days later (specification 9).
  removed_at timestamptz,
  -- Telegram's limits, kept by design: when the next message may go, and when the last 20 went, newest first.
  -- While a message is on its way, its chat is not looked at before the claim on it ends.
  next_send_at timestamptz not null default '-infinity',
  recent_sends timestamptz[] not null default '{}',
  has_pending boolean not null default false,
  -- What Telegram itself asked to wait (429); replies heed it too.
  limited_until timestamptz not null default '-infinity',
  -- The platform's own words for what keeps messages from arriving.
  trouble text,
  trouble_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index telegram_chats_ready on telegram_chats (next_send_at) where has_pending;
create index telegram_chats_removed on telegram_chats (removed_at) where removed_at is not null;

create table telegram_configurations (
  id bigint generated always as identity primary key,
  chat_id bigint not null references telegram_chats on update cascade,
  tracked_collection_id bigint not null references tracked_collections,
  -- What the group admin gave, canonical.
  collection_id text not null,
  collection_name text not null,
  -- Set by an admin: the id used in marketplace queries instead (rulings R4).
  hex_collection_id text,
  max_supply bigint check (max_supply between 1 and 1000000000),
  track_mint boolean not null default true,
  track_sales boolean not null default true,
  track_listings boolean not null default true,
  track_bids boolean not null default true,
  minted_count bigint not null default 0 check (minted_count between 0 and 1000000000),
  -- Options of /tracking (rulings R4).
  min_price_mist numeric(20, 0),
  listings_at_floor_only boolean not null default false,
  -- Minutes after midnight in the chat's own time; both null: none.
  quiet_from_minute smallint check (quiet_from_minute between 0 and 1439),
  quiet_to_minute smallint check (quiet_to_minute between 0 and 1439),
  utc_offset_minutes smallint not null default 0 check (utc_offset_minutes between -720 and 840),
  -- null: no daily recap.
  recap_minute smallint check (recap_minute between 0 and 1439),
  recapped_until timestamptz not null default clock_timestamp(),
  -- Grows with every change; a save that names an older one is refused (rulings R6).
  version integer not null default 1,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- Soft delete, restorable for 30 days (rulings R6).
  deleted_at timestamptz,
  deleted_by text,
  check ((quiet_from_minute is null) = (quiet_to_minute is null))
);
-- One collection per group (specification 9).
create unique index telegram_configurations_of_chat on telegram_configurations (chat_id) where deleted_at is null;
create index telegram_configurations_of_collection on telegram_configurations (tracked_collection_id)
  where deleted_at is null;
create index telegram_configurations_deleted on telegram_configurations (deleted_at) where deleted_at is not null;

-- The outbox: one row per thing to send to one chat, sent in the order of the ids.
create table telegram_messages (
  id bigint generated always as identity primary key,
  chat_id bigint not null references telegram_chats on update cascade,
  configuration_id bigint references telegram_configurations,
  topic_id bigint,
  kind text not null check (kind in ('card', 'folded', 'digest', 'recap', 'notice', 'test')),
  -- {html, imageUrl, buttons, isSilent}: see core/message-content.ts.
  content jsonb not null,
  -- How many events it tells.
  event_count integer not null default 1,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  -- What Telegram refused as it was is sent in a simpler form.
  form text not null default 'full' check (form in ('full', 'without-picture', 'plain')),
  -- An admin asked for it once more: it goes as it is, however old.
  retried_at timestamptz,
  -- In state 'sending': by whom, and until when that copy is believed.
  claimed_by text,
  claimed_until timestamptz,
  -- A copy ended, or an answer was lost, between the request and its answer: it may have arrived before.
  is_doubtful boolean not null default false,
  -- The platform's own reason, or why it was not sent.
  reason text,
  platform_message_id bigint,
  -- The newest event it tells, by the marketplace's clock.
  happened_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz
);
-- The only index of what waits: with a second one, figures that a burst made obsolete would lead the planner astray.
create index telegram_messages_waiting on telegram_messages (chat_id, id) where state in ('pending', 'sending');
create index telegram_messages_sending on telegram_messages (claimed_until) where state = 'sending';
create index telegram_messages_failed on telegram_messages (chat_id) where state = 'failed';
create index telegram_messages_of_chat on telegram_messages (chat_id, id desc);
create index telegram_messages_of_configuration on telegram_messages (configuration_id, id desc);

-- One row per (chat, event), unique: which message tells it, or why none does.
create table telegram_deliveries (
  chat_id bigint not null references telegram_chats on update cascade,
  event_id bigint not null references activity_events on delete cascade,
  message_id bigint references telegram_messages,
  -- 'relist', 'below-minimum', 'above-floor', 'not-tracked', 'stale', …
  dropped_reason text,
  -- Held in quiet hours, until the morning recap tells it.
  is_held boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (chat_id, event_id)
);
create index telegram_deliveries_held on telegram_deliveries (chat_id) where is_held;
create index telegram_deliveries_of_message on telegram_deliveries (message_id);
create index telegram_deliveries_of_event on telegram_deliveries (event_id);

-- Pictures uploaded once; Telegram's file_id is used from then on.
create table telegram_images (
  image_url_hash bytea primary key,
  file_id text,
  -- null: never failed. Not tried again before `try_again_at`.
  failure text,
  try_again_at timestamptz,
  updated_at timestamptz not null default clock_timestamp()
);

-- A /setup that waits for its confirmation.
create table telegram_setups (
  chat_id bigint primary key references telegram_chats on update cascade,
  -- Who began it: a user's id, or the chat's own id for an anonymous admin.
  started_by bigint not null,
  topic_id bigint,
  collection_id text not null,
  found jsonb not null,
  step text not null check (step in ('confirm-replace', 'confirm-supply', 'enter-supply')),
  prompt_message_id bigint,
  expires_at timestamptz not null
);

-- Who was told that a command is for group admins only: once, without noise in the group.
create table telegram_told (
  chat_id bigint not null references telegram_chats on update cascade,
  user_id bigint not null,
  told_at timestamptz not null default clock_timestamp(),
  primary key (chat_id, user_id)
);

-- The one gate before Telegram's 30 messages a second, shared by every copy of the product.
create table telegram_send_gate (
  only_row boolean primary key default true check (only_row),
  next_send_at timestamptz not null default '-infinity',
  -- When the last 30 messages went, newest first.
  recent_sends timestamptz[] not null default '{}',
  -- The last chat for which Telegram asked to wait: when another one follows meanwhile, everything waits.
  limited_chat_id bigint,
  limited_until timestamptz not null default '-infinity',
  paused_until timestamptz not null default '-infinity'
);
insert into telegram_send_gate default values;
