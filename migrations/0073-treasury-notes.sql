-- The team's words beside the chain's facts (rulings R8). They outlive a ledger that is read again.
-- `updated_at` is to the millisecond: it is the version that a save is made from.
create table treasury_ledger_notes (
  network text not null,
  treasury_address text not null,
  digest text not null,
  text text not null check (char_length(text) between 1 and 280),
  link text,
  updated_at timestamptz(3) not null,
  updated_by text not null,
  primary key (network, treasury_address, digest)
);

-- Whose an address is, as the team declares it.
create table treasury_ledger_names (
  network text not null,
  treasury_address text not null,
  address text not null,
  name text not null check (char_length(name) between 1 and 40),
  role text not null check (role in ('exchange', 'marketplace', 'team', 'other')),
  updated_at timestamptz(3) not null,
  updated_by text not null,
  primary key (network, treasury_address, address)
);

-- What the last comparison with the chain's balances left unexplained; null: not compared yet.
alter table ledger_readings
  add column unexplained_coins integer,
  -- '+12.5 SUI'; null: nothing.
  add column unexplained_text text;
