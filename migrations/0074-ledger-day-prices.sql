-- What a coin of the treasury's ledger cost at the end of each day on which it was held (rulings R8, value over time).
create table ledger_day_prices (
  network text not null,
  treasury_address text not null,
  coin_type text not null,
  -- Days since 1970 (UTC).
  day integer not null,
  -- 1e-12 USD for one whole coin, the source's own time and its name. Null: the source was asked and has none.
  price_pico_usd numeric,
  price_at timestamptz,
  price_source text,
  primary key (network, treasury_address, coin_type, day)
);
