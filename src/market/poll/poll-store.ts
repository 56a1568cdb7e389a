import type { Kysely } from 'kysely';

import { databaseNow, msSince } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { ActivityListener } from '../contract.ts';
import { insertNewEvents } from '../events/event-store.ts';
import { handOver, handOverUnreportedMints } from './hand-over.ts';
import type { ActivityReading } from './read-activity.ts';
import { columnsOfNow, toTracked, type TrackedRow } from './tracked-store.ts';

export type PollStore = ReturnType<typeof createPollStore>;

/** What was read of collections. Throws what the database throws. */
export const createPollStore = (db: Kysely<Database>) => ({
  /** Stores what was read of the past, unless it is stored already: polls may be about to report the same events. */
  recordPast: (id: bigint, reading: ActivityReading) =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('trackedCollections')
        .select('id')
        .where('id', '=', id.toString())
        .where('seededAt', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (row !== undefined) await storeReading(trx, id, reading, { isPast: true });
    }),
  /**
   * Stores what a poll that began with the row `before` has read, and what the listeners make of it, all or nothing. The names of
   * the listeners that were given something; null: a quicker poll has stored its reading, or the collection has begun
   * anew, and nothing was written.
   */
  record: (before: TrackedRow, reading: ActivityReading, listeners: ReadonlyMap<string, ActivityListener>) =>
    db.transaction().execute(async (trx): Promise<readonly string[] | null> => {
      const locked = await lock(trx, before);
      if (locked === undefined) return null;
      const isPast = before.seededAt === null;
      const was = toTracked(locked);
      const { events, transfers, row } = await storeReading(trx, was.id, reading, { isPast });
      const collection = toTracked(row);
      if (isPast) {
        await handOverUnreportedMints(trx, was, collection, listeners);
        return [];
      }
      if (events.length + transfers.length === 0 && !locked.hasBacklog) return [];
      const gapMs = Math.max(0, locked.gapMs ?? 0);
      return handOver(trx, { collection, floorBeforeMist: was.floorMist, events, transfers, gapMs }, listeners);
    }),
  /** Of a poll that began with this row. `reason` is a stable code. */
  recordFailure: async ({ id, pollCount }: TrackedRow, reason: string) => {
    await db
      .updateTable('trackedCollections')
      .set((column) => ({
        lastCheckedAt: databaseNow,
        failingSince: column.fn.coalesce('failingSince', databaseNow),
        // What opened the breaker says more than that it is open.
        failureReason: reason === 'breaker-open' ? column.fn.coalesce('failureReason', column.val(reason)) : reason,
      }))
      .where('id', '=', id)
      .where('pollCount', '=', pollCount)
      .execute();
  },
});

/** `no key update`: beginning to watch a collection (a foreign key's lock) does not wait for a poll. */
const lock = (trx: Trx, { id, pollCount, seededAt }: TrackedRow) =>
  trx
    .selectFrom('trackedCollections')
    .selectAll()
    .select((row) => [
      row
        .exists(row.selectFrom('activityBacklogs').where('trackedCollectionId', '=', id).select('listener'))
        .as('hasBacklog'),
      msSince('caughtUpAt').as('gapMs'),
    ])
    .where('id', '=', id)
    .where('pollCount', '=', pollCount)
    .where('seededAt', seededAt === null ? 'is' : 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Events, facts and progress of one reading. */
async function storeReading(
  trx: Trx,
  id: bigint,
  { now, listedCount, drafts, progress }: ActivityReading,
  { isPast }: { readonly isPast: boolean },
) {
  const news = await insertNewEvents(trx, id, drafts);
  if (isPast) {
    // What was due before a new beginning is no longer reported.
    await trx.deleteFrom('activityBacklogs').where('trackedCollectionId', '=', id.toString()).execute();
  }
  const row = await trx
    .updateTable('trackedCollections')
    .where('id', '=', id.toString())
    .set((column) => ({
      ...columnsOfNow(now, listedCount),
      ...progress,
      ...(isPast && { seededAt: databaseNow }),
      ...(!progress.isBehind && { caughtUpAt: databaseNow }),
      pollCount: column('pollCount', '+', '1'),
      lastCheckedAt: databaseNow,
      lastSucceededAt: databaseNow,
      failingSince: null,
      failureReason: null,
    }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...news, row };
}
