-- What the team posted about a payout: each of the two cards once in a place.
create table payout_announcements (
  payout integer not null references payouts,
  kind text not null check (kind in ('published', 'paid')),
  -- 'telegram:<chat id>' or 'discord:<channel id>', and what it was called then.
  place text not null,
  place_name text not null,
  -- In telegram_messages or discord_posts, which keep it for 90 days.
  post_id bigint not null,
  asked_at timestamptz not null default clock_timestamp(),
  asked_by text not null,
  primary key (payout, kind, place)
);

-- What the bot posts in channels besides its panels. As in telegram_messages, a row that is `sending` is at Discord.
create table discord_posts (
  id bigint generated always as identity primary key,
  guild_id text not null references discord_guilds,
  channel_id text not null,
  content text not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),
  due_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  -- A copy ended, or an answer was lost, between the request and its answer: it may have arrived before.
  is_doubtful boolean not null default false,
  -- Why it waits or failed, as a sentence.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index discord_posts_due on discord_posts (due_at) where state in ('pending', 'sending');
create index discord_posts_done on discord_posts (done_at) where done_at is not null;
create index discord_posts_of_guild on discord_posts (guild_id);

-- Since when a member wants a direct message when a payout pays a wallet of theirs; null: they have not asked for it.
alter table discord_members add column payout_messages_since timestamptz;

-- Who was told of which payout, each member once.
create table discord_payout_messages (
  payout integer not null,
  user_id text not null,
  told_at timestamptz not null default clock_timestamp(),
  primary key (payout, user_id)
);
create index discord_payout_messages_of_member on discord_payout_messages (user_id);
create index discord_payout_messages_told on discord_payout_messages (told_at);
