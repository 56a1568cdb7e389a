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

/** `priceUsd` is a decimal string as the price services print it. `ageMs`: the age of the quote in answers. */
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

/** `migrated`: from version 1 templates that the network migrated; `version-2`: created as version 2; `none`: no Display. */
export type DisplayKind = 'migrated' | 'version-2' | 'none';

/** `fields` and `errors` override those of the kind. */
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
  /** False: exists only on chain; the marketplace does not know it. */
  onMarketplace: boolean;
  maxSupply: number | null;
  mintPriceMist: bigint;
  floorRule: FloorRule;
  volumeMist: bigint;
  /** `migrated` by default. */
  display?: CollectionDisplay;
};

/** `simple-listing`: held in a listing object of the marketplace, so no read by owner or kiosk finds it. */
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
  /** A path of the console or a full URL; null: the NFT has no picture. */
  imagePath: string | null;
  colour: Colour | null;
  place: Place;
  version: number;
  lastDigest: string;
};

export type CapKind = 'kiosk' | 'personal-kiosk' | 'origin-byte-kiosk';

/** An object in a wallet that opens a kiosk. */
export type KioskCap = { capId: string; innerCapId: string; capKind: CapKind; holder: string };

/** The holder of the cap owns the kiosk; the kiosk object itself is shared. */
export type Kiosk = KioskCap & {
  id: string;
  /** The kiosk's owner field: its creator, even if the cap has moved. */
  statedOwner: string;
  /** Other caps that also open it. */
  furtherCaps: KioskCap[];
  listings: Map<string, { priceMist: bigint; isExclusive: boolean }>;
  locked: Set<string>;
  /** Number of large fields of an extension: the holder of the cap can add as many as they pay for. */
  extensionFieldCount: number;
  version: number;
};

/** A marketplace listing row. When the listing ends, the row stays, with `listed` false and no price. */
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
  /** The type of the coin that was paid, in whose base units the price is; null: SUI. */
  priceCoin: string | null;
};

export type ChainEvent = { packageId: string; module: string; eventType: string; json: Record<string, string> };

/** Signed base units of one address and coin in one transaction; gas is included in its payer's SUI. */
export type BalanceChange = { address: string; coinType: string; amount: bigint };

/** `object`: owned by another object, like an NFT by a field object, and that by a kiosk. */
export type ObjectOwner =
  { kind: 'address'; address: string } | { kind: 'object'; parentId: string } | { kind: 'shared' };

/** `before` null: created in this transaction; `after` null: deleted in it. */
export type ObjectChange = {
  objectId: string;
  objectType: string;
  before: ObjectOwner | null;
  after: ObjectOwner | null;
  versions?: { before: number | null; after: number | null };
};

/** Where an NFT is before and after a transaction, which implies the changes of kiosks, fields and listings. Null: it is new. */
type Placement = { nftId: string; before: Place | null; after: Place };

/** `coinId` null: paid out of the address balance. */
type GasPaid = { payer: string; coinId: string | null; used: GasUsed };

export type ChainTransaction = {
  digest: string;
  sender: string;
  timestampMs: number;
  checkpoint: number;
  /** The new version of the coins it wrote, higher than any of their earlier versions. */
  version: number;
  /** Null: it succeeded. */
  failure: Failure | null;
  /** Null: made by the world itself. */
  signed: SignedBytes | null;
  events: ChainEvent[];
  gas: GasPaid;
  balanceChanges: BalanceChange[];
  /** The part of the balance changes that went into or out of address balances (accumulators). */
  accumulatorChanges: BalanceChange[];
  /** Coins, kiosks and caps; NFTs and the objects that hold them follow from `placements`. */
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
  /** By owner, then coin type. Tracked for the treasury and for owners whose balance was ever set; others never run short. */
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
  /** The oldest checkpoint that the full node still has; the archive has all. */
  firstKeptCheckpoint: number;
  names: NameRecord[];
  /** Signatures (base64) by or with zkLogin whose proof counts as valid: the sandbox has no prover. */
  acceptedZkLogins: Set<string>;
  /** NFTs that the marketplace's indexer missed: on chain and counted in its supply, but in none of its rows. */
  missedByIndexer: Set<string>;
  /** NFTs for which the indexer still reports an old owner and listing state. */
  lateAtIndexer: Map<string, { owner: string; listed: boolean }>;
  /** Wallets of named people: the living market never changes their holdings. */
  people: Set<string>;
  sequence: number;
  /** Part of every new id; empty while the seed's past is created, and always empty in a reproducible world. */
  idMark: string;
};

/** What an operation works on; `state` is replaced when the world is reset. */
export type WorldContext = { state: WorldState; now: () => Date };

/** An operation that cannot be done as requested. */
export class Impossible extends Error {
  override name = 'Impossible';
}

/** The next number of the counter behind all derived ids of this world. */
export function nextSequence(state: WorldState): number {
  state.sequence += 1;
  return state.sequence;
}

/** The label from which a new id is derived; a run mark makes it differ from other runs of the same seed. */
export function markedLabel(state: WorldState, label: string): string {
  return state.idMark === '' ? label : `${label}@${state.idMark}`;
}
