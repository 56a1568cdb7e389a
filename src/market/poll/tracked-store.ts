import { type Kysely, type Selectable, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { CollectionNow, ReadProgress } from '../ports.ts';
import type { FoundCollection, TrackedCollection } from '../contract.ts';

type Db = Kysely<Database>;
export type TrackedRow = Selectable<Database['trackedCollections']>;
export type TrackedStore = ReturnType<typeof createTrackedStore>;

/** The collections that somebody tracks. Throws what the database throws. */
export const createTrackedStore = (db: Db) => ({
  /** Creates the row if there is none. One that nobody has read lately begins anew. */
  add: async (found: FoundCollection): Promise<{ readonly id: bigint; readonly isSeeded: boolean }> => {
    const { marketId, slug, name, imageUrl, isVerified, floorMist, mintedCount } = found;
    const { id } = await db
      .insertInto('trackedCollections')
      .values({ marketId, slug, name, imageUrl, isVerified, floorMist, mintedCount })
      .onConflict((conflict) => conflict.column('marketId').doUpdateSet({ slug }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await beginAnewIfUnread(db, id);
    const { seededAt } = await db
      .selectFrom('trackedCollections')
      .where('id', '=', id)
      .select('seededAt')
      .executeTakeFirstOrThrow();
    return { id: BigInt(id), isSeeded: seededAt !== null };
  },
  tracked: async (ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>> => {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('trackedCollections')
      .where('id', '=', sql<string>`any(${ids.map(String)}::bigint[])`)
      .selectAll()
      .execute();
    return new Map(rows.map((row) => [BigInt(row.id), toTracked(row)]));
  },
  /** `isWanted`: somebody who watches it is not paused. undefined: nobody watches it. */
  watched: (id: string) =>
    db
      .selectFrom('trackedCollections')
      .selectAll()
      .select(isWanted.as('isWanted'))
      .where('id', '=', id)
      .where((row) =>
        row.exists(
          row
            .selectFrom('collectionWatches')
            .whereRef('trackedCollectionId', '=', 'trackedCollections.id')
            .select('listener'),
        ),
      )
      .executeTakeFirst(),
  /** Those that are wanted and were not read for so long. */
  unread: async (forMs: number): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('trackedCollections')
      .select('id')
      .where('lastCheckedAt', '<', sql<Date>`now() - ${forMs} * interval '1 millisecond'`)
      .where(isWanted)
      .orderBy('lastCheckedAt')
      .execute();
    return rows.map(({ id }) => id);
  },
});

const isWanted = sql<boolean>`exists (
  select 1 from collection_watches w left join activity_listeners l on l.name = w.listener
  where w.tracked_collection_id = tracked_collections.id and not coalesce(l.is_paused, false))`;

/**
 * Rulings R4: the first sight of a collection is now. One that nobody watched for a while is seen for the first time again:
 * whoever begins to watch it is not told what happened meanwhile.
 */
export async function beginAnewIfUnread(db: Db, id: string): Promise<void> {
  await db
    .updateTable('trackedCollections')
    .set({ seededAt: null })
    .where('id', '=', id)
    .where('seededAt', 'is not', null)
    .where(sql<boolean>`greatest(last_succeeded_at, seeded_at) < clock_timestamp() - interval '10 minutes'`)
    .where((row) =>
      row.not(row.exists(row.selectFrom('collectionWatches').where('trackedCollectionId', '=', id).select('listener'))),
    )
    .execute();
}

export function toTracked(row: TrackedRow): TrackedCollection {
  const { id, floorMist, mintedCount, ownerCount, listedCount, failingSince: at, failureReason: reason } = row;
  const { marketId, slug, name, imageUrl, isVerified, lastCheckedAt, lastSucceededAt } = row;
  return {
    marketId,
    slug,
    name,
    imageUrl,
    isVerified,
    lastCheckedAt,
    lastSucceededAt,
    id: BigInt(id),
    floorMist: floorMist === null ? null : BigInt(floorMist),
    mintedCount: countOf(mintedCount),
    ownerCount: countOf(ownerCount),
    listedCount: countOf(listedCount),
    failingSince: at === null || reason === null ? null : { at, reason },
  };
}

export const toProgress = ({ seededAt, knownFrom, cursorAt, isBehind, pollCount }: TrackedRow): ReadProgress => ({
  knownFrom,
  cursorAt,
  isBehind,
  isSeeded: seededAt !== null,
  pollCount: BigInt(pollCount),
});

/** The columns that follow the marketplace. What it does not say this time stays as it was, except that a floor may end. */
export function columnsOfNow(now: CollectionNow | null, listedCount: number | null) {
  const { name, mintedCount, ownerCount } = now ?? { name: null, mintedCount: null, ownerCount: null };
  return {
    ...(listedCount !== null && { listedCount: String(listedCount) }),
    ...(now !== null && {
      isVerified: now.isVerified,
      floorMist: now.floorMist?.toString() ?? null,
      imageUrl: now.imageUrl,
    }),
    ...(name !== null && { name }),
    ...(mintedCount !== null && { mintedCount: String(mintedCount) }),
    ...(ownerCount !== null && { ownerCount: String(ownerCount) }),
  };
}

const countOf = (digits: string | null): number | null => (digits === null ? null : Number(digits));
