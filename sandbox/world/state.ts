import type { StoneName } from '../../artwork/rock.ts';
import type { Failure, GasUsed, HeldCoin, SignedBytes, Stake } from './execution.ts';

/** Everything that exists outside the product, as plain data. Addresses and types are canonical (0x + 64 hex). */

export type CoinMetadata = {
  id: string;
  symbol: string;
  name: string;
  decimals: number;
  description: string;
  iconUrl: string | null;
};

/** `metadata` null: the coin exists and is held, but never published metadata. */
export type Coin = { coinType: string; metadata: CoinMetadata | null };

/** `priceUsd` is a decimal string as the price services print it. `ageMs`: how old the quote is when asked. */
export type Price = {
  coinType: string;
  priceUsd: string;
  confidence: number;
  ageMs: number;
  services: ('prices' | 'pricesFallback')[];
};

/** Base units, split over coin objects and the address balance (accumulator). */
export type Holding = { coinObjects: HeldCoin[]; addressBalance: bigint };

export type Colour = { key: StoneName; name: string; count: number };

export type FloorRule = { kind: 'lowest-listing' } | { kind: 'fixed'; floorMist: bigint | null };

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** `migrated`: by templates of version 1 that the network took over; `version-2`: never had one; `none`: has no Display there. */
export type DisplayKind = 'migrated' | 'version-2' | 'none';

/** `fields` and `errors` stand over those that the kind gives. */
export type CollectionDisplay = {
  kind: DisplayKind;
  fields?: Record<string, JsonValue>;
  errors?: Record<string, string>;
};

export type Collection = {
  key: string;
  rowId: string;
  nftType: string;
  title: string;
  semanticSlug: string;
  description: string;
  verified: boolean;
  /** False: exists on chain alone, the marketplace has never heard of it. */
  onMarketplace: boolean;
  maxSupply: number | null;
  mintPriceMist: bigint;
  floorRule: FloorRule;
  volumeMist: bigint;
  /** Left out: `migrated`. */
  display?: CollectionDisplay;
};

/** `simple-listing`: taken into a listing object of the marketplace, so no read by owner or kiosk finds it. */
export type Place =
  | { kind: 'wallet'; address: string }
  | { kind: 'kiosk'; kioskId: string }
  | { kind: 'simple-listing'; listingObjectId: string; seller: string };

export type Nft = {
  id: string;
  rowId: string;
  collectionKey: string;
  number: number;
  name: string;
  description: string;
  /** A path of the console, or a whole address; null: the NFT has no picture. */
  imagePath: string | null;
  colour: Colour | null;
  place: Place;
  version: number;
  lastDigest: string;
};

export type CapKind = 'kiosk' | 'personal-kiosk' | 'origin-byte-kiosk';

/** An object that opens a kiosk, in somebody's wallet. */
export type KioskCap = { capId: string; innerCapId: string; capKind: CapKind; holder: string };

/** Who holds the cap owns the kiosk; the kiosk object itself is shared. */
export type Kiosk = KioskCap & {
  id: string;
  /** What the kiosk's own owner field says: whoever made it, whatever became of its cap. */
  statedOwner: string;
  /** Beside its own: other objects that open it as well. */
  furtherCaps: KioskCap[];
  listings: Map<string, { priceMist: bigint; isExclusive: boolean }>;
  locked: Set<string>;
  /** Large fields of an extension: whoever has the cap may hang as many on it as they pay for. */
  extensionFieldCount: number;
  version: number;
};

/** A marketplace listing row. A row whose listing ended stays, with `listed` false and no price. */
export type ListingRow = {
  id: string;
  collectionKey: string;
  nftId: string;
  priceMist: bigint | null;
  seller: string;
  marketName: string;
  blockTimeMs: number;
  listed: boolean;
  nonce: string;
};

export type BidRow = {
  id: string;
  collectionKey: string;
  nftId: string | null;
  type: 'solo' | 'collection';
  priceMist: bigint;
  bidder: string;
  status: 'active' | 'inactive' | 'accepted' | 'cancelled';
  remainingCount: number;
  expiresAtMs: number | null;
  blockTimeMs: number;
  nonce: string;
};

export type ActionRow = {
  id: string;
  type: string;
  collectionKey: string;
  nftId: string | null;
  priceMist: bigint | null;
  usdPrice: number | null;
  sender: string | null;
  receiver: string | null;
  txId: string;
  txIndex: number;
  blockTimeMs: number;
  marketName: string | null;
  nonce: string | null;
  /** Null: SUI. Otherwise the type of the coin that was paid, in whose base units the price then is. */
  priceCoin: string | null;
};

export type ChainEvent = { packageId: string; module: string; eventType: string; json: Record<string, string> };

/** Signed base units of one address and coin in one transaction; gas is inside the SUI of who paid it. */
export type BalanceChange = { address: string; coinType: string; amount: bigint };

/** A child hangs on its parent: an NFT on a field object, the field object on a kiosk. */
export type ObjectOwner =
  { kind: 'address'; address: string } | { kind: 'object'; parentId: string } | { kind: 'shared' };

/** `before` null: made in this transaction; `after` null: gone since. */
export type ObjectChange = {
  objectId: string;
  objectType: string;
  before: ObjectOwner | null;
  after: ObjectOwner | null;
  versions?: { before: number | null; after: number | null };
};

/** Where an NFT was before and is after a transaction, with all that follows for kiosks, fields and listings. Null: it is new. */
type Placement = { nftId: string; before: Place | null; after: Place };

/** `coinId` null: paid out of the address balance. */
type GasPaid = { payer: string; coinId: string | null; used: GasUsed };

export type ChainTransaction = {
  digest: string;
  sender: string;
  timestampMs: number;
  checkpoint: number;
  /** Of the coins that it wrote: more than any of them had before. */
  version: number;
  /** Null: it did what it should. */
  failure: Failure | null;
  /** Null: the world itself made it. */
  signed: SignedBytes | null;
  events: ChainEvent[];
  gas: GasPaid;
  balanceChanges: BalanceChange[];
  /** The part of the balance changes that went into or out of address balances (accumulators). */
  accumulatorChanges: BalanceChange[];
  /** Coins, kiosks and caps; NFTs and what keeps them are in `placements`. */
  objects: ObjectChange[];
  placements: Placement[];
};

export type NameRecord = { name: string; address: string; expiresAtMs: number };

export type WorldState = {
  network: 'mainnet';
  startedAtMs: number;
  treasuryAddress: string;
  ownCollectionKey: string;
  coins: Map<string, Coin>;
  prices: Map<string, Price>;
  /** Owner, then coin type. Kept for the treasury and for whoever was ever given a balance by hand; nobody else can run short. */
  holdings: Map<string, Map<string, Holding>>;
  collections: Map<string, Collection>;
  nfts: Map<string, Nft>;
  /** Gone from the chain; the marketplace keeps their rows. */
  burnedNfts: Map<string, Nft>;
  kiosks: Map<string, Kiosk>;
  stakes: Map<string, Stake>;
  listings: ListingRow[];
  bids: BidRow[];
  actions: ActionRow[];
  transactions: ChainTransaction[];
  referenceGasPriceMist: bigint;
  /** What the full node still has of the past; the archive has all of it. */
  firstKeptCheckpoint: number;
  names: NameRecord[];
  /** Base64 of signatures by or with zkLogin whose proof counts as valid: the sandbox has no prover. */
  acceptedZkLogins: Set<string>;
  /** NFTs that the marketplace's indexer has missed: on the chain, and in its supply, but among none of its rows. */
  missedByIndexer: Set<string>;
  /** NFTs of which the indexer still tells an old story: the next truth has not reached it. */
  lateAtIndexer: Map<string, { owner: string; listed: boolean }>;
  /** Wallets of named people: what they hold changes by hand alone, never by the living market. */
  people: Set<string>;
  sequence: number;
  /** Part of the ids of all that is new; empty while the past is played, and for good in a world that must repeat itself. */
  idMark: string;
};

/** What an operation works on; `state` is replaced when the world is reset. */
export type WorldContext = { state: WorldState; now: () => Date };

/** An operation that cannot be done as asked. */
export class Impossible extends Error {
  override name = 'Impossible';
}

/** The next number of a counter that all derived ids of this world share. */
export function nextSequence(state: WorldState): number {
  state.sequence += 1;
  return state.sequence;
}

/** From this the id of something new is derived: told apart from its like in another run of the same seed. */
export function markedLabel(state: WorldState, label: string): string {
  return state.idMark === '' ? label : `${label}@${state.idMark}`;
}
