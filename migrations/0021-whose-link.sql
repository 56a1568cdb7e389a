-- Whom a link of /verify is for: display names are anybody's to choose, the user name of Discord is one person's. null: made before this.
alter table discord_verifications add column user_name text;
