-- Rulings R4: cards that are edited as they grow. Messages of one chat with the same key and end are one card in Telegram: the first
-- is sent, the later ones edit it. Once its hour is over, the next message begins a new card.
alter table telegram_messages add column running_key text;
alter table telegram_messages add column running_until timestamptz;
create index telegram_messages_running on telegram_messages (chat_id, running_key, id) where running_key is not null;
