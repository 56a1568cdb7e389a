import { typedTransaction } from '../../db/connect.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { CollectionTracking } from '../contract.ts';
import { marketPoll, marketPollStart, nextTurn, type PollTimes } from './poll-job.ts';
import { beginAnewIfUnread } from './tracked-store.ts';

type Watching = Pick<CollectionTracking, 'watch' | 'unwatch' | 'setPaused'>;

/**
 * Who watches what. All in the caller's transaction, so that a configuration and its watch are one; none of them waits for
 * a poll of the collection. Throws what the database throws.
 */
export const createWatching = ({ send }: Pick<Jobs, 'send'>, times: PollTimes): Watching => ({
  watch: async (listener, collectionId, watcher, opened) => {
    const trx = typedTransaction(opened);
    const trackedCollectionId = collectionId.toString();
    await beginAnewIfUnread(trx, trackedCollectionId);
    const added = await trx
      .insertInto('collectionWatches')
      .values({ trackedCollectionId, listener, watcher })
      .onConflict((conflict) => conflict.doNothing())
      .returning('listener')
      .executeTakeFirst();
    if (added === undefined) return;
    const at = nextTurn(times, Math.random());
    await send(marketPoll, { collectionId: trackedCollectionId }, { within: trx, at });
  },
  unwatch,
  setPaused: async (listener, isPaused, opened) => {
    const trx = typedTransaction(opened);
    await trx
      .insertInto('activityListeners')
      .values({ name: listener, isPaused })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ isPaused }))
      .execute();
    if (!isPaused) await send(marketPollStart, {}, { within: trx });
  },
});

export async function unwatch(
  listener: string,
  collectionId: bigint,
  watcher: string,
  opened: OpenTransaction,
): Promise<void> {
  const trx = typedTransaction(opened);
  const id = collectionId.toString();
  await trx
    .deleteFrom('collectionWatches')
    .where('trackedCollectionId', '=', id)
    .where('listener', '=', listener)
    .where('watcher', '=', watcher)
    .execute();
  await trx
    .deleteFrom('activityBacklogs')
    .where('trackedCollectionId', '=', id)
    .where('listener', '=', listener)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('collectionWatches')
            .where('trackedCollectionId', '=', id)
            .where('listener', '=', listener)
            .select('watcher'),
        ),
      ),
    )
    .execute();
}
