import { Unavailable } from '../../shared/failure.ts';
import type { PriceQuotes, PriceSource } from './price-quote.ts';

/**
 * The first source decides; coins it does not know, or all of them while it is down, go to the fallback. Throws Unavailable only when no
 * source answered. Last good prices belong to those who ask.
 */
export const createPricesWithFallback = (first: PriceSource, fallback: PriceSource): PriceSource => ({
  readPrices: async (coinTypes, stop) => {
    const wanted = [...new Set(coinTypes)];
    let firstFailure: Unavailable | null = null;
    let quotes: PriceQuotes = new Map();
    try {
      quotes = await first.readPrices(wanted, stop);
    } catch (error) {
      if (!isOutage(error)) throw error;
      firstFailure = error;
    }
    const missing = wanted.filter((type) => !quotes.has(type));
    if (missing.length === 0) return quotes;
    try {
      return new Map([...quotes, ...(await fallback.readPrices(missing, stop))]);
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (firstFailure === null) return quotes;
      const cause = new AggregateError([firstFailure, error], 'Every source of prices failed');
      throw new Unavailable('no-price-source', 'No source of prices answered', cause, error.retryAfterMs);
    }
  },
});

/** A caller who stopped needs no fallback. */
function isOutage(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.reason !== 'stopped';
}
