import { fromDecimalText, picoUsdDecimals } from '../../shared/money.ts';

/** USD for one whole coin, as an integer of 1e-12 USD. `confidence` null: the source gives none. */
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
 * USD for one whole coin beyond which a price is a mistake of its source: far above the dearest coin there is, and low
 * enough for a value of it to be stored (numeric(60, 0)).
 */
const plausiblePriceMaxUsd = 1_000_000_000_000n;
const plausiblePriceMaxPicoUsd = plausiblePriceMaxUsd * 10n ** BigInt(picoUsdDecimals);

/**
 * A JSON number or decimal text as pico-USD. JavaScript prints the shortest text that gives the same double (`1.2e-9`), so
 * nothing a JSON number can hold is lost. null: no number, nothing above zero (a price of zero is an unknown price), or beyond all that is plausible.
 */
export function picoUsdOf(price: number | string): bigint | null {
  const pico = fromDecimalText(String(price).trim(), picoUsdDecimals);
  return pico !== null && pico > 0n && pico <= plausiblePriceMaxPicoUsd ? pico : null;
}

/** Whether at least one part has the expected form, or there is none at all. */
export function isMadeOf(parts: readonly unknown[], isExpected: (part: unknown) => boolean): boolean {
  return parts.length === 0 || parts.some(isExpected);
}

export function merged(quotes: readonly PriceQuotes[]): PriceQuotes {
  return new Map(quotes.flatMap((each) => [...each]));
}

/** A coin and the word by which a source knows it. */
export interface AskedCoin {
  readonly coinType: string;
  readonly key: string;
}

/**
 * Characters of one address. Services refuse longer ones, and strangers may send coins whose types are as long as they
 * like: those must not cost the coins that are asked for with them their price.
 */
const urlLengthMax = 6_000;

/** As few chunks as hold all coins, in their order. `urlAround`: the address without any key; keys are joined by commas. */
export function chunksOfCoins(asked: readonly AskedCoin[], coinsMax: number, urlAround: string): AskedCoin[][] {
  const chunks: AskedCoin[][] = [];
  let room = 0;
  for (const each of asked) {
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

export function joinedKeys(chunk: readonly AskedCoin[]): string {
  return chunk.map(({ key }) => encodeURIComponent(key)).join(',');
}
