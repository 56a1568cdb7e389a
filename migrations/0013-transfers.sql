-- Rulings R5: a piece that changes hands unsold moves the role too. No group is told of it.
-- The name is the one PostgreSQL gave the check of 0005-activity.sql.
alter table activity_events drop constraint activity_events_kind_check;
alter table activity_events add constraint activity_events_kind_check
  check (kind in ('mint', 'sale', 'listing', 'bid', 'transfer'));

-- Those that ended long ago are looked for all the time, to be purged.
create index discord_actions_ended on discord_actions (done_at) where state in ('done', 'failed', 'dropped');
