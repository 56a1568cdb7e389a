import { type Kysely, type Selectable, sql } from 'kysely';

import type { CollectionFact, FactStore } from '../ports.ts';
import type { CollectionTables } from './tables.ts';

/** The port on PostgreSQL, for the collections of one network. */
export function createFactStore(db: Kysely<CollectionTables>, network: string): FactStore {
  return {
    readFacts: async (collectionTypes) => {
      if (collectionTypes.length === 0) return new Map();
      const rows = await db
        .selectFrom('collection_facts')
        .where('network', '=', network)
        .where('collection_type', 'in', [...collectionTypes])
        .selectAll()
        .execute();
      return new Map(rows.map((row) => [row.collection_type, toFact(row)]));
    },
    saveFacts: async (facts) => {
      if (facts.length === 0) return;
      await db
        .insertInto('collection_facts')
        .values(facts.map((fact) => toRow(network, fact)))
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'collection_type'])
            .doUpdateSet((row) => ({
              market_id: row.ref('excluded.market_id'),
              name: row.ref('excluded.name'),
              is_verified: row.ref('excluded.is_verified'),
              floor_mist: row.ref('excluded.floor_mist'),
              best_bid_mist: row.ref('excluded.best_bid_mist'),
              minted_count: row.ref('excluded.minted_count'),
              owner_count: row.ref('excluded.owner_count'),
              source: row.ref('excluded.source'),
              as_of: row.ref('excluded.as_of'),
            }))
            .whereRef('excluded.as_of', '>=', 'collection_facts.as_of'),
        )
        .execute();
    },
    readListedCount: async (collectionType) => {
      const row = await db
        .selectFrom('collection_listed_counts')
        .where('network', '=', network)
        .where('collection_type', '=', collectionType)
        .select(['listed_count', 'as_of'])
        .executeTakeFirst();
      return row === undefined ? null : { listedCount: Number(row.listed_count), asOf: row.as_of };
    },
    saveListedCount: async (collectionType, { listedCount, asOf }) => {
      await sql`
        insert into collection_listed_counts (network, collection_type, listed_count, as_of)
        values (${network}, ${collectionType}, ${listedCount}, ${asOf})
        on conflict (network, collection_type) do update
          set listed_count = excluded.listed_count, as_of = excluded.as_of
          where excluded.as_of >= collection_listed_counts.as_of`.execute(db);
    },
  };
}

function toFact(row: Selectable<CollectionTables['collection_facts']>): CollectionFact {
  return {
    collectionType: row.collection_type,
    marketId: row.market_id,
    name: row.name,
    isVerified: row.is_verified,
    floorMist: row.floor_mist === null ? null : BigInt(row.floor_mist),
    bestBidMist: row.best_bid_mist === null ? null : BigInt(row.best_bid_mist),
    mintedCount: row.minted_count === null ? null : Number(row.minted_count),
    ownerCount: row.owner_count === null ? null : Number(row.owner_count),
    source: row.source,
    asOf: row.as_of,
  };
}

function toRow(network: string, fact: CollectionFact) {
  return {
    network,
    collection_type: fact.collectionType,
    market_id: fact.marketId,
    // PostgreSQL text cannot hold a zero character, and the name is anybody's.
    name: fact.name?.replaceAll('\0', '') ?? null,
    is_verified: fact.isVerified,
    floor_mist: fact.floorMist?.toString() ?? null,
    best_bid_mist: fact.bestBidMist?.toString() ?? null,
    minted_count: fact.mintedCount?.toString() ?? null,
    owner_count: fact.ownerCount?.toString() ?? null,
    source: fact.source,
    as_of: fact.asOf,
  };
}
