-- Rulings R4: one send on its way a chat and four in all. The gate's row names those that are on their way, by their times in recent_sends.
alter table telegram_send_gate
  add column in_flight timestamptz[] not null default '{}',
  -- Those of them that go to a chat whose last try failed.
  add column retries_in_flight timestamptz[] not null default '{}';
-- The last try failed: until one arrives, the chat takes none of the places that are kept for the others.
alter table telegram_chats add column is_failing boolean not null default false;
-- How many are in doubt is shown beside each chat.
create index telegram_messages_doubtful on telegram_messages (configuration_id) where is_doubtful;
