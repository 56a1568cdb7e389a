import { z } from 'zod';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalType, shortType, suiCoinType } from '../../shared/sui-address.ts';
import { fetchJson } from '../bounded-fetch.ts';
import { createCallPolicy } from '../call-policy.ts';
import type { PriceSourceOptions } from './llama-prices.ts';
import {
  type KeyedCoin,
  chunksOfCoins,
  hasExpectedForm,
  joinedKeys,
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
/** A third of the 30 calls a minute: one reading a minute leaves room for a confirming one, and for Telegram's price. */
const callsPerReadMax = 10;
/** The pause after a 429 without `retry-after`: the length of its window. */
const refusedForMs = 60_000;
/** A longer `retry-after` is not obeyed. */
const refusedMaxMs = 3_600_000;
const maxAnswerBytes = 1024 * 1024;

/** One bad price must not cost the other coins theirs; if all prices have a wrong type, the answer is malformed. */
const tokenPrices = z
  .record(z.string(), z.unknown())
  .refine((prices) => hasExpectedForm(Object.values(prices), (each) => each === null || typeof each === 'string'));
const answer = z.object({ data: z.object({ attributes: z.object({ token_prices: tokenPrices }) }) });

/**
 * GeckoTerminal, keyless. Coins beyond `callsPerReadMax` calls get no price: the most important come first, and the caller lets the
 * others take turns. A failed chunk is not retried and does not affect the others. Unavailable if all fail, and for a while after a 429. It gives neither a confidence nor a time: `asOf` is the time of the call.
 */
export function createGeckoPrices(
  { baseUrl, ...policyOptions }: PriceSourceOptions,
  now: () => Date = () => new Date(),
): PriceSource {
  const limits = { ...policyOptions.limits, retries: 0 };
  const policy = createCallPolicy({ upstream, ...policyOptions, limits });
  const prefix = `${baseUrl.replace(/\/+$/, '')}/api/v2/simple/networks/sui-network/token_price/`;

  const readChunk = async (chunk: readonly KeyedCoin[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const url = `${prefix}${joinedKeys(chunk)}`;
    const { data } = await policy(
      'prices',
      (signal) => fetchJson(url, {}, { upstream, maxAnswerBytes, signal }, answer),
      stop,
    );
    const wanted = new Set(chunk.map(({ coinType }) => coinType));
    return new Map(
      Object.entries(data.attributes.token_prices).flatMap(([key, price]) => quoteOf(wanted, key, price, now())),
    );
  };

  let refused: { readonly error: Unavailable; readonly atMs: number } | null = null;
  return {
    readPrices: async (coinTypes, stop) => {
      const nowMs = now().getTime();
      const refusedMs = Math.min(refused?.error.retryAfterMs ?? refusedForMs, refusedMaxMs);
      if (refused !== null && Math.abs(nowMs - refused.atMs) < refusedMs) throw refused.error;
      const wanted = [...new Set(coinTypes)].map(keyed);
      const chunks = chunksOfCoins(wanted, coinsPerCallMax, prefix).slice(0, callsPerReadMax);
      const results = await Promise.allSettled(chunks.map((chunk) => readChunk(chunk, stop)));
      const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
      const refusal = failures.find((error) => error instanceof Unavailable && error.reason === 'rate-limited');
      if (refusal instanceof Unavailable) refused = { error: refusal, atMs: nowMs };
      const decisive = failures.find((error) => !(error instanceof Unavailable) || error.reason === 'stopped');
      if (decisive !== undefined) throw decisive;
      const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      if (answers.length === 0 && failures.length > 0) throw failures[0];
      return merged(answers);
    },
  };
}

function keyed(coinType: string): KeyedCoin {
  return { coinType, key: coinType === suiCoinType ? shortType(coinType) : coinType.replaceAll(', ', ',') };
}

function quoteOf(wanted: ReadonlySet<string>, key: string, price: unknown, asOf: Date): [string, PriceQuote][] {
  const coinType = canonicalType(key);
  if (coinType === null || !wanted.has(coinType) || typeof price !== 'string') return [];
  const pricePicoUsd = picoUsdOf(price);
  return pricePicoUsd === null ? [] : [[coinType, { pricePicoUsd, confidence: null, asOf, source: sourceName }]];
}
