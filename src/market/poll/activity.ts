import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { OutageLog } from '../../process/outage-note.ts';
import type { ActivitySource, ChainLookup, CollectionFinder } from '../ports.ts';
import type { ActivityListener, CollectionHistory, CollectionTracking } from '../contract.ts';
import { createActivityHistory } from '../events/activity-history.ts';
import { lookUpCollection } from '../lookup/look-up-collection.ts';
import type { Clock } from '../ports.ts';
import { pollJob, type PollJobDeps, pollStartJob, type PollTimes } from './poll-job.ts';
import { createPollStore } from './poll-store.ts';
import { createActivityReader } from './read-activity.ts';
import { createTrackedStore } from './tracked-store.ts';
import { createWatching } from './watching.ts';

/** What happens in collections, read once for all listeners (rulings R4). */
export interface Activity extends CollectionTracking, CollectionHistory {
  /** Before the start. */
  addListener(listener: ActivityListener): void;
}

export interface ActivityDeps {
  readonly settings: { readonly collectionType: string; readonly tracker?: PollTimes };
  readonly market: ActivitySource & CollectionFinder;
  readonly chain: ChainLookup;
  readonly database: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: Clock;
  readonly log: OutageLog;
}

/** Rulings R1: the specification's 30-45 s. */
const defaultTimes: PollTimes = { pollMinMs: 30_000, pollMaxMs: 45_000 };

/** Adds its jobs. */
export function createActivity({ settings, market, chain, database, jobs, clock, log }: ActivityDeps): Activity {
  const { collectionType: ownType, tracker: times = defaultTimes } = settings;
  const listeners = new Map<string, ActivityListener>();
  const tracked = createTrackedStore(database);
  const store = createPollStore(database);
  const reader = createActivityReader({ source: market, clock, log });
  const polls: PollJobDeps = { times, tracked, store, reader, listeners, jobs, log };
  jobs.add(pollJob(polls));
  jobs.add(pollStartJob(polls));
  return {
    ...createWatching(jobs, times),
    ...createActivityHistory(database),
    track: async (found) => {
      const { id, isSeeded } = await tracked.add(found);
      if (!isSeeded) await store.recordPast(id, await reader.readPast(found.marketId));
      const collection = (await tracked.tracked([id])).get(id);
      if (collection === undefined) throw new Error(`The tracked collection ${id} is gone`);
      return collection;
    },
    tracked: tracked.tracked,
    lookUp: (text) => lookUpCollection({ ownType, finder: market, chain }, text),
    addListener: (listener) => void listeners.set(listener.name, listener),
  };
}
