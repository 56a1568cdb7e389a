-- Discord's ids are snowflakes: decimal digits, kept as the text that Discord sends.

-- 'Start' and 'Shutdown' set a wanted state that is stored; beside it what the bot really does, for every copy to see.
create table discord_service (
  only_row boolean primary key default true check (only_row),
  wanted text not null default 'inactive' check (wanted in ('active', 'inactive')),
  state text not null default 'inactive' check (state in ('inactive', 'starting', 'active', 'failing')),
  state_since timestamptz not null default clock_timestamp(),
  told_at timestamptz,
  -- Also the application's id, which is in the invite link.
  bot_id text,
  bot_username text,
  last_error text,
  last_error_at timestamptz
);
insert into discord_service default values;

-- Every server the bot has met, as the gateway last described it. Names are text of strangers.
create table discord_guilds (
  guild_id text primary key,
  name text not null,
  owner_id text,
  member_count integer not null default 0,
  -- [{id, name, position, isManaged, permissions}], the highest first.
  roles jsonb not null default '[]',
  -- [{id, name, canView, canSend}], as far as the bot can post in them.
  channels jsonb not null default '[]',
  -- What the bot may do there: decimal bit field of its roles together.
  bot_permissions text not null default '0',
  -- The position of the bot's highest role: only roles below it can be given.
  bot_top_position integer not null default 0,
  joined_at timestamptz not null default clock_timestamp(),
  -- The bot was put out, or the server is gone; its rows are purged 30 days later.
  left_at timestamptz,
  updated_at timestamptz not null default clock_timestamp()
);

create table discord_guild_configs (
  guild_id text primary key references discord_guilds,
  -- Empty until /setup names one (specification 5).
  role_id text not null default '',
  channel_id text,
  -- Canonical type.
  nft_contract text not null,
  nft_name text not null,
  -- Between the second 'does not hold' and the removal.
  grace_minutes integer not null default 0 check (grace_minutes between 0 and 43200),
  -- The panel that /setup posted.
  panel_channel_id text,
  panel_message_id text,
  -- The collection whose activity is watched; null: the marketplace does not know it.
  tracked_collection_id bigint references tracked_collections,
  -- Grows with every change; a save that names an older one is refused (rulings R6).
  version integer not null default 1,
  updated_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- The backstop sweep: when the next begins, and what the last one found.
  sweep_due_at timestamptz not null default clock_timestamp(),
  sweep_claimed_by text,
  sweep_claimed_until timestamptz,
  last_sweep_at timestamptz,
  -- {checked, holding, notHolding, unknown, durationMs, failure}
  last_sweep jsonb
);
create index discord_guild_configs_sweep_due on discord_guild_configs (sweep_due_at);
create index discord_guild_configs_of_collection on discord_guild_configs (tracked_collection_id);

-- Everybody who has linked a wallet in a server.
create table discord_members (
  guild_id text not null references discord_guilds,
  user_id text not null,
  -- As last heard; text of strangers.
  display_name text not null,
  is_in_guild boolean not null default true,
  -- Whether the member has the configured role, as last heard from Discord; null: not heard yet.
  has_role boolean,
  standing text not null default 'none' check (standing in (
    'none',        -- not entitled, and never was or no longer is
    'holder',      -- entitled to the role
    'doubt',       -- one 'does not hold'; the second look is due ten minutes later
    'grace',       -- two of them; told, and the role ends at `removal_due_at`
    'braked',      -- a mass removal waits for an admin's word
    'kept'         -- an admin refused that removal: the role stays until the wallets hold again
  )),
  first_no_at timestamptz,
  second_no_at timestamptz,
  removal_due_at timestamptz,
  -- The last answer about all wallets together, and its explanation for /why: see core/explanation.ts.
  answer text check (answer in ('holds', 'does-not-hold', 'unknown')),
  answered_at timestamptz,
  explanation jsonb,
  -- A check that is due: at once after an event, ten minutes after a first 'no', …
  check_due_at timestamptz,
  check_cause text,
  claimed_by text,
  claimed_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (guild_id, user_id)
);
create index discord_members_due on discord_members (check_due_at) where check_due_at is not null;

-- Several wallets a member; one wallet one member per server (rulings R5).
create table discord_wallets (
  guild_id text not null,
  wallet text not null,
  user_id text not null,
  scheme text not null,
  linked_at timestamptz not null default clock_timestamp(),
  primary key (guild_id, wallet),
  foreign key (guild_id, user_id) references discord_members on delete cascade
);
create index discord_wallets_of_member on discord_wallets (guild_id, user_id);
create index discord_wallets_by_address on discord_wallets (wallet);

-- One-time links to /verify/<token>: 15 minutes. Only a keyed hash of the token is kept.
create table discord_verifications (
  token_hash bytea primary key,
  guild_id text not null references discord_guilds,
  user_id text not null,
  display_name text not null,
  expires_at timestamptz not null,
  -- The message that is to be signed, as it was handed out: one at a time, taken away by the first signature that comes.
  wallet text,
  message text,
  attempts integer not null default 0,
  state text not null default 'open' check (state in ('open', 'verifying', 'used', 'closed')),
  created_at timestamptz not null default clock_timestamp()
);
create index discord_verifications_expiring on discord_verifications (expires_at);
create index discord_verifications_of_member on discord_verifications (guild_id, user_id);

-- The login screen's 'authorize specific wallets': counts as holding. Rows are never deleted before 30 days: who, why, until when.
create table discord_authorized_wallets (
  id bigint generated always as identity primary key,
  guild_id text not null references discord_guilds,
  wallet text not null,
  reason text not null,
  expires_at timestamptz,
  added_by text not null,
  added_at timestamptz not null default clock_timestamp(),
  removed_by text,
  removed_at timestamptz
);
create unique index discord_authorized_wallets_active on discord_authorized_wallets (guild_id, wallet)
  where removed_at is null;
create index discord_authorized_wallets_ending on discord_authorized_wallets (expires_at) where removed_at is null;

-- A removal of many roles at once stops here and waits for an admin's word (rulings R5).
create table discord_removal_batches (
  id bigint generated always as identity primary key,
  guild_id text not null references discord_guilds,
  -- How many would lose the role, of how many that have it.
  removal_count integer not null,
  holder_count integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'obsolete')),
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  decided_by text
);
create unique index discord_removal_batches_waiting on discord_removal_batches (guild_id) where state = 'waiting';

-- The queue of what is to be done at Discord: roles given and taken, and direct messages. Doing one twice does no harm to a role;
-- a direct message may arrive twice after a crash.
create table discord_actions (
  id bigint generated always as identity primary key,
  guild_id text not null references discord_guilds,
  user_id text not null,
  kind text not null check (kind in ('grant-role', 'remove-role', 'direct-message')),
  role_id text,
  -- Of a direct message: its text.
  content text,
  -- 'verified', 'bought', 'sweep', 'sold', 'joined', 'authorized', 'approved', …: shown to the admin.
  cause text not null,
  state text not null default 'pending' check (state in ('pending', 'doing', 'done', 'failed', 'dropped')),
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  claimed_by text,
  claimed_until timestamptz,
  -- A sentence with the exact fix.
  failure text,
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index discord_actions_due on discord_actions (due_at) where state in ('pending', 'doing');
create unique index discord_actions_one_role_change on discord_actions (guild_id, user_id)
  where state = 'pending' and kind in ('grant-role', 'remove-role');
create index discord_actions_of_member on discord_actions (guild_id, user_id, id desc);
create index discord_actions_failed on discord_actions (guild_id) where state = 'failed';

-- Members and server admins act through the bot.
alter table audit_entries drop constraint audit_entries_actor_kind_check;
alter table audit_entries add constraint audit_entries_actor_kind_check
  check (actor_kind in ('admin', 'user', 'telegram', 'discord', 'system', 'command'));
