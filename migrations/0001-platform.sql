-- One row for each job that only one copy of the product may do at a time.
-- The token grows with every change of holder, so that a holder which lost its lease without noticing can be told apart.
create table leases (
  name text primary key,
  holder text not null,
  token bigint not null,
  expires_at timestamptz not null
);
