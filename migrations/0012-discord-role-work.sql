-- Which refusal it was: those that are about the server as a whole are told once, and everything else waits (rulings R5).
alter table discord_actions add column failure_code text;

-- Members whose role may be about to end: looked for all the time, and few.
create index discord_members_leaving on discord_members (guild_id) where standing in ('grace', 'braked');
-- How many lost the role within the last hour.
create index discord_actions_removed on discord_actions (guild_id, done_at) where kind = 'remove-role' and state = 'done';
create index discord_actions_waiting_for_server on discord_actions (guild_id) where failure_code is not null;
