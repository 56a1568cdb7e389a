import type { ActivityEvent, CollectionLookup, FoundCollection, TrackedCollection } from '../market/contract.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';

export type { AuditTrail } from '../audit/contract.ts';
export type { Clock } from '../shared/clock.ts';

/** Collections, as far as the bot needs them. Reads throw Unavailable when the outside cannot be asked. */
export interface CollectionTracking {
  lookUp(text: string): Promise<CollectionLookup>;
  /** Creates the tracked collection if need be and reads it for the first time. Safe to repeat. */
  track(found: FoundCollection): Promise<TrackedCollection>;
  tracked(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>>;
  /** `watcher` is a configuration's id: the collection is read while anybody watches it. */
  watch(trackedCollectionId: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  unwatch(trackedCollectionId: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  /** While paused, nothing is read for the bot; what happened meanwhile is told as a digest. */
  setPaused(isPaused: boolean, transaction: OpenTransaction): Promise<void>;
}

/** What has happened in a collection, from the database alone. */
export interface CollectionHistory {
  latestSale(trackedCollectionId: bigint): Promise<ActivityEvent | null>;
  /** `until`: what happened before it; left out: up to now. */
  summary(trackedCollectionId: bigint, since: Date, until?: Date): Promise<ActivitySummary>;
  mintCount(trackedCollectionId: bigint, since: Date, opened: OpenTransaction): Promise<number>;
  /** In no particular order; unknown ids are left out. */
  events(ids: readonly bigint[]): Promise<readonly ActivityEvent[]>;
}

/** Counts and sums of one span. Sums leave out what was paid in another coin. */
export interface ActivitySummary {
  readonly mintCount: number;
  readonly saleCount: number;
  readonly listingCount: number;
  readonly bidCount: number;
  readonly saleVolumeMist: bigint;
  readonly topSale: ActivityEvent | null;
  /** null: its past is still to be read. Later than the time that was asked for when the collection was first seen after it. */
  readonly completeSince: Date | null;
  /** Until when everything is read that the marketplace knew of then, by our clock; null: it never was. */
  readonly completeUntil: Date | null;
}

/** US dollars of one SUI, as a decimal text; null while unknown. Never waits for the outside. */
export interface SuiPrice {
  usdPerSui(): string | null;
  /** Resolves when the reading under way has ended, well or not; at once when there is none. */
  readonly settled?: () => Promise<void>;
}
