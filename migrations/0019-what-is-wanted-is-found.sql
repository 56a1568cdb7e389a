-- Looked for again and again, and few: found without reading all the others.
-- Groups with a daily recap.
create index telegram_configurations_recap on telegram_configurations (id) where recap_minute is not null and deleted_at is null;
-- Updates whose key is not needed any more.
create index telegram_inbox_handled on telegram_inbox (handled_at) where handled_at is not null;
-- Private chats of long ago.
create index telegram_chats_private on telegram_chats (updated_at) where kind = 'private';
-- Members of a server as they are counted: without a look at the rows themselves, which lie far apart.
create index discord_members_in_guild on discord_members (guild_id, user_id) where is_in_guild;
