-- Since when the panel that /setup posted is known to be deleted; null: it is there, as far as is known.
alter table discord_guild_configs add column panel_gone_at timestamptz;
