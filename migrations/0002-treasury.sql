-- Rulings R3: the last good reading of a treasury survives restarts and outages. One row for each treasury, so that another
-- TREASURY_ADDRESS or network never shows this one's figures.
create table treasury_last_good (
  network text not null,
  treasury_address text not null,
  -- When some copy last began to refresh; set before the first reading exists.
  attempted_at timestamptz,
  -- The parts the figures are made of (src/treasury/core/reading-codec.ts); null until the first good one.
  reading jsonb,
  read_at timestamptz,
  version bigint not null default 0,
  primary key (network, treasury_address)
);

-- Rulings R3: value over time. One point an hour: the last good value of that hour, in micro-USD (numeric: no upper bound).
create table treasury_history (
  network text not null,
  treasury_address text not null,
  hour timestamptz not null,
  at timestamptz not null,
  total_micro_usd numeric(60, 0) not null,
  token_micro_usd numeric(60, 0),
  nft_micro_usd numeric(60, 0),
  primary key (network, treasury_address, hour)
);

-- What the chain publishes of a coin. All texts are untrusted; cleaned and cut before they get here.
create table coin_metadata (
  network text not null,
  coin_type text not null,
  found boolean not null,
  decimals integer,
  symbol text,
  name text,
  icon_url text,
  read_at timestamptz not null,
  primary key (network, coin_type),
  check (not found or (decimals is not null and symbol is not null and name is not null))
);
