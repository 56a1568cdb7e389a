-- A group is told of what happens from then on: its setup, another collection, its restoring, or the bot's return.
alter table telegram_configurations add column followed_since timestamptz;
update telegram_configurations set followed_since = created_at;
alter table telegram_configurations
  alter column followed_since set default clock_timestamp(),
  alter column followed_since set not null;
