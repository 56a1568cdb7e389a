-- The verify panel names no collection, and whether somebody deleted it is not looked at.
alter table discord_guild_configs drop column panel_gone_at;
