import { type Kysely, sql } from 'kysely';

import { typedTransaction } from '../../db/connect.ts';
import type { Database } from '../../db/schema.ts';
import type { CollectionHistory, SalesWanted } from '../contract.ts';
import { toEvents } from './event-rows.ts';

type Db = Kysely<Database>;

/** Throws what the database throws. */
export const createActivityHistory = (db: Db): CollectionHistory => ({
  sales: (id, wanted) => readSales(db, id, wanted),
  summary: async (id, since, until) => {
    const span = { since, ...(until !== undefined && { until }) };
    const [topSale = null] = await readSales(db, id, { by: 'price', limit: 1, ...span });
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
      topSale,
      completeSince: collection === undefined ? null : knownFrom !== null && knownFrom > since ? knownFrom : since,
      completeUntil: caughtUpAt,
    };
  },
  mintCount: async (id, since, opened) => (await countBetween(typedTransaction(opened), id, since)).mintCount,
  events: async (ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('activityEvents')
      .where('id', '=', sql<string>`any(${ids.map(String)}::bigint[])`)
      .selectAll()
      .execute();
    return toEvents(rows);
  },
});

async function readSales(db: Db, id: bigint, { by, limit, since, until }: SalesWanted) {
  const rows = await db
    .selectFrom('activityEvents')
    .where('trackedCollectionId', '=', id.toString())
    .where('kind', '=', 'sale')
    .$if(since !== undefined, (query) => query.where('happenedAt', '>=', since ?? null))
    .$if(until !== undefined, (query) => query.where('happenedAt', '<', until ?? null))
    .$if(by === 'price', (query) => query.where('priceMist', 'is not', null).orderBy('priceMist', 'desc'))
    .orderBy('happenedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .selectAll()
    .execute();
  return toEvents(rows);
}

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
  };
}
