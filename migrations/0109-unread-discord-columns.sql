-- Written since the first version, and read by nothing.
alter table discord_guilds drop column owner_id, drop column joined_at;
alter table discord_removal_batches drop column removal_count;
