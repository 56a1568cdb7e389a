import { type Kysely, sql } from 'kysely';

import type { TrackedStore } from '../activity-ports.ts';
import { type PollTimes, storeReading } from './poll-store.ts';
import type { ActivityTables } from './tables.ts';
import { toTracked } from './tracked-row.ts';

/** The port on PostgreSQL. */
export function createTrackedStore(db: Kysely<ActivityTables>, times: PollTimes): TrackedStore {
  return {
    add: async (found) => {
      const { id } = await db
        .insertInto('tracked_collections')
        .values({
          market_id: found.marketId,
          slug: found.slug,
          name: found.name,
          image_url: found.imageUrl,
          is_verified: found.isVerified,
          floor_mist: found.floorMist?.toString() ?? null,
          minted_count: found.mintedCount?.toString() ?? null,
        })
        .onConflict((conflict) => conflict.column('market_id').doUpdateSet({ slug: found.slug }))
        .returning('id')
        .executeTakeFirstOrThrow();
      await beginAnewIfUnread(db, BigInt(id));
      const { seeded_at: seededAt } = await db
        .selectFrom('tracked_collections')
        .where('id', '=', id)
        .select('seeded_at')
        .executeTakeFirstOrThrow();
      return { id: BigInt(id), isSeeded: seededAt !== null };
    },
    recordPast: (id, reading) =>
      db.transaction().execute(async (transaction) => {
        // Who comes second must not make the events known that the first one's polls are about to tell.
        const { rows } = await sql`
          select 1 from tracked_collections where id = ${id.toString()} and seeded_at is null
          for no key update`.execute(transaction);
        if (rows.length > 0) await storeReading(transaction, id, reading, { isPast: true, times });
      }),
    tracked: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('tracked_collections')
        .where('id', '=', sql<string>`any(${ids.map(String)}::bigint[])`)
        .selectAll()
        .execute();
      return new Map(rows.map((row) => [BigInt(row.id), toTracked(row)]));
    },
  };
}

/**
 * Rulings R4: the first sight of a collection is now. One that nobody watched for a while is seen for the first time again:
 * whoever begins to watch it is not told what happened meanwhile.
 */
export async function beginAnewIfUnread(db: Kysely<ActivityTables>, id: bigint): Promise<void> {
  await sql`
    update tracked_collections set seeded_at = null, poll_due_at = clock_timestamp()
    where id = ${id.toString()} and seeded_at is not null
      and greatest(last_succeeded_at, seeded_at) < clock_timestamp() - interval '10 minutes'
      and not exists (select 1 from collection_watches where tracked_collection_id = tracked_collections.id)`.execute(
    db,
  );
}
