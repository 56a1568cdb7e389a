-- The statement of each month of the treasury: made once, never changed (docs/decisions/0037).
create table treasury_statements (
  network text not null,
  treasury_address text not null,
  -- 2026-10, UTC.
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- The canonical JSON that is published, to the byte, and its hash as hexadecimal digits.
  body text not null,
  sha256 text not null,
  -- What the list of statements says of it.
  entry_count integer not null,
  closing_micro_usd numeric not null,
  unpriced_coins integer not null,
  primary key (network, treasury_address, month)
);

-- The milestones of the mint, for the feed.
create index rock_events_mints on rock_events (network, collection_type, happened_at, event_key) where kind = 'mint';
