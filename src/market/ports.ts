import type { StopSignal } from '../shared/stop-signal.ts';
import type { ActivityEvent, ActivityKind, ActivityNft } from './contract.ts';

export type { Clock } from '../shared/clock.ts';

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

/** One row of a marketplace's activity. Texts are untrusted, cleaned and cut. */
export interface ActivityRow {
  readonly id: string;
  /** The marketplace's own word. */
  readonly type: string;
  readonly priceMist: bigint | null;
  readonly foreignPrice: { readonly coinType: string; readonly rawAmount: string } | null;
  /** Canonical; which of them is the buyer depends on the type. */
  readonly sender: string | null;
  readonly receiver: string | null;
  readonly transactionDigest: string | null;
  readonly happenedAt: Date;
  readonly marketName: string | null;
  readonly nft: ActivityNft | null;
}

/** A collection as the marketplace describes it now. */
export interface CollectionNow {
  readonly marketId: string;
  /** As written there. */
  readonly slug: string;
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly isVerified: boolean;
  readonly floorMist: bigint | null;
  readonly mintedCount: number | null;
  readonly ownerCount: number | null;
}

/** Without what facts have no use for. */
export type MarketListing = Omit<CollectionNow, 'imageUrl'>;

export interface ActivityPageQuery {
  readonly marketId: string;
  readonly types: readonly string[];
  /** By the marketplace's clock, inclusive. */
  readonly since: Date;
  readonly offset: number;
  readonly limit: number;
  readonly order: 'oldest-first' | 'newest-first';
}

export interface ActivityPage {
  /** null: not readable this time; the last known value stays. */
  readonly collection: CollectionNow | null;
  readonly listedCount: number | null;
  readonly rows: readonly ActivityRow[];
  /** With the unreadable ones: a full page means that there may be more. */
  readonly rowCount: number;
  readonly unreadableCount: number;
}

/** What happens, by the marketplace: one request a page. Throws Unavailable. */
export interface ActivitySource {
  readPage(query: ActivityPageQuery, stop?: StopSignal): Promise<ActivityPage>;
}

/** Looks for a collection at the marketplace. Throws Unavailable. */
export interface CollectionFinder {
  bySlugs(slugs: readonly string[]): Promise<readonly CollectionNow[]>;
  /** Those whose type is of the package, a canonical address. */
  ofPackage(address: string): Promise<readonly CollectionNow[]>;
  byMarketId(marketId: string): Promise<readonly CollectionNow[]>;
  /** Verified ones of that name. */
  verifiedByName(name: string): Promise<readonly CollectionNow[]>;
}

/** Looks for a collection on chain. Throws Unavailable. */
export interface ChainLookup {
  /** Canonical type, `package` for a package; null: there is no such object. */
  objectType(objectId: string): Promise<string | null>;
  isCoin(canonicalType: string): Promise<boolean>;
}

/** How far a collection has been read. Times are the marketplace's. */
export interface ReadProgress {
  /** False: what is there now is to be stored unreported. */
  readonly isSeeded: boolean;
  /** Earlier events are not read; null: the whole past is known. */
  readonly knownFrom: Date | null;
  /** The newest event seen. */
  readonly cursorAt: Date | null;
  /** The last poll ended before everything was read. */
  readonly isBehind: boolean;
  readonly pollCount: bigint;
}

/** An event that may be known already. */
export interface EventDraft extends Omit<ActivityEvent, 'id' | 'trackedCollectionId' | 'kind'> {
  readonly kind: ActivityKind | 'transfer';
  /** Equal for the same fact, whatever number of markets reported it. */
  readonly eventKey: string;
  readonly actionId: string;
}

/** What one poll has read, to be stored as one. */
export interface ActivityReading {
  readonly now: CollectionNow | null;
  readonly listedCount: number | null;
  /** Oldest first. */
  readonly drafts: readonly EventDraft[];
  readonly progress: Pick<ReadProgress, 'knownFrom' | 'cursorAt' | 'isBehind'>;
}
