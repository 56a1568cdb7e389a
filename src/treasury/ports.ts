import type { StopSignal } from '../shared/stop-signal.ts';

export type { Clock } from '../shared/clock.ts';

/** One coin type of a wallet. `rawBalance` in base units, coin objects and address balance together. */
export interface CoinBalance {
  /** Canonical: address padded to 64 hex digits. */
  readonly coinType: string;
  readonly rawBalance: bigint;
}

/** What the chain publishes about a coin. All texts are untrusted. */
export interface CoinMetadata {
  readonly coinType: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly name: string;
  readonly iconUrl: string | null;
}

/** The chain, as far as coins go. Throws Unavailable; an outage is never an empty list. */
export interface CoinReader {
  /** Every coin type of the wallet, all pages, and the checkpoint it was read at. */
  readBalances(
    owner: string,
    stop?: StopSignal,
  ): Promise<{ readonly balances: readonly CoinBalance[]; readonly checkpoint: bigint | null }>;
  /** null: the chain knows no metadata of this type. */
  readCoinMetadata(coinType: string, stop?: StopSignal): Promise<CoinMetadata | null>;
}

/** One collection's share of a wallet: directly owned and in every kiosk whose cap the wallet holds. */
export interface HeldCollection {
  /** Canonical NFT type, `0x…::module::Name`. */
  readonly collectionType: string;
  readonly count: number;
  readonly kioskCount: number;
  readonly listedCount: number;
}

/** Satisfied by collections. Throws Unavailable when any kiosk could not be read: part of the truth is not the truth. */
export interface HoldingsReader {
  readHoldings(owner: string, stop?: StopSignal): Promise<readonly HeldCollection[]>;
}

/** What a marketplace says of a collection; MIST. `asOf` is when it said so (it may be the last good answer). */
export interface MarketFact {
  readonly collectionType: string;
  readonly name: string;
  readonly verified: boolean;
  readonly floorMist: bigint | null;
  /** Highest active, unexpired collection bid. */
  readonly bestBidMist: bigint | null;
  readonly mintedCount: number | null;
  readonly asOf: Date;
  readonly source: string;
}

/** Satisfied by collections. A type that is absent is not on the marketplace. Throws Unavailable without a last good answer. */
export interface MarketReader {
  readMarketFacts(collectionTypes: readonly string[], stop?: StopSignal): Promise<ReadonlyMap<string, MarketFact>>;
}

/** USD for one whole coin, as an integer of 1e-12 USD. `confidence` null: the source gives none. */
export interface PriceQuote {
  readonly pricePicoUsd: bigint;
  readonly confidence: number | null;
  readonly asOf: Date;
  readonly source: string;
}

/** Absent: no source knows this coin. Throws Unavailable when no source answered at all. */
export interface PriceReader {
  readPrices(coinTypes: readonly string[], stop?: StopSignal): Promise<ReadonlyMap<string, PriceQuote>>;
}

/** Totals of one moment, micro-USD; what an hourly point is made of. */
export interface HistoryTotals {
  readonly totalMicroUsd: bigint;
  readonly tokenMicroUsd: bigint | null;
  readonly nftMicroUsd: bigint | null;
}

export interface HistoryPoint extends HistoryTotals {
  readonly at: Date;
}

/** Coin metadata as once read; `metadata` null: the chain knew none at `readAt`. */
export interface KnownMetadata {
  readonly coinType: string;
  readonly metadata: CoinMetadata | null;
  readonly readAt: Date;
}
