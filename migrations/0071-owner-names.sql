-- By which name of the chain (SuiNS) an owner of a rock shows itself (rulings R8).
create table owner_names (
  network text not null,
  address text not null,
  -- null: it has none.
  name text,
  read_at timestamptz not null,
  primary key (network, address)
);
