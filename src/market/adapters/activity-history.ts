import { type Kysely, sql } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { ActivityEvent, ActivitySummary } from '../contract.ts';
import { toEvents } from './event-rows.ts';
import type { ActivityTables } from './tables.ts';

/** What has happened in a collection, from the database alone. Throws what the database throws. */
export interface ActivityHistory {
  /** By the marketplace's clock; null: none is known. */
  latestSale(trackedCollectionId: bigint): Promise<ActivityEvent | null>;
  /** What happened at or after `since` and, where it is given, before `until`; MIST. An unknown collection has an empty summary. */
  summary(trackedCollectionId: bigint, since: Date, until?: Date): Promise<ActivitySummary>;
  /** How many were minted at or after `since`. Within somebody's transaction: who holds one must not wait for another connection. */
  mintCount(trackedCollectionId: bigint, since: Date, opened: OpenTransaction): Promise<number>;
  /** In no particular order; unknown ids are left out. */
  events(ids: readonly bigint[]): Promise<readonly ActivityEvent[]>;
}

export function createActivityHistory(db: Kysely<ActivityTables>): ActivityHistory {
  const salesOf = (id: bigint) =>
    db
      .selectFrom('activity_events')
      .where('tracked_collection_id', '=', id.toString())
      .where('kind', '=', 'sale')
      .selectAll();
  return {
    latestSale: async (id) => {
      const row = await salesOf(id).orderBy('happened_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row === undefined ? null : (toEvents([row])[0] ?? null);
    },
    summary: async (id, since, until) => {
      const topSale = await salesOf(id)
        .where('happened_at', '>=', since)
        .$if(until !== undefined, (query) => query.where('happened_at', '<', until ?? since))
        .where('price_mist', 'is not', null)
        .orderBy('price_mist', 'desc')
        .orderBy('happened_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      const counts = await countBetween(db, id, since, until);
      const { isRead, knownFrom, caughtUpAt } = await readingOf(db, id);
      return {
        ...counts,
        topSale: topSale === undefined ? null : (toEvents([topSale])[0] ?? null),
        completeSince: !isRead ? null : knownFrom !== null && knownFrom > since ? knownFrom : since,
        completeUntil: isRead ? caughtUpAt : null,
      };
    },
    mintCount: async (id, since, opened) =>
      (await countBetween(transactionOf<ActivityTables>(opened), id, since)).mintCount,
    events: async (ids) => {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('activity_events')
        .where('id', '=', sql<string>`any(${ids.map(String)}::bigint[])`)
        .selectAll()
        .execute();
      return toEvents(rows);
    },
  };
}

async function countBetween(db: Kysely<ActivityTables>, id: bigint, since: Date, until?: Date) {
  const rows = await db
    .selectFrom('activity_events')
    .where('tracked_collection_id', '=', id.toString())
    .where('happened_at', '>=', since)
    .$if(until !== undefined, (query) => query.where('happened_at', '<', until ?? since))
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

/** `knownFrom`: null when everything was made known. */
async function readingOf(db: Kysely<ActivityTables>, id: bigint) {
  const row = await db
    .selectFrom('tracked_collections')
    .where('id', '=', id.toString())
    .select(['known_from', 'seeded_at', 'caught_up_at'])
    .executeTakeFirst();
  const isRead = row !== undefined && row.seeded_at !== null;
  return { isRead, knownFrom: row?.known_from ?? null, caughtUpAt: row?.caught_up_at ?? null };
}
