-- What the owner was told (docs/decisions/0023): kept here, so that neither a restart nor a second copy tells it again.
-- One row for each alarm that is on, or that is about to be.
create table owner_alarms (
  alarm text primary key,
  -- The owner was told.
  is_on boolean not null,
  -- Since when the trouble lasts.
  since timestamptz not null,
  -- Since when it has looked otherwise than it was told, without a break; null: it looks as it was told.
  turning_since timestamptz
);

-- What is to be told, in its order. While the platform is down it waits.
create table owner_messages (
  id bigint generated always as identity primary key,
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- A copy is telling it, or ended before it knew whether it was told.
  telling_since timestamptz,
  told_at timestamptz
);
create index owner_messages_waiting on owner_messages (id) where told_at is null;
