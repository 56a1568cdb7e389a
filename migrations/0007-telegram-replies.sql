-- Replies have a share of their own within a group's limit: when the last of them went, newest first. They count in recent_sends, too.
alter table telegram_chats add column recent_replies timestamptz[] not null default '{}';
