import type { Generated } from 'kysely';

import type { ActivityKind } from '../contract.ts';

/** Rows of migrations/0003-collections.sql. `int8` and `numeric` come from the driver as decimal strings. */
export interface CollectionTables extends ActivityTables, OwnershipTables {
  collection_facts: {
    network: string;
    collection_type: string;
    market_id: string | null;
    name: string | null;
    is_verified: boolean;
    floor_mist: string | null;
    best_bid_mist: string | null;
    minted_count: string | null;
    owner_count: string | null;
    source: string;
    as_of: Date;
  };
  collection_listed_counts: {
    network: string;
    collection_type: string;
    listed_count: string;
    as_of: Date;
  };
}

/** Rows of migrations/0005-activity.sql. */
export interface ActivityTables {
  tracked_collections: {
    id: Generated<string>;
    market_id: string;
    slug: string;
    name: string;
    image_url: string | null;
    is_verified: boolean;
    floor_mist: string | null;
    minted_count: string | null;
    owner_count: string | null;
    listed_count: string | null;
    seeded_at: Date | null;
    known_from: Date | null;
    cursor_at: Date | null;
    is_behind: Generated<boolean>;
    poll_count: Generated<string>;
    poll_due_at: Generated<Date>;
    claimed_by: string | null;
    claim_token: Generated<string>;
    claimed_until: Date | null;
    last_checked_at: Date | null;
    last_succeeded_at: Date | null;
    caught_up_at: Date | null;
    failing_since: Date | null;
    failure_reason: string | null;
    created_at: Generated<Date>;
  };
  collection_watches: {
    tracked_collection_id: string;
    listener: string;
    watcher: string;
    created_at: Generated<Date>;
  };
  activity_listeners: {
    name: string;
    is_paused: boolean;
  };
  activity_events: {
    id: Generated<string>;
    tracked_collection_id: string;
    event_key: string;
    action_id: string;
    kind: ActivityKind | 'transfer';
    type: string;
    transaction_digest: string | null;
    nft_object_id: string | null;
    nft_name: string | null;
    nft_image_url: string | null;
    nft_rank: string | null;
    price_mist: string | null;
    foreign_coin_type: string | null;
    foreign_raw_amount: string | null;
    buyer: string | null;
    seller: string | null;
    market_name: string | null;
    happened_at: Date;
    known_at: Generated<Date>;
  };
  activity_backlogs: {
    tracked_collection_id: string;
    listener: string;
    first_event_id: string;
    since: Date;
  };
}

/** Rows of migrations/0010-ownership.sql. */
export interface OwnershipTables {
  kiosk_caps: {
    network: string;
    cap_id: string;
    kiosk_id: string;
    cap_kind: 'kiosk-owner-cap' | 'personal-kiosk-cap' | 'origin-byte-owner-token';
    learned_at: Generated<Date>;
  };
  parent_fields: {
    network: string;
    field_id: string;
    parent_id: string;
    is_kiosk: boolean;
    learned_at: Generated<Date>;
  };
}
