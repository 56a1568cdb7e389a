import type { Config } from '../config.ts';
import { Unavailable } from '../shared/failure.ts';
import type { AttemptReport } from './call-policy.ts';
import { createBackgroundLimiter, createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createGeckoPrices } from './prices/gecko-prices.ts';
import { createLlamaPrices, createPastPrices } from './prices/llama-prices.ts';
import type { PriceQuotes, PriceSource } from './prices/price-quote.ts';
import { createSuiClient } from './sui/sui-client.ts';
import { createMarketCall } from './tradeport/market-call.ts';

/** The clients for all outside sources. `onAttempt`: for the metrics of this copy. */
export function createClients(config: Config, onAttempt: (attempt: AttemptReport) => void) {
  const llamaPrices = createLlamaPrices({ baseUrl: config.PRICES_API_URL, onAttempt });
  const geckoPrices = createGeckoPrices({ baseUrl: config.PRICES_FALLBACK_URL, onAttempt });
  const node = (rateLimiter?: RateLimiter) =>
    createSuiClient({
      network: config.SUI_NETWORK,
      baseUrl: config.SUI_GRPC_URL,
      headers: config.SUI_GRPC_HEADERS,
      onAttempt,
      ...(rateLimiter !== undefined && { rateLimiter }),
    });
  // A provider's node, which needs a key, has its own limits.
  const isPublic = Object.keys(config.SUI_GRPC_HEADERS).length === 0;
  const rateLimiter = isPublic ? createRateLimiter(publicLimit) : undefined;
  const backgroundLimiter = rateLimiter && createBackgroundLimiter(rateLimiter, backgroundLimit);
  return {
    sui: node(rateLimiter),
    /** The same node, for the past and whole collections: visitors and the treasury never wait behind these calls. */
    backgroundSui: node(backgroundLimiter),
    /** For history that the node has pruned; null: not configured. The node's headers are not sent: they may hold its key. */
    archive:
      config.SUI_ARCHIVE_URL === null
        ? null
        : createSuiClient({
            upstream: 'The Sui archive',
            network: config.SUI_NETWORK,
            baseUrl: config.SUI_ARCHIVE_URL,
            onAttempt,
            rateLimiter: createRateLimiter(publicLimit),
          }),
    marketplace: createMarketCall({
      url: config.MARKET_API_URL,
      user: config.MARKET_API_USER,
      key: config.MARKET_API_KEY,
      onAttempt,
    }),
    prices: createPricesWithFallback(llamaPrices, geckoPrices),
    pastPrices: createPastPrices({ baseUrl: config.PRICES_API_URL, onAttempt }),
  };
}

/** Public nodes allow about 100 calls in 30 s per address. */
const publicLimit = { requests: 90, perMs: 30_000 };
const backgroundLimit = { requests: 70, perMs: 30_000 };

/**
 * The first source wins; coins it does not know, or all coins while it is down, go to the fallback. Throws Unavailable only if no
 * source answered. Callers keep the last good prices themselves.
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
      const cause = new AggregateError([firstFailure, error], 'All price sources failed');
      throw new Unavailable('no-price-source', 'No price source answered', cause, error.retryAfterMs);
    }
  },
});

/** A stopped caller needs no fallback. */
function isOutage(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.reason !== 'stopped';
}
