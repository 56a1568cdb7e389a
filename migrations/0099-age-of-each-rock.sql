-- As of when a rock is known: one that the marketplace has lost must not keep the age of all the others from moving.
alter table rocks add column read_at timestamptz;
update rocks set read_at = coalesce(
  (select r.rocks_as_of from rock_readings r where r.network = rocks.network and r.collection_type = rocks.collection_type),
  clock_timestamp()
);
alter table rocks alter column read_at set not null;
