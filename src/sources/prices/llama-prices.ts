import { z } from 'zod';
import { suiCoinType } from '../../shared/sui-address.ts';
import { fetchJson } from '../bounded-fetch.ts';
import { type CallPolicyOptions, createCallPolicy } from '../call-policy.ts';
import {
  type AskedCoin,
  chunksOfCoins,
  isMadeOf,
  joinedKeys,
  merged,
  picoUsdOf,
  type PriceQuote,
  type PriceQuotes,
  type PriceSource,
} from './price-quote.ts';

export interface PriceSourceOptions extends Pick<CallPolicyOptions, 'limits' | 'onAttempt' | 'stop'> {
  readonly baseUrl: string;
}

export const upstream = 'DefiLlama';
export const sourceName = 'defillama';
const coinsPerCallMax = 50;
const maxAnswerBytes = 1024 * 1024;

const row = z.object({ timestamp: z.number().int().positive().max(1e11).describe('Unix seconds') });
const pricedRow = row.extend({ price: z.number(), confidence: z.number().nullish() });
/** One bad row must not cost the others their price; rows that are all of another shape are no answer. */
const answer = z.object({
  coins: z
    .record(z.string(), z.unknown())
    .refine((coins) => isMadeOf(Object.values(coins), (each) => row.safeParse(each).success)),
});

/** DefiLlama (`/prices/current/{keys}`), keyless. All chunks at once; one that fails fails the read. */
export function createLlamaPrices({ baseUrl, ...policyOptions }: PriceSourceOptions): PriceSource {
  const policy = createCallPolicy({ upstream, ...policyOptions });
  const prefix = `${baseUrl.replace(/\/+$/, '')}/prices/current/`;
  const suffix = '?searchWidth=4h';

  const readChunk = async (chunk: readonly AskedCoin[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const url = `${prefix}${joinedKeys(chunk)}${suffix}`;
    const { coins } = await policy(
      'prices',
      (signal) => fetchJson(url, {}, { upstream, maxAnswerBytes, signal }, answer),
      stop,
    );
    return new Map(chunk.flatMap(({ coinType, key }) => quoteOf(coinType, coins[key])));
  };

  return {
    readPrices: async (coinTypes, stop) => {
      const chunks = chunksOfCoins([...new Set(coinTypes)].flatMap(askFor), coinsPerCallMax, `${prefix}${suffix}`);
      return merged(await Promise.all(chunks.map((chunk) => readChunk(chunk, stop))));
    },
  };
}

/**
 * DefiLlama does not normalise: it knows SUI by its short type and every other coin by the 64-hex one (rulings R3). A
 * type with several arguments cannot be asked for: the comma in it would end the key.
 */
export function askFor(coinType: string): AskedCoin[] {
  if (coinType.includes(',')) return [];
  return [{ coinType, key: coinType === suiCoinType ? 'sui:0x2::sui::SUI' : `sui:${coinType}` }];
}

/** A row that cannot be read, down to its confidence, is an unknown price: null there would count as an estimate. */
function quoteOf(coinType: string, found: unknown): [string, PriceQuote][] {
  const { data, success } = pricedRow.safeParse(found);
  const pricePicoUsd = success ? picoUsdOf(data.price) : null;
  if (!success || pricePicoUsd === null) return [];
  const asOf = new Date(data.timestamp * 1000);
  return [[coinType, { pricePicoUsd, confidence: data.confidence ?? null, asOf, source: sourceName }]];
}
