import type { Kysely, Selectable } from 'kysely';

import { excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { CollectionFact } from '../core/market-facts.ts';
import type { ListedCount } from '../core/own-collection.ts';

const factColumns = [
  'marketId',
  'name',
  'isVerified',
  'floorMist',
  'bestBidMist',
  'mintedCount',
  'ownerCount',
  'source',
  'asOf',
] as const;

export type FactStore = ReturnType<typeof createFactStore>;

/** Last good answers about the collections of one network, shared by all copies. Throws what the database throws. */
export const createFactStore = (db: Kysely<Database>, network: string) => ({
  readFacts: async (collectionTypes: readonly string[]): Promise<ReadonlyMap<string, CollectionFact>> => {
    if (collectionTypes.length === 0) return new Map();
    const rows = await db
      .selectFrom('collectionFacts')
      .where('network', '=', network)
      .where('collectionType', 'in', [...collectionTypes])
      .selectAll()
      .execute();
    return new Map(rows.map((row) => [row.collectionType, toFact(row)]));
  },
  /** Never replaces a newer fact. */
  saveFacts: async (facts: readonly CollectionFact[]): Promise<void> => {
    if (facts.length === 0) return;
    await db
      .insertInto('collectionFacts')
      .values(facts.map((fact) => ({ ...fact, network })))
      .onConflict((conflict) =>
        conflict
          .columns(['network', 'collectionType'])
          .doUpdateSet(excluded(...factColumns))
          .whereRef('excluded.asOf', '>=', 'collectionFacts.asOf'),
      )
      .execute();
  },
  readListedCount: async (collectionType: string): Promise<ListedCount | null> => {
    const row = await db
      .selectFrom('collectionListedCounts')
      .where('network', '=', network)
      .where('collectionType', '=', collectionType)
      .select(['listedCount', 'asOf'])
      .executeTakeFirst();
    return row === undefined ? null : { ...row, listedCount: Number(row.listedCount) };
  },
  /** Never replaces a newer one. */
  saveListedCount: async (collectionType: string, listed: ListedCount): Promise<void> => {
    await db
      .insertInto('collectionListedCounts')
      .values({ network, collectionType, ...listed })
      .onConflict((conflict) =>
        conflict
          .columns(['network', 'collectionType'])
          .doUpdateSet(excluded('listedCount', 'asOf'))
          .whereRef('excluded.asOf', '>=', 'collectionListedCounts.asOf'),
      )
      .execute();
  },
});

function toFact({ network: _network, ...row }: Selectable<Database['collectionFacts']>): CollectionFact {
  return {
    ...row,
    floorMist: row.floorMist === null ? null : BigInt(row.floorMist),
    bestBidMist: row.bestBidMist === null ? null : BigInt(row.bestBidMist),
    mintedCount: row.mintedCount === null ? null : Number(row.mintedCount),
    ownerCount: row.ownerCount === null ? null : Number(row.ownerCount),
  };
}
