import { z } from 'zod';
import { canonicalType, shortType, suiCoinType } from '../../shared/sui-address.ts';
import { fetchBounded } from '../../platform/bounded-fetch.ts';
import { createCallPolicy } from '../../platform/call-policy.ts';
import { parseAnswer } from '../../platform/parse-answer.ts';
import type { PriceSourceOptions } from './llama-prices.ts';
import {
  chunksOf,
  isMadeOf,
  merged,
  picoUsdOf,
  type PriceQuote,
  type PriceQuotes,
  type PriceSource,
} from './price-quote.ts';

const upstream = 'GeckoTerminal';
const sourceName = 'geckoterminal';
/** GeckoTerminal's own maximum for `token_price`. */
const coinsPerCallMax = 30;
const maxAnswerBytes = 1024 * 1024;

/** One bad price must not cost the other coins theirs; prices that are all of another type are no answer. */
const tokenPrices = z
  .record(z.string(), z.unknown())
  .refine((prices) => isMadeOf(Object.values(prices), (each) => each === null || typeof each === 'string'));
const answer = z.object({ data: z.object({ attributes: z.object({ token_prices: tokenPrices }) }) });

/** GeckoTerminal, keyless, 30 calls a minute. It gives neither a confidence nor a time: the time is when it was asked. */
export function createGeckoPrices(
  { baseUrl, ...policyOptions }: PriceSourceOptions,
  now: () => Date = () => new Date(),
): PriceSource {
  const policy = createCallPolicy({ upstream, ...policyOptions });
  const prefix = `${baseUrl.replace(/\/+$/, '')}/api/v2/simple/networks/sui-network/token_price/`;

  const readChunk = async (chunk: readonly string[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const asked = chunk.map((coinType) => (coinType === suiCoinType ? shortType(coinType) : coinType));
    const url = `${prefix}${asked.map((type) => encodeURIComponent(type.replaceAll(', ', ','))).join(',')}`;
    const { data } = await policy(
      'prices',
      async (signal) => {
        const { body } = await fetchBounded(url, {}, { upstream, maxAnswerBytes, signal });
        return parseAnswer(upstream, body, answer);
      },
      stop,
    );
    const wanted = new Set(chunk);
    return new Map(
      Object.entries(data.attributes.token_prices).flatMap(([key, price]) => quoteOf(wanted, key, price, now())),
    );
  };

  return {
    readPrices: async (coinTypes, stop) => {
      const chunks = chunksOf([...new Set(coinTypes)], coinsPerCallMax);
      return merged(await Promise.all(chunks.map((chunk) => readChunk(chunk, stop))));
    },
  };
}

function quoteOf(wanted: ReadonlySet<string>, key: string, price: unknown, asOf: Date): [string, PriceQuote][] {
  const coinType = canonicalType(key);
  if (coinType === null || !wanted.has(coinType) || typeof price !== 'string') return [];
  const pricePicoUsd = picoUsdOf(price);
  return pricePicoUsd === null ? [] : [[coinType, { pricePicoUsd, confidence: null, asOf, source: sourceName }]];
}
