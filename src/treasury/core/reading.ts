import type { SourceReading } from '../../shared/source-status.ts';
import type { CoinBalance, CoinMetadata, HeldCollection, MarketFact, PriceQuote } from '../ports.ts';

/** A quote and the moment we last got it; the quote's own `asOf` is the source's time. */
export interface ReadPrice {
  readonly quote: PriceQuote;
  readonly readAt: Date;
}

/** The marketplace's last good answer. A type in `askedTypes` without a fact is not on the marketplace; any other is unknown. */
export interface MarketAnswer {
  readonly askedTypes: readonly string[];
  readonly facts: ReadonlyMap<string, MarketFact>;
}

/** A total that moved by more than the jump limit and was confirmed by a second read. Micro-USD. */
export interface ConfirmedJump {
  readonly previousMicroUsd: bigint;
  readonly nextMicroUsd: bigint;
  readonly confirmedAt: Date;
}

/**
 * Everything the treasury's figures are made of, as last read. It is what the database keeps: the snapshot is made from it
 * by `valueTreasury`, so a restart or another copy serves exactly the same figures, and their age is judged anew.
 */
export interface TreasuryReading {
  readonly balances: readonly CoinBalance[];
  readonly checkpoint: bigint | null;
  readonly holdings: readonly HeldCollection[];
  readonly chainReadAt: Date;
  /** Earlier than `chainReadAt` when the NFTs could not be counted this time and the last good count stands. */
  readonly holdingsReadAt: Date;
  /** null: the chain knows no metadata. Absent: not read yet. */
  readonly metadata: ReadonlyMap<string, CoinMetadata | null>;
  /** Of the coins held; the last good one where this refresh got none (see `carryPrices`). */
  readonly prices: ReadonlyMap<string, ReadPrice>;
  /** null: the marketplace never answered. */
  readonly market: MarketAnswer | null;
  readonly jump: ConfirmedJump | null;
}

/** A coin that no source knows any more keeps its last price for this long; after that it is unpriced. */
const absentPriceKeptMs = 24 * 3_600_000;

/**
 * Prices for a new reading (decision 0008). `answered` null: no source answered, so every last good price stays, whatever
 * its age, and its state says so. A source that answered without this coin may have a gap: the last good price stays for a day.
 */
export const carryPrices = (
  previous: ReadonlyMap<string, ReadPrice>,
  answered: ReadonlyMap<string, PriceQuote> | null,
  coinTypes: readonly string[],
  now: Date,
): Map<string, ReadPrice> => {
  const prices = new Map<string, ReadPrice>();
  for (const coinType of coinTypes) {
    const quote = answered?.get(coinType);
    const last = previous.get(coinType);
    if (quote !== undefined) prices.set(coinType, { quote, readAt: now });
    else if (last !== undefined && (answered === null || now.getTime() - last.readAt.getTime() < absentPriceKeptMs))
      prices.set(coinType, last);
  }
  return prices;
};

/** How long a confirmed jump stays flagged on the page. */
const jumpFlaggedMs = 24 * 3_600_000;

export const carryJump = (jump: ConfirmedJump | null, now: Date): ConfirmedJump | null =>
  jump !== null && now.getTime() - jump.confirmedAt.getTime() < jumpFlaggedMs ? jump : null;

/**
 * What a reading says of its sources. Without the chain nothing is read, so the price service is a source of its own only where a
 * reading succeeded without it: then its prices are older than the balances.
 */
export function sourceReadings(reading: TreasuryReading | null): readonly SourceReading[] {
  if (reading === null) return [{ source: 'chain', readAt: null }];
  const { chainReadAt, prices, balances } = reading;
  const chain: SourceReading = { source: 'chain', readAt: chainReadAt };
  const times = [...prices.values()].map(({ readAt }) => readAt.getTime());
  if (times.length === 0) return balances.length === 0 ? [chain] : [chain, { source: 'prices', readAt: null }];
  const pricesReadAt = new Date(Math.max(...times));
  return pricesReadAt >= chainReadAt ? [chain] : [chain, { source: 'prices', readAt: pricesReadAt }];
}
