import { z } from 'zod';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalType, shortType, suiCoinType } from '../../shared/sui-address.ts';
import { fetchJson, type CallFailureReason } from '../bounded-fetch.ts';
import { createCallPolicy } from '../call-policy.ts';
import type { PriceSourceOptions } from './llama-prices.ts';
import {
  type AskedCoin,
  chunksOfCoins,
  isMadeOf,
  joinedKeys,
  merged,
  picoUsdOf,
  type PriceQuote,
  type PriceQuotes,
  type PartialPriceSource,
} from './price-quote.ts';

const upstream = 'GeckoTerminal';
const sourceName = 'geckoterminal';
/** GeckoTerminal's own maximum for `token_price`. */
const coinsPerCallMax = 30;
/** A third of the 30 calls a minute, so that a refresh a minute has room for its repeated attempts. */
const callsPerReadMax = 10;
const callsAtOnceMax = 3;
const maxAnswerBytes = 1024 * 1024;

/** One bad price must not cost the other coins theirs; prices that are all of another type are no answer. */
const tokenPrices = z
  .record(z.string(), z.unknown())
  .refine((prices) => isMadeOf(Object.values(prices), (each) => each === null || typeof each === 'string'));
const answer = z.object({ data: z.object({ attributes: z.object({ token_prices: tokenPrices }) }) });

/**
 * GeckoTerminal, keyless, 30 calls a minute. Coins beyond `callsPerReadMax` chunks are left for the next read, and a chunk
 * that fails takes nothing from the others. It gives neither a confidence nor a time: the time is when it was asked.
 */
export function createGeckoPrices(
  { baseUrl, ...policyOptions }: PriceSourceOptions,
  now: () => Date = () => new Date(),
): PartialPriceSource {
  const policy = createCallPolicy({ upstream, ...policyOptions });
  const prefix = `${baseUrl.replace(/\/+$/, '')}/api/v2/simple/networks/sui-network/token_price/`;

  const readChunk = async (chunk: readonly AskedCoin[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const url = `${prefix}${joinedKeys(chunk)}`;
    const { data } = await policy(
      'prices',
      (signal) => fetchJson(url, {}, { upstream, maxAnswerBytes, signal }, answer),
      stop,
    );
    const wanted = new Set(typesOf(chunk));
    return new Map(
      Object.entries(data.attributes.token_prices).flatMap(([key, price]) => quoteOf(wanted, key, price, now())),
    );
  };

  return {
    readAnswered: async (coinTypes, stop) => {
      const asked = [...new Set(coinTypes)].map(askFor);
      const chunks = chunksOfCoins(asked, coinsPerCallMax, prefix).slice(0, callsPerReadMax);
      const { answers, failures } = await askAll(chunks, (chunk) => readChunk(chunk, stop));
      const decisive = answers.length === 0 ? failures[0] : failures.find(({ reason }) => reason === 'stopped');
      if (decisive !== undefined) throw decisive;
      return {
        quotes: merged(answers.map(({ quotes }) => quotes)),
        answered: new Set(answers.flatMap(({ chunk }) => typesOf(chunk))),
      };
    },
  };
}

function askFor(coinType: string): AskedCoin {
  return { coinType, key: coinType === suiCoinType ? shortType(coinType) : coinType.replaceAll(', ', ',') };
}

function typesOf(chunk: readonly AskedCoin[]): string[] {
  return chunk.map(({ coinType }) => coinType);
}

interface AnsweredChunk {
  readonly chunk: readonly AskedCoin[];
  readonly quotes: PriceQuotes;
}

/** About the service, not about the coins asked for: another chunk would fail as well. */
const endingReasons: ReadonlySet<string> = new Set<CallFailureReason>([
  'rate-limited',
  'timeout',
  'network',
  'breaker-open',
  'stopped',
]);

async function askAll(
  chunks: readonly (readonly AskedCoin[])[],
  ask: (chunk: readonly AskedCoin[]) => Promise<PriceQuotes>,
): Promise<{ readonly answers: readonly AnsweredChunk[]; readonly failures: readonly Unavailable[] }> {
  const answers: AnsweredChunk[] = [];
  const failures: Unavailable[] = [];
  const waiting = [...chunks];
  const worker = async (): Promise<void> => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      try {
        answers.push({ chunk, quotes: await ask(chunk) });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        failures.push(error);
        if (endingReasons.has(error.reason)) waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: callsAtOnceMax }, worker));
  return { answers, failures };
}

function quoteOf(wanted: ReadonlySet<string>, key: string, price: unknown, asOf: Date): [string, PriceQuote][] {
  const coinType = canonicalType(key);
  if (coinType === null || !wanted.has(coinType) || typeof price !== 'string') return [];
  const pricePicoUsd = picoUsdOf(price);
  return pricePicoUsd === null ? [] : [[coinType, { pricePicoUsd, confidence: null, asOf, source: sourceName }]];
}
