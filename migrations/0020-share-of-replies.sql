-- When the last 20 replies passed the gate, newest first: replies take only a share of what all chats together may be told in a second.
alter table telegram_send_gate add column recent_replies timestamptz[] not null default '{}';
