-- Rulings R4: what happens in collections is read once per collection, whatever number of groups wants to know it.
create table tracked_collections (
  id bigint generated always as identity primary key,
  -- What the marketplace last said of it. All texts are untrusted; cleaned and cut before they get here.
  market_id text not null unique,
  slug text not null,
  name text not null,
  image_url text,
  is_verified boolean not null,
  -- MIST; null: the marketplace names none.
  floor_mist numeric(20, 0),
  minted_count bigint,
  owner_count bigint,
  listed_count bigint,

  -- When the past was made known without telling anybody; null: that is still to be done.
  seeded_at timestamptz,
  -- By the marketplace's clock: what happened before is of no concern; null: everything was made known.
  known_from timestamptz,
  -- By the marketplace's clock: the newest event seen.
  cursor_at timestamptz,
  -- The last poll ended before everything was read.
  is_behind boolean not null default false,
  poll_count bigint not null default 0,

  poll_due_at timestamptz not null default clock_timestamp(),
  -- Who reads it now, and until when that is believed. The token grows with every claim.
  claimed_by text,
  claim_token bigint not null default 0,
  claimed_until timestamptz,

  last_checked_at timestamptz,
  last_succeeded_at timestamptz,
  -- The last poll after which nothing more was to be read.
  caught_up_at timestamptz,
  failing_since timestamptz,
  -- A stable code.
  failure_reason text,
  created_at timestamptz not null default clock_timestamp(),
  check ((failing_since is null) = (failure_reason is null))
);
create index tracked_collections_due on tracked_collections (poll_due_at);

-- Who wants to know: a collection is read while there is a row of a listener that is not paused.
create table collection_watches (
  tracked_collection_id bigint not null references tracked_collections,
  listener text not null,
  -- The listener's own key, e.g. of the group.
  watcher text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tracked_collection_id, listener, watcher)
);

-- A listener without a row is not paused.
create table activity_listeners (
  name text primary key,
  is_paused boolean not null
);

-- Each thing that happened, once, whatever number of markets and polls reported it.
create table activity_events (
  id bigint generated always as identity primary key,
  tracked_collection_id bigint not null references tracked_collections,
  -- (transaction or action, piece or collection, kind): src/collections/core/activity-draft.ts.
  event_key text not null,
  -- The marketplace's row that was seen first: one whose piece becomes known later is still the same event.
  action_id text not null,
  kind text not null check (kind in ('mint', 'sale', 'listing', 'bid')),
  type text not null,
  transaction_digest text,
  nft_object_id text,
  nft_name text,
  nft_image_url text,
  nft_rank bigint,
  price_mist numeric(20, 0),
  foreign_coin_type text,
  foreign_raw_amount text,
  buyer text,
  seller text,
  market_name text,
  happened_at timestamptz not null,
  known_at timestamptz not null default clock_timestamp(),
  unique (tracked_collection_id, event_key),
  unique (tracked_collection_id, action_id),
  check ((foreign_coin_type is null) = (foreign_raw_amount is null)),
  check (price_mist is null or foreign_coin_type is null),
  check (nft_object_id is not null or (nft_name is null and nft_image_url is null and nft_rank is null))
);
create index activity_events_by_time on activity_events (tracked_collection_id, happened_at);
create index activity_events_by_kind on activity_events (tracked_collection_id, kind, happened_at);

-- Events that became known while a listener was paused, or were stored by a copy of the product that does not run it.
create table activity_backlogs (
  tracked_collection_id bigint not null references tracked_collections,
  listener text not null,
  first_event_id bigint not null,
  since timestamptz not null,
  primary key (tracked_collection_id, listener)
);
