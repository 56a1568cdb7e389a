import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { OutageLog } from '../../db/outage.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { ActivityListener, CollectionHistory, CollectionTracking } from '../contract.ts';
import { createActivityHistory } from '../events/event-store.ts';
import { type ChainSource, lookUpCollection } from '../lookup/look-up-collection.ts';
import { marketPoll, marketPollStart, nextTurn, pollJob, pollStartJob, type PollTimes } from './poll-job.ts';
import { createPollStore } from './poll-store.ts';
import { readPast } from './read-activity.ts';
import { beginAnewIfUnread, createTrackedStore, watchesOf } from './tracked-store.ts';

/** What happens in collections, read once for all listeners (rulings R4). */
export interface Activity extends CollectionTracking, CollectionHistory {
  /** Before the start. */
  addListener(listener: ActivityListener): void;
}

export interface ActivityDeps {
  readonly settings: { readonly collectionType: string; readonly tracker?: PollTimes };
  readonly market: MarketCall;
  readonly sui: ChainSource;
  readonly database: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: { now(): Date };
  readonly log: OutageLog;
}

/** Rulings R1: the specification's 30-45 s. */
const defaultTimes: PollTimes = { pollMinMs: 30_000, pollMaxMs: 45_000 };

/** Adds its jobs. */
export function createActivity({ settings, market, sui, database, jobs, clock, log }: ActivityDeps): Activity {
  const { collectionType: ownType, tracker: times = defaultTimes } = settings;
  const listeners = new Map<string, ActivityListener>();
  const tracked = createTrackedStore(database);
  const store = createPollStore(database);
  const polls = { times, tracked, store, listeners, jobs, reading: { market, clock, log }, log };
  jobs.add(pollJob(polls));
  jobs.add(pollStartJob(polls));
  return {
    ...createWatching(jobs, times),
    ...createActivityHistory(database),
    track: async (found) => {
      const { id, isSeeded } = await tracked.add(found);
      if (!isSeeded) await store.recordPast(id, await readPast(polls.reading, found.marketId));
      const collection = (await tracked.tracked([id])).get(id);
      if (collection === undefined) throw new Error(`The tracked collection ${id} is gone`);
      return collection;
    },
    tracked: tracked.tracked,
    lookUp: (text) => lookUpCollection({ ownType, market, sui }, text),
    addListener: (listener) => void listeners.set(listener.name, listener),
  };
}

const createWatching = (
  { send }: Pick<Jobs, 'send'>,
  times: PollTimes,
): Pick<CollectionTracking, 'watch' | 'unwatch' | 'setPaused'> => ({
  watch: async (listener, collectionId, watcher, trx) => {
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
  setPaused: async (listener, isPaused, trx) => {
    await trx
      .insertInto('activityListeners')
      .values({ name: listener, isPaused })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ isPaused }))
      .execute();
    if (!isPaused) await send(marketPollStart, {}, { within: trx });
  },
});

/** What is still to be given to the listener goes with its last watch. */
export const unwatch: CollectionTracking['unwatch'] = async (listener, collectionId, watcher, trx) => {
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
    .where((row) => row.not(row.exists(watchesOf(trx, id).where('listener', '=', listener))))
    .execute();
};
