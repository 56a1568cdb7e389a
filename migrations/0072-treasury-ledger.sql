-- The treasury's ledger (rulings R8): every transaction that touched its wallet or its kiosks. Append-only, each once.
create table ledger_entries (
  network text not null,
  treasury_address text not null,
  digest text not null,
  checkpoint bigint not null,
  -- Its place in its checkpoint.
  position integer not null,
  happened_at timestamptz not null,
  sender text not null,
  kind text not null check (kind in ('mint-income', 'nft-purchase', 'nft-sale', 'swap', 'transfer-in', 'transfer-out',
    'payout', 'fee', 'staking', 'other')),
  counterparty text,
  gas_mist bigint not null,
  -- All that moved; of what came unasked only some are listed.
  nft_count integer not null,
  -- It came unasked: listed apart.
  is_apart boolean not null,
  primary key (network, treasury_address, digest)
);
create index ledger_entries_newest on ledger_entries
  (network, treasury_address, is_apart, checkpoint desc, position desc);
create index ledger_entries_of_kind on ledger_entries
  (network, treasury_address, is_apart, kind, checkpoint desc, position desc);

-- What the treasury had more or less of a coin after a transaction, gas included; base units.
create table ledger_changes (
  network text not null,
  treasury_address text not null,
  digest text not null,
  coin_type text not null,
  raw numeric not null,
  checkpoint bigint not null,
  position integer not null,
  happened_at timestamptz not null,
  -- 1e-12 USD for one whole coin at that time, the source's own time and its name.
  price_pico_usd numeric,
  price_at timestamptz,
  price_source text,
  -- Whether a source was asked; without a price then, none is known.
  is_priced boolean not null default false,
  primary key (network, treasury_address, digest, coin_type)
);
create index ledger_changes_of_coin on ledger_changes
  (network, treasury_address, coin_type, checkpoint desc, position desc);
create index ledger_changes_to_price on ledger_changes (network, treasury_address, coin_type, happened_at)
  where not is_priced;

create table ledger_nfts (
  network text not null,
  treasury_address text not null,
  digest text not null,
  object_id text not null,
  collection_type text not null,
  direction text not null check (direction in ('in', 'out', 'into-escrow', 'out-of-escrow')),
  checkpoint bigint not null,
  position integer not null,
  primary key (network, treasury_address, digest, object_id)
);
create index ledger_nfts_of_object on ledger_nfts
  (network, treasury_address, object_id, checkpoint desc, position desc);

-- Sums of ledger_changes, kept with every entry. Opening is 0 unless no node has the beginning.
create table ledger_coins (
  network text not null,
  treasury_address text not null,
  coin_type text not null,
  opening_raw numeric not null default 0,
  in_raw numeric not null,
  out_raw numeric not null,
  -- Well known, or moved by the treasury itself: not something that anybody can send.
  is_known boolean not null,
  primary key (network, treasury_address, coin_type)
);

create table ledger_readings (
  network text not null,
  treasury_address text not null,
  -- Test networks begin anew under the same name; null: not asked yet.
  chain_id text,
  -- Everything up to and including it was read.
  covered_checkpoint bigint,
  covered_at timestamptz,
  is_complete boolean not null default false,
  -- The first checkpoint that any node still has, where that is not the very first one.
  known_since_checkpoint bigint,
  -- Where the beginning is not known: whether ledger_coins.opening_raw was derived.
  has_opening boolean not null default false,
  -- Kiosks whose cap the treasury has: [{kioskId, capId}].
  kiosks jsonb not null default '[]',
  primary key (network, treasury_address)
);
