-- To whom the treasury sent coins: payouts are held against it (rulings R9). Of transfers and payouts alone.
create table ledger_recipients (
  network text not null,
  treasury_address text not null,
  digest text not null,
  coin_type text not null,
  address text not null,
  -- Base units.
  raw numeric not null,
  checkpoint bigint not null,
  position integer not null,
  happened_at timestamptz not null,
  primary key (network, treasury_address, digest, coin_type, address)
);
create index ledger_recipients_of_coin on ledger_recipients
  (network, treasury_address, coin_type, checkpoint, position);
