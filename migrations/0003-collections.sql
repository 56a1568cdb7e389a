-- Rulings R3: what a marketplace last said of a collection survives restarts and outages, with the time it said so.
-- A row without a market_id means: asked, and the marketplace does not know this type.
create table collection_facts (
  network text not null,
  collection_type text not null,
  market_id text,
  name text,
  is_verified boolean not null,
  -- MIST; null: the marketplace names none, or the collection is not verified (anybody can make up such a floor).
  floor_mist numeric(20, 0),
  best_bid_mist numeric(20, 0),
  minted_count bigint,
  owner_count bigint,
  source text not null,
  as_of timestamptz not null,
  primary key (network, collection_type)
);

-- How many pieces are for sale is a question of its own, asked for the product's own collection alone.
create table collection_listed_counts (
  network text not null,
  collection_type text not null,
  listed_count bigint not null,
  as_of timestamptz not null,
  primary key (network, collection_type)
);
