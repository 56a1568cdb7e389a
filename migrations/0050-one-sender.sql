-- One copy of the product sends, and keeps Telegram's limits in memory (docs/decisions/0033): what copies needed to share the sending goes.
drop index telegram_messages_sending;
-- Whoever takes over counts what the last minute sent.
create index telegram_messages_sent on telegram_messages (sent_at) where sent_at is not null;
alter table telegram_messages drop column claimed_by, drop column claimed_until;

drop index telegram_chats_ready;
alter table telegram_chats
  drop column next_send_at,
  drop column recent_sends,
  drop column recent_replies,
  drop column has_pending,
  drop column is_failing;

drop table telegram_send_gate;

-- What the bot answers at once. Any copy asks for it, the one that sends says it and writes down what Telegram answered.
create table telegram_replies (
  id uuid primary key,
  -- Also chats that are no rows of telegram_chats: the owner's.
  chat_id bigint not null,
  kind text not null check (kind in ('question', 'notice', 'change')),
  -- What is to be said: see src/telegram/send/replies.ts; null once it is.
  request jsonb,
  -- What became of it.
  answer jsonb,
  asked_at timestamptz not null default clock_timestamp(),
  -- A copy is at it.
  begun_at timestamptz,
  sent_at timestamptz
);
create index telegram_replies_asked on telegram_replies (asked_at);
create index telegram_replies_waiting on telegram_replies (asked_at) where answer is null;
create index telegram_replies_sent on telegram_replies (sent_at) where sent_at is not null;
