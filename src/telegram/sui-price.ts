import { inTime } from '../process/in-time.ts';
import { picoUsdDecimals, toDecimalText } from '../shared/money.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import type { Clock } from '../shared/clock.ts';

/** US dollars of one SUI, as a decimal text; null: unknown. Never waits for a request. */
export interface SuiPrice {
  usdPerSui(): string | null;
  /** Resolves when the current request has ended, well or not; at once when there is none. */
  settled(): Promise<void>;
}

interface PriceReader {
  readPrices(
    coinTypes: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly pricePicoUsd: bigint; readonly asOf: Date }>>;
}

const refreshMs = 60_000;
/** A price that its source calls older counts as unknown, however recently it was asked for. */
const usableMs = 900_000;

/** The last known price of SUI. Reading it starts a refresh if one is due, and never waits for it. */
export function createSuiPrice(prices: PriceReader, clock: Pick<Clock, 'now'>): SuiPrice {
  let last: { readonly text: string; readonly atMs: number } | null = null;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let underWay = Promise.resolve();
  const read = async (): Promise<void> => {
    const quote = (await prices.readPrices([suiCoinType])).get(suiCoinType);
    if (quote === undefined) return;
    last = { text: toDecimalText(quote.pricePicoUsd, picoUsdDecimals), atMs: quote.asOf.getTime() };
  };
  return {
    usdPerSui: () => {
      const nowMs = clock.now().getTime();
      if (Math.abs(nowMs - askedAtMs) >= refreshMs) {
        askedAtMs = nowMs;
        // On failure the last price is kept until it is too old.
        underWay = read().catch(() => {});
      }
      return last !== null && Math.abs(nowMs - last.atMs) < usableMs ? last.text : null;
    },
    settled: () => underWay,
  };
}

const patienceMs = 1_500;

/** For replies to people: the price of SUI, after a short wait during the first request. */
export async function usdSoon(prices: SuiPrice): Promise<string | null> {
  const known = prices.usdPerSui();
  if (known !== null) return known;
  await inTime(prices.settled(), patienceMs, () => {});
  return prices.usdPerSui();
}
