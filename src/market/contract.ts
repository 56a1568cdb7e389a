import { z } from 'zod';

import type { Trx } from '../db/transaction.ts';

/** The product's own collection now. Unknown facts are null and left out of the page, never invented (rulings R3). */
export const collectionFactsAnswer = z.object({
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
});
/** GET /api/collection. */
export type CollectionFactsAnswer = z.infer<typeof collectionFactsAnswer>;

/** What a group can be notified of. Sales include accepted bids (rulings R4). */
export type ActivityKind = 'mint' | 'sale' | 'listing' | 'bid';

/** An NFT that changes hands without a sale, or is burned. Not reported to groups, but it changes who holds what (rulings R5). */
export interface ActivityTransfer {
  readonly id: bigint;
  readonly sender: string | null;
  /** null: unknown, or the NFT has no owner now. */
  readonly receiver: string | null;
}

/** One event, stored once however many markets reported it: (transaction, NFT or collection, kind). All texts are untrusted. */
export interface ActivityEvent {
  /** Grows in the order in which events became known. */
  readonly id: bigint;
  readonly trackedCollectionId: bigint;
  readonly kind: ActivityKind;
  /** The marketplace's own type: `buy`, `accept-bid`, `relist`, `collection-bid`, … */
  readonly type: string;
  readonly transactionDigest: string | null;
  /** null: about the collection as a whole, for instance a collection bid. */
  readonly nftObjectId: string | null;
  readonly nftName: string | null;
  readonly nftImageUrl: string | null;
  readonly nftRank: number | null;
  /** Fees included. null: unknown, or paid in another coin. */
  readonly priceMist: bigint | null;
  /** Of a price in another coin, as the marketplace writes it. */
  readonly foreignCoinType: string | null;
  readonly foreignRawAmount: string | null;
  /** Canonical addresses. A minter is the buyer of a mint, a bidder the buyer of a bid, a lister the seller of a listing. */
  readonly buyer: string | null;
  readonly seller: string | null;
  readonly marketName: string | null;
  /** By the marketplace's clock. */
  readonly happenedAt: Date;
}

/** By the marketplace's clock; at the same moment, in the order in which they became known. */
export const byTime = (
  one: Pick<ActivityEvent, 'happenedAt' | 'id'>,
  other: Pick<ActivityEvent, 'happenedAt' | 'id'>,
): number => one.happenedAt.getTime() - other.happenedAt.getTime() || Number(one.id - other.id);

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
  /** How many exist now, by the marketplace's count. */
  readonly mintedCount: number | null;
  readonly ownerCount: number | null;
  readonly listedCount: number | null;
  readonly lastCheckedAt: Date | null;
  readonly lastSucceededAt: Date | null;
  /** Since when reading fails; null while it works. `reason` is a stable kebab code. */
  readonly failingSince: { readonly at: Date; readonly reason: string } | null;
}

/** Whether the cause is outside and stops all reading: neither this one collection nor a fault of ours. */
export const isMarketOutage = (reason: string): boolean =>
  reason !== 'collection-unknown' && reason !== 'internal-error';

/** What one poll found, given to every listener in the transaction that stores it. */
export interface ActivityBatch {
  /** As of this poll. */
  readonly collection: TrackedCollection;
  readonly floorBeforeMist: bigint | null;
  /** Newly stored events only, oldest first by `happenedAt`. Empty only if there are transfers. */
  readonly events: readonly ActivityEvent[];
  /** Newly stored transfers only. */
  readonly transfers: readonly ActivityTransfer[];
  /** Listings stored earlier, from the hour before the oldest of `events` on; newest first, at most 500. */
  readonly earlierListings: readonly ActivityEvent[];
  /** Mints among `events` that recordMints had with an earlier poll: the listener was paused. */
  readonly earlierMintCount: number;
  /** Time since the previous successful poll: a long one means downtime. */
  readonly gapMs: number;
  /** There was too much for one poll: the newest events come with a later batch. */
  readonly hasMore: boolean;
}

/** Receives the activity of collections: the group-chat bot, the role engine. */
export interface ActivityListener {
  /** Stable: its rows in the database carry it. */
  readonly name: string;
  /** Fetches what a batch needs from outside, while the poll reads and before its transaction. Takes a bounded time; never throws. */
  readonly prepare?: () => Promise<void>;
  /** Writes the consequences of a batch, in the transaction that stores it. A throw undoes the whole poll, which is repeated. */
  recordBatch(batch: ActivityBatch, trx: Trx): Promise<void>;
  /**
   * `mintCount` (at least 1) mints became known, reported to this listener or not: each once, after the batch of its poll. Paused
   * listeners get this too, so that a count agrees with the collection's. Writes in the transaction of that reading; a throw undoes it.
   */
  readonly recordMints?: (trackedCollectionId: bigint, mintCount: number, trx: Trx) => Promise<void>;
  /** Called after the commit of a batch, and when the floor or the listed count has changed: a hint to look for work at once. */
  readonly batchStored?: () => void;
}

/** The collection that a text names. Outages are thrown as Unavailable, never answered here. */
export type CollectionLookup =
  | { readonly kind: 'found'; readonly collection: FoundCollection }
  /** Known to the marketplace, but not verified. `verified`: verified collections of the same name. */
  | { readonly kind: 'unverified'; readonly collection: FoundCollection; readonly verified: readonly FoundCollection[] }
  /** `existsOnChain`: the chain has it, the marketplace does not know it. `isName`: a slug or id of the marketplace, not an address. */
  | { readonly kind: 'unknown'; readonly existsOnChain: boolean; readonly isName: boolean }
  /** Not a Sui address, type or marketplace link. `other-link`: a link elsewhere, or to another kind of marketplace page. */
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

/** Counts and sums of one span. Sums leave out prices in another coin and unknown prices. */
export interface ActivitySummary {
  readonly mintCount: number;
  readonly saleCount: number;
  readonly listingCount: number;
  readonly bidCount: number;
  readonly saleVolumeMist: bigint;
  /** Sales counted in `saleVolumeMist`. */
  readonly pricedSaleCount: number;
  readonly topSale: ActivityEvent | null;
  /**
   * Where the span begins: later than requested if earlier events are not known or no longer kept.
   * null: the past has not been read yet.
   */
  readonly completeSince: Date | null;
  /** When reading last caught up with the marketplace, by our clock; null: never. */
  readonly completeUntil: Date | null;
}

/** The activity of collections, read once for all listeners (rulings R4). Throws database errors. */
export interface Activity {
  /** The collection that a package address, a type, an NFT's id, a marketplace link or its slug names. Throws Unavailable. */
  lookUp(text: string): Promise<CollectionLookup>;
  /** Creates the tracked collection if needed and stores its past, unreported. Safe to repeat. Throws Unavailable. */
  track(found: FoundCollection): Promise<TrackedCollection>;
  /** Unknown ids are left out. */
  tracked(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>>;
  /** A collection is polled while it has a watcher, say a group. A gap of ten minutes or more without one is not reported. Safe to repeat. */
  watch(listener: string, id: bigint, watcher: string, trx: Trx): Promise<void>;
  unwatch(listener: string, id: bigint, watcher: string, trx: Trx): Promise<void>;
  /** A paused listener gets nothing; the first batch after the pause brings what it missed. Listeners start unpaused. */
  setPaused(listener: string, isPaused: boolean, trx: Trx): Promise<void>;
  /** Call it before the start. */
  addListener(listener: ActivityListener): void;
  /** By the marketplace's clock, however old; null: no sale is known. */
  latestSale(id: bigint): Promise<ActivityEvent | null>;
  /** From `since` (inclusive) to `until` (exclusive) or now. An unknown collection has an empty summary. */
  summary(id: bigint, since: Date, until?: Date): Promise<ActivitySummary>;
  /**
   * Mints that became known since `knownSince`, by the database's clock, whenever they happened. Runs in the caller's transaction,
   * so that it does not wait for another connection.
   */
  mintCount(id: bigint, knownSince: Date, trx: Trx): Promise<number>;
  /** Oldest first; unknown ids are left out. */
  events(ids: readonly bigint[]): Promise<readonly ActivityEvent[]>;
}

/** Where a holder's NFT is. `marketplace`: in a marketplace's listing object, still the seller's. */
export interface HeldNft {
  readonly objectId: string;
  readonly place: 'wallet' | 'kiosk' | 'marketplace';
  readonly kioskId: string | null;
  readonly isListed: boolean;
}

/**
 * Whether a wallet holds NFTs of a collection (rulings R5). A failed reading is `unknown`, never 'does not hold', and changes
 * nothing. `reason` is a stable kebab code.
 */
export type HoldingAnswer =
  | { readonly kind: 'holds'; readonly nfts: readonly HeldNft[]; readonly asOf: Date }
  /** `kioskCount`: how many kiosks were read, besides the wallet itself and the marketplace's listings; null: not known. */
  | { readonly kind: 'does-not-hold'; readonly kioskCount: number | null; readonly asOf: Date }
  | { readonly kind: 'unknown'; readonly reason: string; readonly asOf: Date };

/** What the text entered as a server's NFT type means. Outages are thrown as Unavailable. */
export type NftTypeAnswer =
  /** `name` null: the marketplace gives none. */
  | { readonly kind: 'nft'; readonly nftType: string; readonly name: string | null }
  | { readonly kind: 'not-an-nft'; readonly problem: 'coin' | 'no-object' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed' };
