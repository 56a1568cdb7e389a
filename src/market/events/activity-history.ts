import { type Kysely, sql } from 'kysely';

import { typedTransaction } from '../../db/connect.ts';
import type { Database } from '../../db/schema.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { ActivityEvent, ActivitySummary } from '../contract.ts';
import { type EventRow, toEvents } from './event-rows.ts';

type Db = Kysely<Database>;
export type ActivityHistory = ReturnType<typeof createActivityHistory>;

/** What has happened in a collection, from the database. Throws what the database throws. */
export const createActivityHistory = (db: Db) => ({
  /** By the marketplace's clock; null: none is known. */
  latestSale: async (id: bigint): Promise<ActivityEvent | null> => {
    const row = await salesOf(db, id).orderBy('happenedAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return firstOf(row);
  },
  /** What happened at or after `since` and, where it is given, before `until`; MIST. An unknown collection has an empty summary. */
  summary: async (id: bigint, since: Date, until?: Date): Promise<ActivitySummary> => {
    const topSale = await salesOf(db, id)
      .where('happenedAt', '>=', since)
      .$if(until !== undefined, (query) => query.where('happenedAt', '<', until ?? since))
      .where('priceMist', 'is not', null)
      .orderBy('priceMist', 'desc')
      .orderBy('happenedAt', 'desc')
      .limit(1)
      .executeTakeFirst();
    const counts = await countBetween(db, id, since, until);
    const collection = await db
      .selectFrom('trackedCollections')
      .where('id', '=', id.toString())
      .where('seededAt', 'is not', null)
      .select(['knownFrom', 'caughtUpAt'])
      .executeTakeFirst();
    const { knownFrom = null, caughtUpAt = null } = collection ?? {};
    return {
      ...counts,
      topSale: firstOf(topSale),
      completeSince: collection === undefined ? null : knownFrom !== null && knownFrom > since ? knownFrom : since,
      completeUntil: caughtUpAt,
    };
  },
  /** How many were minted at or after `since`. In the caller's transaction, so that it does not wait for another connection. */
  mintCount: async (id: bigint, since: Date, opened: OpenTransaction): Promise<number> =>
    (await countBetween(typedTransaction(opened), id, since)).mintCount,
  /** In no particular order; unknown ids are left out. */
  events: async (ids: readonly bigint[]): Promise<readonly ActivityEvent[]> => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('activityEvents')
      .where('id', '=', sql<string>`any(${ids.map(String)}::bigint[])`)
      .selectAll()
      .execute();
    return toEvents(rows);
  },
});

const salesOf = (db: Db, id: bigint) =>
  db
    .selectFrom('activityEvents')
    .where('trackedCollectionId', '=', id.toString())
    .where('kind', '=', 'sale')
    .selectAll();

const firstOf = (row: EventRow | undefined): ActivityEvent | null =>
  row === undefined ? null : (toEvents([row])[0] ?? null);

async function countBetween(db: Db, id: bigint, since: Date, until?: Date) {
  const rows = await db
    .selectFrom('activityEvents')
    .where('trackedCollectionId', '=', id.toString())
    .where('happenedAt', '>=', since)
    .$if(until !== undefined, (query) => query.where('happenedAt', '<', until ?? since))
    .groupBy('kind')
    .select(['kind', sql<string>`count(*)`.as('count'), sql<string>`coalesce(sum(price_mist), 0)`.as('volume')])
    .execute();
  const of = (kind: string) => rows.find((row) => row.kind === kind);
  return {
    mintCount: Number(of('mint')?.count ?? 0),
    saleCount: Number(of('sale')?.count ?? 0),
    listingCount: Number(of('listing')?.count ?? 0),
    bidCount: Number(of('bid')?.count ?? 0),
    saleVolumeMist: BigInt(of('sale')?.volume ?? 0),
    mintVolumeMist: BigInt(of('mint')?.volume ?? 0),
  };
}
