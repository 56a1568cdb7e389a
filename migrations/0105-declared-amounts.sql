-- What the team says lies where the chain cannot show it (rulings R3): Operations, Leveraged Trading. Never in a total.
-- `updated_at` is to the millisecond: it is the version that a save is made from.
create table treasury_declared_amounts (
  network text not null,
  treasury_address text not null,
  slice text not null check (slice in ('leveraged-trading', 'operations')),
  micro_usd bigint not null check (micro_usd >= 0),
  updated_at timestamptz(3) not null,
  updated_by text not null,
  primary key (network, treasury_address, slice)
);
