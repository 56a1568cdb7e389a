import { z } from 'zod';

import type { Trx } from '../db/transaction.ts';

/** The product's own collection now. What is not known is null and left out of the page, never invented (rulings R3). */
export const collectionFactsAnswer = z.object({
  data: z.object({
    collectionType: z.string(),
    name: z.string().nullable(),
    mintedCount: z.int().nullable(),
    maxSupply: z.int(),
    floorSui: z.number().nullable(),
    listedCount: z.int().nullable(),
    holderCount: z.int().nullable(),
    asOf: z.iso.datetime().nullable(),
    source: z.string(),
    state: z.enum(['live', 'stale', 'unavailable']),
  }),
});
/** GET /api/collection. */
export type CollectionFactsAnswer = z.infer<typeof collectionFactsAnswer>;

/** What a group can be notified of. Sales include accepted bids (rulings R4). */
export type ActivityKind = 'mint' | 'sale' | 'listing' | 'bid';

/** A piece that changes hands unsold, or is burned. Not reported to groups, but who holds what has changed (rulings R5). */
export interface ActivityTransfer {
  readonly id: bigint;
  readonly sender: string | null;
  /** null: unknown, or no one has it now. */
  readonly receiver: string | null;
}

/** The piece an event is about. All texts are untrusted. */
export interface ActivityNft {
  readonly objectId: string;
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly rank: number | null;
}

/** One thing that happened, stored once whatever number of markets reported it: (transaction, piece or collection, kind). */
export interface ActivityEvent {
  /** Grows in the order in which events became known. */
  readonly id: bigint;
  readonly trackedCollectionId: bigint;
  readonly kind: ActivityKind;
  /** The marketplace's own word: `buy`, `accept-bid`, `relist`, `collection-bid`, … */
  readonly type: string;
  readonly transactionDigest: string | null;
  /** null: about the collection as a whole, for instance a collection bid. */
  readonly nft: ActivityNft | null;
  /** Fees included. null: unknown, or paid in another coin. */
  readonly priceMist: bigint | null;
  /** A price in another coin, as it is written at the marketplace. */
  readonly foreignPrice: { readonly coinType: string; readonly rawAmount: string } | null;
  /** Canonical addresses. A minter is the buyer of a mint, a bidder the buyer of a bid, a lister the seller of a listing. */
  readonly buyer: string | null;
  readonly seller: string | null;
  readonly marketName: string | null;
  /** By the marketplace's clock. */
  readonly happenedAt: Date;
}

export interface TrackedCollection {
  readonly id: bigint;
  readonly marketId: string;
  /** The on-chain type or package address by which the marketplace knows it. */
  readonly slug: string;
  /** Untrusted text. */
  readonly name: string;
  readonly imageUrl: string | null;
  readonly isVerified: boolean;
  readonly floorMist: bigint | null;
  /** What exists now, by the marketplace's count. */
  readonly mintedCount: number | null;
  readonly ownerCount: number | null;
  readonly listedCount: number | null;
  readonly lastCheckedAt: Date | null;
  readonly lastSucceededAt: Date | null;
  /** Since when reading fails; null while it works. `reason` is a stable kebab code. */
  readonly failingSince: { readonly at: Date; readonly reason: string } | null;
}

/** Whether the cause lies outside, for which nothing at all is read: not in this one collection, and not in a fault of ours. */
export const isMarketOutage = (reason: string): boolean =>
  reason !== 'collection-unknown' && reason !== 'internal-error';

/** What one poll found, handed to every listener inside the transaction that stores it. */
export interface ActivityBatch {
  /** As it is after this poll. */
  readonly collection: TrackedCollection;
  readonly floorBeforeMist: bigint | null;
  /** Newly stored ones only, oldest first by `happenedAt`. Empty only where there are transfers. */
  readonly events: readonly ActivityEvent[];
  /** Newly stored ones only. */
  readonly transfers: readonly ActivityTransfer[];
  /** Listings of the same collection stored earlier, of the hour before the oldest of `events`; newest first, at most 500. */
  readonly earlierListings: readonly ActivityEvent[];
  /** Since the last successful poll before this one: a long one means downtime. */
  readonly gapMs: number;
  /** There is more than one transaction hands over: the newest events come with a later batch. */
  readonly hasMore: boolean;
}

/** Wants to know what happens in collections: the group-chat bot, later the role engine. */
export interface ActivityListener {
  /** Stable: the rows of what it watches carry it. */
  readonly name: string;
  /** Prepares what a batch needs from outside, while the poll reads and before its transaction. Bounded; never throws. */
  readonly prepare?: () => Promise<void>;
  /** Writes what follows from the batch, in the transaction that stores it. A throw undoes the whole poll, which is repeated. */
  recordBatch(batch: ActivityBatch, trx: Trx): Promise<void>;
  /**
   * `mintCount` (at least 1) more were minted in events that are not reported to it: after a gap (paused listeners
   * too), or read for others only. Writes in the transaction of that reading; a throw undoes it.
   */
  readonly recordUnreportedMints?: (trackedCollectionId: bigint, mintCount: number, trx: Trx) => Promise<void>;
  /** After the commit, or when the floor or the listed count has changed: a hint to look for work at once. */
  batchStored(): void;
}

/** What a text that names a collection stands for. Outages are thrown as Unavailable, never answered here. */
export type CollectionLookup =
  | { readonly kind: 'found'; readonly collection: FoundCollection }
  /** Known to the marketplace, but not verified. `verified`: those of the same name that are. */
  | { readonly kind: 'unverified'; readonly collection: FoundCollection; readonly verified: readonly FoundCollection[] }
  /** `existsOnChain`: only the marketplace does not know it; `isName`: a word or an id of the marketplace, no address. */
  | { readonly kind: 'unknown'; readonly existsOnChain: boolean; readonly isName: boolean }
  /** Not the shape of a Sui address, type or marketplace link. `other-link`: of anything else, or of another of its pages. */
  | {
      readonly kind: 'malformed';
      readonly problem: 'foreign-chain' | 'other-link' | 'wallet' | 'coin' | 'unreadable';
    };

export interface FoundCollection {
  readonly marketId: string;
  /** The on-chain type or package address by which the marketplace knows it, canonical. */
  readonly slug: string;
  readonly name: string;
  readonly imageUrl: string | null;
  readonly isVerified: boolean;
  readonly mintedCount: number | null;
  readonly floorMist: bigint | null;
  /** Known only for the product's own collection. */
  readonly maxSupply: number | null;
}

/** Counts and sums of one span. Sums leave out what was paid in another coin or at an unknown price. */
export interface ActivitySummary {
  readonly mintCount: number;
  readonly saleCount: number;
  readonly listingCount: number;
  readonly bidCount: number;
  readonly saleVolumeMist: bigint;
  /** Sales whose price is in that sum. */
  readonly pricedSaleCount: number;
  readonly topSale: ActivityEvent | null;
  /**
   * Where the span begins: later than the requested time if earlier events are not known, or are kept no longer.
   * null: its past is not read yet.
   */
  readonly completeSince: Date | null;
  /** When everything the marketplace knew was last read, by our clock; null: never. */
  readonly completeUntil: Date | null;
}

/** Collections whose activity is read for listeners (rulings R4). */
export interface CollectionTracking {
  /** What a package address, a type, the id of an NFT, or a marketplace link or its last word stands for. Throws Unavailable. */
  lookUp(text: string): Promise<CollectionLookup>;
  /** Creates the tracked collection if need be and stores its past, unreported. Safe to repeat. Throws Unavailable. */
  track(found: FoundCollection): Promise<TrackedCollection>;
  /** Unknown ids are left out. */
  tracked(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>>;
  /** Read while it has a watcher, say, a group. Safe to repeat. After ten minutes without any, nothing of them is reported. */
  watch(listener: string, id: bigint, watcher: string, trx: Trx): Promise<void>;
  unwatch(listener: string, id: bigint, watcher: string, trx: Trx): Promise<void>;
  /** A paused listener gets nothing; what it misses comes with the first batch after the pause. Not paused at first. */
  setPaused(listener: string, isPaused: boolean, trx: Trx): Promise<void>;
}

/** What has happened in a collection, from the database alone. */
export interface CollectionHistory {
  /** The latest, by the marketplace's clock, or those of the highest known prices in SUI. `until`: exclusive. */
  sales(id: bigint, wanted: SalesWanted): Promise<readonly ActivityEvent[]>;
  /** What happened at or after `since` and before `until`, or until now. An unknown collection has an empty summary. */
  summary(id: bigint, since: Date, until?: Date): Promise<ActivitySummary>;
  /**
   * Mints that became known since then, by the database's clock, whenever they happened. In the caller's transaction, so that it
   * does not wait for another connection.
   */
  mintCount(id: bigint, knownSince: Date, trx: Trx): Promise<number>;
  /** In no order; unknown ids are left out. */
  events(ids: readonly bigint[]): Promise<readonly ActivityEvent[]>;
}

export interface SalesWanted {
  readonly by: 'time' | 'price';
  readonly limit: number;
  readonly since?: Date;
  readonly until?: Date;
}

/** Where one piece lies, as far as its holder cares. `marketplace`: handed to a marketplace's listing object, still the seller's. */
export interface HeldPiece {
  readonly objectId: string;
  readonly place: 'wallet' | 'kiosk' | 'marketplace';
  readonly kioskId: string | null;
  readonly isListed: boolean;
}

/**
 * Whether a wallet holds pieces of a collection (rulings R5). What could not be read is `unknown`, never 'does not hold':
 * it changes nothing. `reason` is a stable kebab code.
 */
export type HoldingAnswer =
  | { readonly kind: 'holds'; readonly pieces: readonly HeldPiece[]; readonly asOf: Date }
  /** `kioskCount`: how many kiosks were read, besides the wallet itself and the marketplace's listings; null: not known. */
  | { readonly kind: 'does-not-hold'; readonly kioskCount: number | null; readonly asOf: Date }
  | { readonly kind: 'unknown'; readonly reason: string; readonly asOf: Date };

/** What was entered as the NFT type of a server. Outages are thrown as Unavailable. */
export type NftTypeAnswer =
  | {
      readonly kind: 'nft';
      readonly nftType: string;
      readonly name: string | null;
      readonly imageUrl: string | null;
      readonly marketId: string | null;
    }
  | { readonly kind: 'not-an-nft'; readonly problem: 'coin' | 'no-object' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed' };
