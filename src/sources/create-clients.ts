import type { Config } from '../config.ts';
import type { AttemptReport } from './call-policy.ts';
import { createBackgroundGate, createRateGate, type RateGate } from './rate-gate.ts';
import { createGeckoPrices } from './prices/gecko-prices.ts';
import { createLlamaPrices, createPastPrices } from './prices/llama-prices.ts';
import { createPricesWithFallback } from './prices/prices-with-fallback.ts';
import { createSuiClient } from './sui/sui-client.ts';
import { createMarketCall } from './tradeport/market-call.ts';

/** Everything outside that is read. `onAttempt`: for the figures of this copy. */
export function createClients(config: Config, onAttempt: (attempt: AttemptReport) => void) {
  const llamaPrices = createLlamaPrices({ baseUrl: config.PRICES_API_URL, onAttempt });
  const geckoPrices = createGeckoPrices({ baseUrl: config.PRICES_FALLBACK_URL, onAttempt });
  const chainClient = (baseUrl: string, headers: Config['SUI_GRPC_HEADERS'], gate?: RateGate) =>
    createSuiClient({ network: config.SUI_NETWORK, baseUrl, headers, onAttempt, ...(gate !== undefined && { gate }) });
  // A provider's node, which has a key, has its own limits.
  const isPublic = Object.keys(config.SUI_GRPC_HEADERS).length === 0;
  const gate = isPublic ? createRateGate(publicLimit) : undefined;
  const backgroundGate = gate && createBackgroundGate(gate, backgroundLimit);
  return {
    sui: chainClient(config.SUI_GRPC_URL, config.SUI_GRPC_HEADERS, gate),
    /** The same node, for reading the past and whole collections: visitors and the treasury never wait behind it. */
    backgroundSui: chainClient(config.SUI_GRPC_URL, config.SUI_GRPC_HEADERS, backgroundGate),
    /** What the node has forgotten; null: there is none. Headers for the node may hold its key. */
    archive:
      config.SUI_ARCHIVE_URL === null ? null : chainClient(config.SUI_ARCHIVE_URL, {}, createRateGate(publicLimit)),
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

/** Public nodes allow about 100 calls in 30 s for each address. */
const publicLimit = { requests: 90, perMs: 30_000 };
const backgroundLimit = { requests: 70, perMs: 30_000 };
