/** Rows of migrations/0003-collections.sql. `int8` and `numeric` come from the driver as decimal strings. */
export interface CollectionTables {
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
