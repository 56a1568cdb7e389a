import { z } from 'zod';

import type { JobDefinition, JobName } from '../../jobs/define-job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { OutageLog } from '../../db/outage.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { ActivityListener } from '../contract.ts';
import type { PollStore } from './poll-store.ts';
import { type ReadActivityDeps, readNews, readPast } from './read-activity.ts';
import { toProgress, type TrackedRow, type TrackedStore } from './tracked-store.ts';

/** The next poll of a collection follows after a random time between these. */
export interface PollTimes {
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
}

export interface PollJobDeps {
  readonly times: PollTimes;
  readonly tracked: TrackedStore;
  readonly store: PollStore;
  readonly reading: ReadActivityDeps;
  readonly listeners: ReadonlyMap<string, ActivityListener>;
  readonly jobs: Pick<Jobs, 'send'>;
  readonly log: OutageLog;
}

/** At a second for each answer, 1,000 collections in 45 s still take less. */
const atOnceMax = 24;
const startUnreadEveryMs = 60_000;

/** One poll of a collection (rulings R4). It repeats while the collection is watched. */
export const marketPoll = {
  name: 'market-poll',
  payload: z.object({ collectionId: z.string() }),
  key: ({ collectionId }) => collectionId,
} satisfies JobName<{ collectionId: string }>;

/** Starts the polls of watched collections that have none: at first, after a backup was restored, and after a pause. */
export const marketPollStart = {
  name: 'market-poll-start',
  payload: z.object({}),
  repeats: { payload: {}, everyMs: startUnreadEveryMs },
} satisfies JobName<object>;

export const pollJob = (deps: PollJobDeps): JobDefinition<{ collectionId: string }> => ({
  ...marketPoll,
  atOnce: atOnceMax,
  longestRetryMs: deps.times.pollMaxMs,
  failing: 'The activity of collections could not be kept',
  run: async ({ collectionId }, stop) => {
    const row = await deps.tracked.watched(collectionId);
    if (row === undefined) return undefined;
    const isBehind = row.isWanted && (await poll(deps, row, stop));
    return { againAt: isBehind ? new Date() : nextTurn(deps.times, Math.random()) };
  },
});

export const pollStartJob = ({ tracked, times, jobs }: PollJobDeps): JobDefinition<object> => ({
  ...marketPollStart,
  failing: 'Collections that are not polled could not be looked for',
  run: async () => {
    for (const collectionId of await tracked.unread(times.pollMaxMs)) await jobs.send(marketPoll, { collectionId });
  },
});

/** Chance spreads the polls: collections that were added together are not asked for together for ever. */
export const nextTurn = ({ pollMinMs, pollMaxMs }: PollTimes, chance: number): Date =>
  new Date(Date.now() + pollMinMs + chance * (pollMaxMs - pollMinMs));

/** One collection, once; whether there is more to be read at once. What goes wrong is kept with the collection. */
async function poll(deps: PollJobDeps, row: TrackedRow, stop: AbortSignal): Promise<boolean> {
  const { store, listeners } = deps;
  const progress = toProgress(row);
  try {
    const ready = Promise.all([...listeners.values()].flatMap((listener) => listener.prepare?.() ?? []));
    const reading = progress.isSeeded
      ? await readNews(deps.reading, row.marketId, progress, stop)
      : await readPast(deps.reading, row.marketId, stop);
    await ready;
    const given = await store.record(row, reading, listeners);
    for (const name of given ?? []) listeners.get(name)?.batchStored();
    return reading.progress.isBehind;
  } catch (error) {
    if (stop.aborted) throw error;
    await recordFailure(deps, row, error);
    return false;
  }
}

async function recordFailure({ store, log }: PollJobDeps, row: TrackedRow, error: unknown): Promise<void> {
  const reason = error instanceof Unavailable ? error.reason : 'internal-error';
  const { slug: collection, failureReason } = row;
  if (reason === 'internal-error') log.warn({ err: error, collection }, 'A poll failed; it will be repeated');
  else if (failureReason !== reason) log.warn({ reason, collection }, 'The activity of a collection cannot be read');
  await store.recordFailure(row, reason);
}
