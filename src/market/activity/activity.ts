import type { Kysely } from 'kysely';

import type { OutageLog } from '../../platform/outage-note.ts';
import { type ActivityHistory, createActivityHistory } from '../adapters/activity-history.ts';
import { type ActivityWatching, activityWatching } from '../adapters/activity-watch.ts';
import { createPollStore, type PollTimes } from '../adapters/poll-store.ts';
import type { ActivityTables } from '../adapters/tables.ts';
import { createTrackedStore } from '../adapters/tracked-store.ts';
import type { ActivityListener, CollectionLookup, FoundCollection, TrackedCollection } from '../contract.ts';
import type { ActivitySource, ChainLookup, CollectionFinder } from '../activity-ports.ts';
import type { Clock } from '../ports.ts';
import { type ActivityPoller, createActivityPoller } from './activity-poller.ts';
import { lookUpCollection } from './look-up-collection.ts';
import { createActivityReader } from './read-activity.ts';

/** Which collections there are, and which are read. */
interface CollectionTracking {
  /**
   * Creates the tracked collection if need be and makes its past known at once, telling nobody. Safe to repeat. Throws
   * Unavailable when the marketplace cannot be read now.
   */
  track(found: FoundCollection): Promise<TrackedCollection>;
  /** Unknown ids are left out. Throws what the database throws. */
  tracked(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>>;
  /**
   * What somebody means by a package address, a full type, the id of an NFT, or a marketplace link or its last word.
   * Throws Unavailable when marketplace or chain cannot be asked.
   */
  lookUp(text: string): Promise<CollectionLookup>;
  /** Before the start. A copy of the product reads only what its own listeners watch. */
  addListener(listener: ActivityListener): void;
}

/** What happens in collections, read once for everybody who wants to know (rulings R4). */
export type Activity = CollectionTracking & ActivityWatching & ActivityHistory;

export interface ActivityDeps {
  readonly settings: {
    readonly collectionType: string;
    readonly tracker?: Pick<PollTimes, 'pollMinMs' | 'pollMaxMs'>;
    /** How long a copy is believed to be at work on a collection; 60 s when left out. */
    readonly claimMs?: number;
  };
  readonly market: ActivitySource & CollectionFinder;
  readonly chain: ChainLookup;
  readonly db: Kysely<ActivityTables>;
  readonly clock: Clock;
  readonly log: OutageLog;
}

/** Rulings R1: the specification's 30-45 s. */
const defaultTracker = { pollMinMs: 30_000, pollMaxMs: 45_000 };
/** A call has 30 s in all (call policy), storing 15 s (database). */
const defaultClaimMs = 60_000;

export function createActivity(deps: ActivityDeps): { readonly activity: Activity; readonly poller: ActivityPoller } {
  const { settings, market, chain, db, clock, log } = deps;
  const { collectionType: ownType, tracker = defaultTracker, claimMs = defaultClaimMs } = settings;
  const times = { ...tracker, claimMs };
  const listeners = new Map<string, ActivityListener>();
  const tracked = createTrackedStore(db, times);
  const reader = createActivityReader({ source: market, clock, log });

  const track = async (found: FoundCollection): Promise<TrackedCollection> => {
    const { id, isSeeded } = await tracked.add(found);
    if (!isSeeded) await tracked.recordPast(id, await reader.readPast(found.marketId));
    const collection = (await tracked.tracked([id])).get(id);
    if (collection === undefined) throw new Error(`The tracked collection ${id} is gone`);
    return collection;
  };

  const poller = createActivityPoller({
    // Often enough that a poll is hardly later than its time, and seldom enough to cost nothing.
    lookEveryMs: Math.min(1_000, Math.max(50, tracker.pollMinMs / 4)),
    store: createPollStore(db, times),
    reader,
    listeners,
    clock,
    log,
  });
  const activity: Activity = {
    ...activityWatching,
    ...createActivityHistory(db),
    track,
    tracked: (ids) => tracked.tracked(ids),
    lookUp: (text) => lookUpCollection({ ownType, finder: market, chain }, text),
    addListener: (listener) => void listeners.set(listener.name, listener),
  };
  return { activity, poller };
}
