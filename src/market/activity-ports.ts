import type {
  ActivityEvent,
  ActivityKind,
  ActivityListener,
  ActivityNft,
  FoundCollection,
  TrackedCollection,
} from './contract.ts';
import type { StopSignal } from './ports.ts';

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
  /** null: not readable this time; what was known stays. */
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

/** The marketplace as somebody looks for a collection in it. Throws Unavailable. */
export interface CollectionFinder {
  bySlugs(slugs: readonly string[]): Promise<readonly CollectionNow[]>;
  /** Those whose type is of the package, a canonical address. */
  ofPackage(address: string): Promise<readonly CollectionNow[]>;
  byMarketId(marketId: string): Promise<readonly CollectionNow[]>;
  /** Verified ones of that name. */
  verifiedByName(name: string): Promise<readonly CollectionNow[]>;
}

/** The chain as somebody looks for a collection in it. Throws Unavailable. */
export interface ChainLookup {
  /** Canonical type, `package` for a package; null: there is no such object. */
  objectType(objectId: string): Promise<string | null>;
  isCoin(canonicalType: string): Promise<boolean>;
}

/** How far a collection has been read. Times are the marketplace's. */
export interface ReadProgress {
  /** False: what is there now is to be made known without telling anybody. */
  readonly isSeeded: boolean;
  /** What happened before is nobody's concern; null: everything was made known. */
  readonly knownFrom: Date | null;
  /** The newest event seen. */
  readonly cursorAt: Date | null;
  /** The last poll ended before everything was read. */
  readonly isBehind: boolean;
  readonly pollCount: bigint;
}

/** The right to read one collection until it expires; the token grows with every claim. */
export interface PollClaim {
  readonly collection: TrackedCollection;
  readonly progress: ReadProgress;
  readonly token: bigint;
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

/** Polls as rows that any number of copies of the product share. Throws what the database throws. */
export interface PollStore {
  /** At most `countMax` collections that are due and that one of the listeners wants; each is this copy's for a while. */
  claim(countMax: number, listeners: readonly string[]): Promise<readonly PollClaim[]>;
  /** False: the claim is lost; stop the work. */
  renew(claim: PollClaim): Promise<boolean>;
  /**
   * Stores the reading and what the listeners make of it, all or nothing. The names of the listeners that were told;
   * null: the claim was lost, or somebody else began anew, and nothing was written.
   */
  record(
    claim: PollClaim,
    reading: ActivityReading,
    listeners: ReadonlyMap<string, ActivityListener>,
  ): Promise<readonly string[] | null>;
  /** Next try at the next turn. `reason` is a stable code. */
  recordFailure(claim: PollClaim, reason: string): Promise<void>;
  /** Gives it back unread: another copy may take it at once. */
  release(claim: PollClaim): Promise<void>;
}

/** The collections that somebody tracks. Throws what the database throws. */
export interface TrackedStore {
  /** Creates the row if there is none. One that nobody has read lately begins anew. */
  add(found: FoundCollection): Promise<{ readonly id: bigint; readonly isSeeded: boolean }>;
  /** Stores what was read of the past, unless somebody else has. */
  recordPast(id: bigint, reading: ActivityReading): Promise<void>;
  tracked(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, TrackedCollection>>;
}
