import { fromDecimalText, picoUsdDecimals } from '../../shared/money.ts';

/** The price of one whole coin, as an integer of 1e-12 USD. `confidence` null: the source gives none. */
export interface PriceQuote {
  readonly pricePicoUsd: bigint;
  readonly confidence: number | null;
  readonly asOf: Date;
  readonly source: string;
}

/** Quotes by canonical coin type; absent: the source does not know the coin. */
export type PriceQuotes = ReadonlyMap<string, PriceQuote>;

/** Throws Unavailable when the source did not answer. */
export interface PriceSource {
  readonly readPrices: (coinTypes: readonly string[], stop?: AbortSignal) => Promise<PriceQuotes>;
}

/**
 * A higher price of one whole coin is a mistake of its source: this is far above the most expensive coin, and low enough
 * for its value to be stored (numeric(60, 0)).
 */
const plausiblePriceMaxUsd = 1_000_000_000_000n;
const plausiblePriceMaxPicoUsd = plausiblePriceMaxUsd * 10n ** BigInt(picoUsdDecimals);

/**
 * A JSON number or decimal text as pico-USD. JavaScript prints the shortest text that gives the same double (`1.2e-9`), so
 * no part of a JSON number is lost. null: not a number, not above zero (a price of zero is an unknown price), or implausibly high.
 */
export function picoUsdOf(price: number | string): bigint | null {
  const pico = fromDecimalText(String(price).trim(), picoUsdDecimals);
  return pico !== null && pico > 0n && pico <= plausiblePriceMaxPicoUsd ? pico : null;
}

/** Whether at least one part has the expected form, or there are no parts. */
export function hasExpectedForm(parts: readonly unknown[], isExpected: (part: unknown) => boolean): boolean {
  return parts.length === 0 || parts.some(isExpected);
}

export function merged(quotes: readonly PriceQuotes[]): PriceQuotes {
  return new Map(quotes.flatMap((each) => [...each]));
}

/** A coin and the key by which a source knows it. */
export interface KeyedCoin {
  readonly coinType: string;
  readonly key: string;
}

/**
 * Characters of one URL. Services refuse longer ones, and strangers may send coins with types of any length: those must not
 * cost the other coins in the request their price.
 */
const urlLengthMax = 6_000;

/** The coins in as few chunks as possible, in their order. `urlAround`: the URL without any key; keys are joined by commas. */
export function chunksOfCoins(coins: readonly KeyedCoin[], coinsMax: number, urlAround: string): KeyedCoin[][] {
  const chunks: KeyedCoin[][] = [];
  let room = 0;
  for (const each of coins) {
    const length = encodeURIComponent(each.key).length + 1;
    const current = chunks.at(-1);
    if (current !== undefined && current.length < coinsMax && length <= room) {
      current.push(each);
      room -= length;
    } else {
      chunks.push([each]);
      room = urlLengthMax - urlAround.length - length;
    }
  }
  return chunks;
}

export function joinedKeys(chunk: readonly KeyedCoin[]): string {
  return chunk.map(({ key }) => encodeURIComponent(key)).join(',');
}
