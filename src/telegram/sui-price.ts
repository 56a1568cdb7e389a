import { withTimeout } from '../process/in-time.ts';
import { createAnswerCache } from '../process/answer-cache.ts';
import { picoUsdDecimals, toDecimalText } from '../shared/money.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import type { Clock } from '../shared/clock.ts';

/** US dollars of one SUI, as a decimal text; null: unknown. Never throws. */
export type SuiPrice = () => Promise<string | null>;

interface PriceReader {
  readPrices(
    coinTypes: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly pricePicoUsd: bigint; readonly asOf: Date }>>;
}

const refreshMs = 60_000;
const patienceMs = 1_500;
/** A price that is older by its source counts as unknown, however recently it was read. */
const usableMs = 900_000;

/** The last known price of SUI, refreshed in the background. Without one, callers wait a little for the request. */
export function createSuiPrice(prices: PriceReader, clock: Pick<Clock, 'now'>): SuiPrice {
  let last: { readonly text: string; readonly atMs: number } | null = null;
  const cached = createAnswerCache<void>(clock, () => refreshMs);
  const read = async (): Promise<void> => {
    const quote = (await prices.readPrices([suiCoinType])).get(suiCoinType);
    if (quote === undefined) return;
    last = { text: toDecimalText(quote.pricePicoUsd, picoUsdDecimals), atMs: quote.asOf.getTime() };
  };
  const usable = (): string | null =>
    last !== null && Math.abs(clock.now().getTime() - last.atMs) < usableMs ? last.text : null;
  return async () => {
    // A failure is kept like an answer: the price is not requested again before its time.
    const refresh = cached('SUI', () => read().catch(() => {}));
    if (usable() === null) await withTimeout(refresh, patienceMs, () => {});
    return usable();
  };
}
