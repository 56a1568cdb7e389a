-- The same words in the table, the calls and the pages.
alter table discord_members rename column standing to role_state;
