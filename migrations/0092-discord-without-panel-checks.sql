-- The verify panel names no collection, and whether somebody deleted it is not looked at.
alter table discord_guild_configs drop column panel_gone_at;
-- An expiry needs no job: what has expired does not count, and the next sweep notices.
drop index discord_authorized_wallets_ending;
