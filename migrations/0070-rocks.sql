-- The rocks of the product's own collection and everything that happened to them (rulings R8).
create table rocks (
  network text not null,
  collection_type text not null,
  object_id text not null,
  number integer not null check (number > 0),
  -- Untrusted texts.
  name text,
  image_url text,
  -- One of the specification's six; null: its attribute is not known.
  color text,
  -- From here on as it is now. null: unknown, or nobody.
  owner text,
  place text check (place in ('wallet', 'kiosk', 'personal-kiosk', 'escrow')),
  kiosk_id text,
  list_price_mist numeric,
  list_market text,
  primary key (network, collection_type, object_id)
);

-- Append-only; each fact once, by transaction, object and kind.
create table rock_events (
  network text not null,
  collection_type text not null,
  event_key text not null,
  object_id text not null,
  kind text not null check (kind in ('mint', 'sale', 'accepted-bid', 'transfer', 'listing', 'burn')),
  happened_at timestamptz not null,
  price_mist numeric,
  sender text,
  receiver text,
  transaction_digest text,
  primary key (network, collection_type, event_key)
);
create index rock_events_of_object on rock_events (network, collection_type, object_id, happened_at desc);

-- How far the past of a collection was read, and when its rocks were last read.
create table rock_readings (
  network text not null,
  collection_type text not null,
  rocks_as_of timestamptz,
  -- The marketplace's time up to which the past is read, and how many rows of that very moment.
  history_at timestamptz,
  history_skip integer not null default 0,
  is_history_complete boolean not null default false,
  primary key (network, collection_type)
);
