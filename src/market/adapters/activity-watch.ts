import { sql } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { ActivityTables } from './tables.ts';
import { beginAnewIfUnread } from './tracked-store.ts';

/**
 * Who wants to know what. All in the caller's transaction, so that a configuration and its watch are one; none of them
 * waits for a poll of the collection. Throws what the database throws.
 */
export interface ActivityWatching {
  /**
   * The collection is read for `listener` while at least one of its watchers (say, groups) watches it; their number costs
   * nothing. Safe to repeat. A collection that nobody has watched for ten minutes begins anew: what happened meanwhile is
   * not told.
   */
  watch(listener: string, trackedCollectionId: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  /** Safe to repeat. */
  unwatch(listener: string, trackedCollectionId: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  /** A paused listener is told nothing; what it misses comes with the first batch after the pause. Not paused at first. */
  setPaused(listener: string, isPaused: boolean, transaction: OpenTransaction): Promise<void>;
}

export const activityWatching: ActivityWatching = {
  watch: async (listener, trackedCollectionId, watcher, transaction) => {
    const db = transactionOf<ActivityTables>(transaction);
    await beginAnewIfUnread(db, trackedCollectionId);
    await db
      .insertInto('collection_watches')
      .values({ tracked_collection_id: trackedCollectionId.toString(), listener, watcher })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  unwatch: async (listener, trackedCollectionId, watcher, transaction) => {
    const db = transactionOf<ActivityTables>(transaction);
    const id = trackedCollectionId.toString();
    await db
      .deleteFrom('collection_watches')
      .where('tracked_collection_id', '=', id)
      .where('listener', '=', listener)
      .where('watcher', '=', watcher)
      .execute();
    await sql`
      delete from activity_backlogs where tracked_collection_id = ${id} and listener = ${listener}
        and not exists (
          select 1 from collection_watches where tracked_collection_id = ${id} and listener = ${listener}
        )`.execute(db);
  },
  setPaused: async (listener, isPaused, transaction) => {
    await transactionOf<ActivityTables>(transaction)
      .insertInto('activity_listeners')
      .values({ name: listener, is_paused: isPaused })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ is_paused: isPaused }))
      .execute();
  },
};
