-- What Discord says of a server's size and cannot be read is not known; it was kept as 0.
alter table discord_guilds alter column member_count drop not null, alter column member_count drop default;
