export type { Clock } from '../shared/clock.ts';

/**
 * Ends a call early: its reader is gone or the product stops. Always an AbortSignal, which pure code cannot name (no DOM,
 * no Node); methods may therefore declare the parameter as one.
 */
export interface StopSignal {
  readonly aborted: boolean;
}

/** One NFT that lies directly in a wallet, or an object that may be one. Texts are untrusted. */
export interface DirectObject {
  readonly objectId: string;
  /** Canonical. */
  readonly objectType: string;
  readonly hasDisplay: boolean;
  readonly name: string | null;
  readonly imageUrl: string | null;
}

export interface KioskItem {
  readonly objectId: string;
  /** Canonical. */
  readonly objectType: string;
  readonly isListed: boolean;
}

/** The chain, as far as NFTs go. Every list is complete. Throws Unavailable. */
export interface NftReader {
  /** Ids of the kiosks whose cap (of any configured kind) the wallet holds, each once. */
  readKioskIds(owner: string, stop?: StopSignal): Promise<readonly string[]>;
  readDirectObjects(owner: string, stop?: StopSignal): Promise<readonly DirectObject[]>;
  readKiosk(kioskId: string, stop?: StopSignal): Promise<readonly KioskItem[]>;
}

/** What a marketplace says of one of its collections now. */
export interface MarketListing {
  readonly marketId: string;
  /** The type or package address by which the marketplace knows it, as written there. */
  readonly slug: string;
  readonly name: string | null;
  readonly isVerified: boolean;
  readonly floorMist: bigint | null;
  readonly mintedCount: number | null;
  readonly ownerCount: number | null;
}

export interface MarketBid {
  readonly marketId: string;
  readonly priceMist: bigint;
  /** null: until cancelled. */
  readonly expiresAt: Date | null;
}

/** The marketplace. Throws Unavailable. */
export interface MarketSource {
  /** For provenance, e.g. `tradeport`. */
  readonly name: string;
  /** One call: the collections of these slugs and the active bids on the collections of these ids. */
  readCollections(
    slugs: readonly string[],
    bidsOf: readonly string[],
    stop?: StopSignal,
  ): Promise<{ readonly listings: readonly MarketListing[]; readonly bids: readonly MarketBid[] }>;
  readListedCount(marketId: string, stop?: StopSignal): Promise<number>;
}

/** The last good answer about one type. `marketId` null: the marketplace does not know it. */
export interface CollectionFact {
  readonly collectionType: string;
  readonly marketId: string | null;
  readonly name: string | null;
  readonly isVerified: boolean;
  readonly floorMist: bigint | null;
  readonly bestBidMist: bigint | null;
  readonly mintedCount: number | null;
  readonly ownerCount: number | null;
  readonly source: string;
  readonly asOf: Date;
}

export interface ListedCount {
  readonly listedCount: number;
  readonly asOf: Date;
}

/** Last good answers, shared by all copies of the product. Throws what the database throws. */
export interface FactStore {
  readFacts(collectionTypes: readonly string[]): Promise<ReadonlyMap<string, CollectionFact>>;
  /** Never replaces a newer fact. */
  saveFacts(facts: readonly CollectionFact[]): Promise<void>;
  readListedCount(collectionType: string): Promise<ListedCount | null>;
  saveListedCount(collectionType: string, listed: ListedCount): Promise<void>;
}

/** Whose turn it is among the copies of the product. */
export interface FactsTurn {
  /** False, without running `work`, when another copy is at it. */
  runAlone(work: () => Promise<void>): Promise<boolean>;
}
