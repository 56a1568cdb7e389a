-- Updates of Telegram that change something, or that only a group admin may ask for: written down before Telegram is told that they
-- arrived, so that no crash loses one. The key takes each once, whichever copy it is brought to, and however often.
create table telegram_inbox (
  update_id bigint primary key,
  -- No reference: the bot may never have met the chat, and a group's id changes when it becomes a supergroup.
  chat_id bigint not null,
  -- As it came; null once handled, when the row is kept a while for the sake of its key alone. Not jsonb, which refuses NUL and
  -- halves of surrogate pairs, and people may type those.
  update json,
  received_at timestamptz not null default clock_timestamp(),
  -- Which copy is at it, and until when it is believed to live; null: it waits for room, or for what came before it in its chat.
  claimed_by text,
  claimed_until timestamptz,
  attempts smallint not null default 0,
  handled_at timestamptz,
  check ((claimed_by is null) = (claimed_until is null)),
  check ((update is null) = (handled_at is not null))
);
create index telegram_inbox_waiting on telegram_inbox (chat_id, update_id) where handled_at is null;
