import type { StopSignal } from '../shared/stop-signal.ts';
import type { CoinBalance, CoinMetadata, HeldCollection, MarketFact, PriceQuote } from './core/reading.ts';

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

/** Satisfied by collections. Throws Unavailable when any kiosk could not be read: part of the truth is not the truth. */
export interface HoldingsReader {
  readHoldings(owner: string, stop?: StopSignal): Promise<readonly HeldCollection[]>;
}

/** Satisfied by collections. A type that is absent is not on the marketplace. Throws Unavailable without a last good answer. */
export interface MarketReader {
  readMarketFacts(collectionTypes: readonly string[], stop?: StopSignal): Promise<ReadonlyMap<string, MarketFact>>;
}

/** Absent: no source knows this coin. Throws Unavailable when no source answered at all. */
export interface PriceReader {
  readPrices(coinTypes: readonly string[], stop?: StopSignal): Promise<ReadonlyMap<string, PriceQuote>>;
}

/** The outside world of the treasury. */
export interface TreasuryReaders {
  readonly coins: CoinReader;
  readonly holdings: HoldingsReader;
  readonly market: MarketReader;
  readonly prices: PriceReader;
}
