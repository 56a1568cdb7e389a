-- What the bot answers is a message like any other (docs/decisions/0033): it waits, is sent and counts by the same rows, before cards.
-- What waited in the old table is not moved: a reply is given up after a minute.
drop table telegram_replies;
alter table telegram_messages drop constraint telegram_messages_kind_check;
alter table telegram_messages add constraint telegram_messages_kind_check
  check (kind in ('card', 'folded', 'digest', 'recap', 'notice', 'test', 'reply'));
-- Still the only index of what waits; replies and the rest are read apart.
drop index telegram_messages_waiting;
create index telegram_messages_waiting on telegram_messages (chat_id, (kind = 'reply'), id) where state in ('pending', 'sending');
-- Replies are deleted within hours, long before other messages.
create index telegram_messages_replies on telegram_messages (created_at) where kind = 'reply';
-- Who was told that a command is for admins is remembered by the running copy alone.
drop table telegram_told;
