import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { JobDefinition, JobName, Jobs } from '../../jobs/jobs.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { Activity, ActivityListener } from '../contract.ts';
import { type ChainSource, lookUpCollection } from '../look-up-collection.ts';
import { createActivityHistory } from './event-store.ts';
import { createPollStore, type PollStore } from './poll-store.ts';
import { type ReadActivityDeps, readNews, readPast } from './read-activity.ts';
import { resetIfUnpolled, createTrackedStore, type TrackedRow, type TrackedStore, watchesOf } from './tracked-store.ts';
import type { Log } from '../../process/logger.ts';

/** The next poll of a collection follows after a random time between these. */
type PollTimes = Pick<Config, 'TRACKER_POLL_MIN_MS' | 'TRACKER_POLL_MAX_MS'>;

export interface ActivityDeps {
  readonly config: PollTimes & Pick<Config, 'COLLECTION_TYPE'>;
  readonly marketplace: MarketCall;
  readonly sui: ChainSource;
  readonly database: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: { now(): Date };
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** One poll of a collection (rulings R4). It repeats while the collection is watched. */
export const marketPoll = {
  name: 'market-poll',
  payload: z.object({ collectionId: z.string() }),
  key: ({ collectionId }) => collectionId,
} satisfies JobName<{ collectionId: string }>;

/** Starts the polls of watched collections that have none: at first, after a backup was restored, and after a pause. */
export const marketPollStart = { name: 'market-poll-start', everyMs: 60_000 };

/** Adds its jobs. */
export function createActivity({
  config,
  marketplace: market,
  sui,
  database,
  jobs,
  clock,
  log,
}: ActivityDeps): Activity {
  const listeners = new Map<string, ActivityListener>();
  const tracked = createTrackedStore(database);
  const store = createPollStore(database);
  const polls = { config, tracked, store, listeners, source: { market, clock, log }, log };
  jobs.add(pollJob(polls));
  jobs.add({
    ...marketPollStart,
    failing: 'The search for unpolled collections failed',
    run: async () => {
      for (const collectionId of await tracked.unpolled(config.TRACKER_POLL_MAX_MS))
        await jobs.send(marketPoll, { collectionId });
    },
  });
  return {
    ...createWatching(jobs, config),
    ...createActivityHistory(database, clock),
    track: async (found) => {
      const row = await tracked.add(found);
      const id = BigInt(row.id);
      if (row.seededAt === null) await store.record(row, await readPast(polls.source, found.marketId), listeners);
      const collection = (await tracked.tracked([id])).get(id);
      if (collection === undefined) throw new Error(`The tracked collection ${id} is gone`);
      return collection;
    },
    tracked: tracked.tracked,
    lookUp: (text) => lookUpCollection({ ownType: config.COLLECTION_TYPE, market, sui }, text),
    addListener: (listener) => void listeners.set(listener.name, listener),
  };
}

const createWatching = (
  { send }: Pick<Jobs, 'send'>,
  times: PollTimes,
): Pick<Activity, 'watch' | 'unwatch' | 'setPaused'> => ({
  watch: async (listener, collectionId, watcher, trx) => {
    const trackedCollectionId = collectionId.toString();
    await resetIfUnpolled(trx, trackedCollectionId);
    const added = await trx
      .insertInto('collectionWatches')
      .values({ trackedCollectionId, listener, watcher })
      .onConflict((conflict) => conflict.doNothing())
      .returning('listener')
      .executeTakeFirst();
    if (added === undefined) return;
    const inMs = nextPollInMs(times, Math.random());
    await send(marketPoll, { collectionId: trackedCollectionId }, { transaction: trx, inMs });
  },
  unwatch,
  setPaused: async (listener, isPaused, trx) => {
    await trx
      .insertInto('activityListeners')
      .values({ name: listener, isPaused })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ isPaused }))
      .execute();
    if (!isPaused) await send(marketPollStart, {}, { transaction: trx });
  },
});

/** The listener's last watch of a collection takes its backlog with it. */
export const unwatch: Activity['unwatch'] = async (listener, collectionId, watcher, trx) => {
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

interface Polls {
  readonly config: PollTimes;
  readonly tracked: TrackedStore;
  readonly store: PollStore;
  readonly source: ReadActivityDeps;
  readonly listeners: ReadonlyMap<string, ActivityListener>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

const pollJob = (polls: Polls): JobDefinition<{ collectionId: string }> => ({
  ...marketPoll,
  // Enough for 1,000 collections every 45 s if each answer takes a second.
  atOnce: 24,
  longestRetryMs: polls.config.TRACKER_POLL_MAX_MS,
  failing: 'Collection activity could not be stored',
  run: async ({ collectionId }, stop) => {
    const row = await polls.tracked.watched(collectionId);
    if (row === undefined) return undefined;
    const isBehind = row.isWanted && (await poll(polls, row, stop));
    return { againInMs: isBehind ? 0 : nextPollInMs(polls.config, Math.random()) };
  },
});

/** A random time, so that collections added together are not polled together for ever. */
export const nextPollInMs = (
  { TRACKER_POLL_MIN_MS: minMs, TRACKER_POLL_MAX_MS: maxMs }: PollTimes,
  chance: number,
): number => minMs + chance * (maxMs - minMs);

/** Polls one collection once. True: there is more to read at once. A failure is stored with the collection. */
async function poll(polls: Polls, row: TrackedRow, stop: AbortSignal): Promise<boolean> {
  const { store, listeners, source } = polls;
  try {
    const ready = Promise.all([...listeners.values()].flatMap((listener) => listener.prepare?.() ?? []));
    const reading =
      row.seededAt === null
        ? await readPast(source, row.marketId, stop)
        : await readNews(source, row.marketId, row, stop);
    await ready;
    const given = await store.record(row, reading, listeners);
    for (const name of given ?? []) listeners.get(name)?.batchStored?.();
    return reading.progress.isBehind;
  } catch (error) {
    if (stop.aborted) throw error;
    await recordFailure(polls, row, error);
    return false;
  }
}

async function recordFailure({ store, log }: Polls, row: TrackedRow, error: unknown): Promise<void> {
  const reason = error instanceof Unavailable ? error.reason : 'internal-error';
  const { slug: collection, failureReason } = row;
  if (reason === 'internal-error') log.warn({ err: error, collection }, 'A poll failed; it will be repeated');
  else if (failureReason !== reason) log.warn({ reason, collection }, 'The activity of a collection cannot be read');
  await store.recordFailure(row, reason);
}
