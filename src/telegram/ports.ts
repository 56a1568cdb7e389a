import type { ActivityEvent, CollectionLookup, FoundCollection, TrackedCollection } from '../market/contract.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';

export type { AuditTrail } from '../audit/contract.ts';
export type { Clock } from '../shared/clock.ts';

/** Collections, as far as the bot needs them. Reads throw Unavailable if an outside service does not answer. */
export interface CollectionTracking {
  lookUp(text: string): Promise<CollectionLookup>;
  /** Creates the tracked collection if needed and reads it for the first time. Safe to repeat. */
  track(found: FoundCollection): Promise<TrackedCollection>;
  tracked(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>>;
  /** `watcher` is a configuration's id: the collection is read while it has a watcher. */
  watch(trackedCollectionId: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  unwatch(trackedCollectionId: bigint, watcher: string, transaction: OpenTransaction): Promise<void>;
  /** While paused, nothing is read for the bot; events in between are reported as a digest. */
  setPaused(isPaused: boolean, transaction: OpenTransaction): Promise<void>;
}

/** The history of a collection, from the database alone. */
export interface CollectionHistory {
  latestSale(trackedCollectionId: bigint): Promise<ActivityEvent | null>;
  /** `until`: exclusive; defaults to now. */
  summary(trackedCollectionId: bigint, since: Date, until?: Date): Promise<ActivitySummary>;
  mintCount(trackedCollectionId: bigint, since: Date, opened: OpenTransaction): Promise<number>;
  /** In no particular order; unknown ids are left out. */
  events(ids: readonly bigint[]): Promise<readonly ActivityEvent[]>;
}

/** Counts and sums of one span. Sums skip payments in another coin. */
export interface ActivitySummary {
  readonly mintCount: number;
  readonly saleCount: number;
  readonly listingCount: number;
  readonly bidCount: number;
  readonly saleVolumeMist: bigint;
  readonly topSale: ActivityEvent | null;
  /** null: its past is not read yet. Later than the requested start if the collection was first seen after it. */
  readonly completeSince: Date | null;
  /** Everything that the marketplace had is read up to this time, by our clock; null: never. */
  readonly completeUntil: Date | null;
}

/** US dollars of one SUI, as a decimal text; null: unknown. Never waits for a request. */
export interface SuiPrice {
  usdPerSui(): string | null;
  /** Resolves when the current request has ended, well or not; at once when there is none. */
  readonly settled?: () => Promise<void>;
}
