import { type Kysely, type Selectable, sql } from 'kysely';

import { msAgo, anyOf } from '../../db/expressions.ts';
import type { Figure } from '../../db/figures.ts';
import type { Database } from '../../db/schema.ts';
import type { MarketCollection } from '../../sources/tradeport/rows.ts';
import type { FoundCollection, TrackedCollection } from '../contract.ts';

type Db = Kysely<Database>;
export type TrackedRow = Selectable<Database['trackedCollections']>;
export type TrackedStore = ReturnType<typeof createTrackedStore>;

const isWantedSql = `exists (
  select 1 from collection_watches watches
  left join activity_listeners listeners on listeners.name = watches.listener
  where watches.tracked_collection_id = tracked_collections.id and not coalesce(listeners.is_paused, false)
)`;
const isWanted = sql.raw<boolean>(isWantedSql);

/** The tracked collections. Throws what the database throws. */
export const createTrackedStore = (db: Db) => ({
  /** Creates the row if there is none. A collection that was not read lately is reset. */
  add: async (found: FoundCollection): Promise<TrackedRow> => {
    const { marketId, slug, name, imageUrl, isVerified, floorMist, mintedCount } = found;
    const { id } = await db
      .insertInto('trackedCollections')
      .values({ marketId, slug, name, imageUrl, isVerified, floorMist, mintedCount })
      .onConflict((conflict) => conflict.column('marketId').doUpdateSet({ slug }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await resetIfUnpolled(db, id);
    return db.selectFrom('trackedCollections').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
  },
  tracked: async (ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>> => {
    if (ids.length === 0) return new Map();
    const rows = await db.selectFrom('trackedCollections').where('id', '=', anyOf(ids, 'bigint')).selectAll().execute();
    return new Map(rows.map((row) => [BigInt(row.id), toTracked(row)]));
  },
  /** `isWanted`: some listener that watches it is not paused. undefined: no listener watches it. */
  watched: (id: string) =>
    db
      .selectFrom('trackedCollections')
      .selectAll()
      .select(isWanted.as('isWanted'))
      .where('id', '=', id)
      .where((row) => row.exists(watchesOf(db, id)))
      .executeTakeFirst(),
  unpolled: async (forMs: number): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('trackedCollections')
      .select('id')
      .where('lastCheckedAt', '<', msAgo(forMs))
      .where(isWanted)
      .orderBy('lastCheckedAt')
      .execute();
    return rows.map(({ id }) => id);
  },
});

export const watchesOf = (db: Db, id: string) =>
  db.selectFrom('collectionWatches').where('trackedCollectionId', '=', id).select('listener');

const unpolledMs = 10 * 60_000;

/**
 * Rulings R4: the first sight of a collection is now. A collection that was not watched for a while counts as new: what happened
 * meanwhile is not reported.
 */
export async function resetIfUnpolled(db: Db, id: string): Promise<void> {
  await db
    .updateTable('trackedCollections')
    .set({ seededAt: null })
    .where('id', '=', id)
    .where('seededAt', 'is not', null)
    .where(({ fn }) => fn('greatest', ['lastSucceededAt', 'seededAt']), '<', msAgo(unpolledMs))
    .where((row) => row.not(row.exists(watchesOf(db, id))))
    .execute();
}

export function toTracked({ failingSince: at, failureReason: reason, ...row }: TrackedRow): TrackedCollection {
  return {
    ...row,
    id: BigInt(row.id),
    mintedCount: countOf(row.mintedCount),
    ownerCount: countOf(row.ownerCount),
    listedCount: countOf(row.listedCount),
    failingSince: at === null || reason === null ? null : { at, reason },
  };
}

/** The columns that follow the marketplace. A value that it leaves out stays as it was, except the floor and the image. */
export function columnsOf(collection: MarketCollection | null, listedCount: number | null) {
  const { name, mintedCount, ownerCount } = collection ?? { name: null, mintedCount: null, ownerCount: null };
  return {
    ...(listedCount !== null && { listedCount }),
    ...(collection !== null && {
      isVerified: collection.isVerified,
      floorMist: collection.floorMist,
      imageUrl: collection.imageUrl,
    }),
    ...(name !== null && { name }),
    ...(mintedCount !== null && { mintedCount }),
    ...(ownerCount !== null && { ownerCount }),
  };
}

const countOf = (digits: string | null): number | null => (digits === null ? null : Number(digits));

/** The longest time since `column`, in seconds, among the watched collections that match `where`. */
const longestSince = (column: string, where: string, lessSeconds: number): string =>
  `(select greatest(0, extract(epoch from clock_timestamp() - ${column}) - ${lessSeconds}) as seconds from tracked_collections
    where ${where} and ${isWantedSql} order by ${column} limit 1)`;

/**
 * The metrics of collection polls (docs/operations.md). Times by the database's clock. Failed polls are repeated, so an outage
 * shows in how long polls have failed. A collection that the marketplace no longer knows fails for ever, and is left out:
 * its group must fix that. `pollMaxMs`: the longest time between two polls.
 */
export const collectionFigures = (pollMaxMs: number): readonly Figure[] => [
  {
    name: 'collections_overdue_poll_seconds',
    help: 'The longest time that polls of a watched collection have been overdue or failing',
    sql: `select max(seconds) from (
      ${longestSince('last_checked_at', 'last_checked_at is not null', pollMaxMs / 1_000)}
      union all
      ${longestSince('failing_since', "failing_since is not null and failure_reason <> 'collection-unknown'", 0)}
    ) late`,
  },
];
