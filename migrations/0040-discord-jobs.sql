-- Jobs of the one engine (docs/decisions/0030) run what is due: nobody claims a row any more.
alter table discord_members drop column claimed_by, drop column claimed_until;
alter table discord_actions drop column claimed_by, drop column claimed_until;
alter table discord_guild_configs drop column sweep_claimed_by, drop column sweep_claimed_until;
