-- Notifications keep the topic to which they were brought: while it is closed or gone they go to the group itself.
alter table telegram_chats add column topic_state text not null default 'open' check (topic_state in ('open', 'closed', 'gone'));
