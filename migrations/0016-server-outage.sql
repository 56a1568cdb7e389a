-- Since when Discord reports an outage of this server; null: it does not.
alter table discord_guilds add column unavailable_since timestamptz;
