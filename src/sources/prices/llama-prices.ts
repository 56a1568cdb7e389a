import { z } from 'zod';
import { suiCoinType } from '../../shared/sui-address.ts';
import { fetchJson, callFailure } from '../bounded-fetch.ts';
import { type CallPolicyOptions, createCallPolicy } from '../call-policy.ts';
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

export interface PriceSourceOptions extends Pick<CallPolicyOptions, 'limits' | 'onAttempt'> {
  readonly baseUrl: string;
}

const upstream = 'DefiLlama';
const sourceName = 'defillama';
const coinsPerCallMax = 50;
const maxAnswerBytes = 1024 * 1024;

const row = z.object({ timestamp: z.number().int().positive().max(1e11).describe('Unix seconds') });
const pricedRow = row.extend({ price: z.number(), confidence: z.number().nullish() });
/** One bad part must not cost the others their price; if all parts have a wrong shape, the answer is malformed. */
const answerOf = (part: z.ZodType) =>
  z.object({
    coins: z
      .record(z.string(), z.unknown())
      .refine((coins) => hasExpectedForm(Object.values(coins), (each) => part.safeParse(each).success)),
  });
const currentAnswer = answerOf(row);

/** DefiLlama (`/prices/current/{keys}`), keyless. Reads all chunks at once; if one fails, the whole reading fails. */
export function createLlamaPrices({ baseUrl, ...policyOptions }: PriceSourceOptions): PriceSource {
  const policy = createCallPolicy({ upstream, ...policyOptions });
  const prefix = `${baseUrl.replace(/\/+$/, '')}/prices/current/`;
  const suffix = '?searchWidth=4h';

  const readChunk = async (chunk: readonly KeyedCoin[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const url = `${prefix}${joinedKeys(chunk)}${suffix}`;
    const { coins } = await policy(
      'prices',
      (signal) => fetchJson(url, {}, { upstream, maxAnswerBytes, signal }, currentAnswer),
      stop,
    );
    return new Map(chunk.flatMap(({ coinType, key }) => quoteOf(coinType, coins[key])));
  };

  return {
    readPrices: async (coinTypes, stop) => {
      const chunks = chunksOfCoins([...new Set(coinTypes)].flatMap(keyed), coinsPerCallMax, `${prefix}${suffix}`);
      return merged(await Promise.all(chunks.map((chunk) => readChunk(chunk, stop))));
    },
  };
}

/**
 * DefiLlama does not normalize: it knows SUI by its short type and every other coin by the 64-hex one (rulings R3). A
 * type with several arguments cannot be requested: its comma would end the key.
 */
function keyed(coinType: string): KeyedCoin[] {
  if (coinType.includes(',')) return [];
  return [{ coinType, key: coinType === suiCoinType ? 'sui:0x2::sui::SUI' : `sui:${coinType}` }];
}

/** An unreadable row, or one with an unreadable confidence, is an unknown price: null there would count as an estimate. */
function quoteOf(coinType: string, found: unknown): [string, PriceQuote][] {
  const { data, success } = pricedRow.safeParse(found);
  const pricePicoUsd = success ? picoUsdOf(data.price) : null;
  if (!success || pricePicoUsd === null) return [];
  const asOf = new Date(data.timestamp * 1000);
  return [[coinType, { pricePicoUsd, confidence: data.confidence ?? null, asOf, source: sourceName }]];
}

export interface PriceRange {
  readonly from: Date;
  readonly to: Date;
  /** One point per whole hour or midnight (UTC), from the last one before `from` to the first one after `to`. */
  readonly every: 'hour' | 'day';
}

/** By canonical coin type, oldest first, each with the time of its own record; absent: no prices of the coin in that range. */
type PastPrices = ReadonlyMap<string, readonly PriceQuote[]>;

export type PastPriceSource = ReturnType<typeof createPastPrices>;

/** `width`: how far from its point a record may be. */
const steps = {
  hour: { seconds: 3_600, period: '1h', width: '30m', widthSeconds: 1_800 },
  day: { seconds: 86_400, period: '1d', width: '6h', widthSeconds: 21_600 },
} as const satisfies Record<PriceRange['every'], unknown>;

/** DefiLlama refuses more than this, counted as coins times points (`getCoinPriceChart` of its server). */
const pointsPerCallMax = 500;
/** Ten coins share a call, fifty points each: over fourteen months of days that makes nine calls. */
const coinsPerChartMax = 10;
/** Only the newest are read: more than five years of days. A mistaken first day must not cost a thousand calls. */
const pointsPerCoinMax = 2_000;
/** DefiLlama looks up every point separately and may take 60 s. */
const patience = { attemptTimeoutMs: 20_000, totalTimeoutMs: 60_000 };

const pricedPoint = row.extend({ price: z.number() });
/** As with current prices: one bad part must not cost the others theirs; if all have a wrong shape, the answer is malformed. */
const chart = z.object({
  prices: z.array(z.unknown()).refine((prices) => hasExpectedForm(prices, (each) => row.safeParse(each).success)),
});
const pricedChart = chart.extend({ confidence: z.number().nullish() });
const chartAnswer = answerOf(chart);

/** DefiLlama's past prices (`/chart/{keys}`), keyless. One call at a time: the past is not urgent, and current prices come first. */
export function createPastPrices({ baseUrl, limits, ...policyOptions }: PriceSourceOptions) {
  const policy = createCallPolicy({ upstream, limits: { ...patience, ...limits }, ...policyOptions });
  const prefix = `${baseUrl.replace(/\/+$/, '')}/chart/`;

  const readWindow = async (coins: readonly KeyedCoin[], window: Window, stop?: AbortSignal): Promise<PastPrices> => {
    const url = `${prefix}${joinedKeys(coins)}${queryOf(window)}`;
    const { coins: charts } = await policy(
      'past-prices',
      (signal) => fetchJson(url, {}, { upstream, maxAnswerBytes, signal }, chartAnswer),
      stop,
    );
    return new Map(coins.map(({ coinType, key }) => [coinType, quotesOf(charts[key], window)]));
  };

  return {
    /**
     * Throws Unavailable if the source did not answer in full: a missing part would look like a coin without a price. An answer
     * without any price is malformed if SUI was requested, because SUI always has a price.
     */
    readPastPrices: async (
      coinTypes: readonly string[],
      range: PriceRange,
      stop?: AbortSignal,
    ): Promise<PastPrices> => {
      const wanted = [...new Set(coinTypes)].flatMap(keyed);
      const found: PastPrices[] = [];
      for (const coins of chunksOfCoins(wanted, coinsPerChartMax, `${prefix}${longestQuery}`)) {
        for (const window of windowsOf(range, coins.length)) {
          const quotes = await readWindow(coins, window, stop);
          if (lacksSui(quotes, window, range)) {
            throw callFailure(upstream, 'malformed-answer', {
              cause: new Error('No prices at all, not even for SUI'),
            });
          }
          found.push(quotes);
        }
      }
      return joined(found);
    },
  };
}

/** The first full day on which SUI was traded. */
const suiSinceSeconds = Date.parse('2023-05-04') / 1000;

/** SUI was requested for a time in which it had a price, and the answer has no prices at all. */
function lacksSui(quotes: PastPrices, { startSeconds }: Window, { to }: PriceRange): boolean {
  if (!quotes.has(suiCoinType) || startSeconds < suiSinceSeconds) return false;
  // The last point may be in the future: a window of that point alone has no prices yet.
  if (startSeconds * 1000 > to.getTime()) return false;
  return [...quotes.values()].every((each) => each.length === 0);
}

/** Consecutive points of one call. */
interface Window {
  readonly every: PriceRange['every'];
  readonly startSeconds: number;
  readonly points: number;
}

/** The points of a range, in as few calls as this number of coins allows. Empty if the range ends before it begins. */
function windowsOf({ from, to, every }: PriceRange, coins: number): readonly Window[] {
  const { seconds } = steps[every];
  const lastSeconds = Math.ceil(to.getTime() / 1000 / seconds) * seconds;
  const firstSeconds = Math.floor(from.getTime() / 1000 / seconds) * seconds;
  const points = Math.min(pointsPerCoinMax, (lastSeconds - firstSeconds) / seconds + 1);
  const startSeconds = lastSeconds - (points - 1) * seconds;
  const perCall = Math.floor(pointsPerCallMax / coins);
  return Array.from({ length: Math.max(0, Math.ceil(points / perCall)) }, (_, index) => ({
    every,
    startSeconds: startSeconds + index * perCall * seconds,
    points: Math.min(perCall, points - index * perCall),
  }));
}

function queryOf({ every, startSeconds, points }: Window): string {
  const { period, width } = steps[every];
  return `?start=${startSeconds}&span=${points}&period=${period}&searchWidth=${width}`;
}

const longestQuery = queryOf({ every: 'hour', startSeconds: 1e11, points: pointsPerCallMax });

/** Points outside the window were not requested. An unreadable chart, or one with an unreadable confidence, has no prices. */
function quotesOf(found: unknown, { every, startSeconds, points }: Window): readonly PriceQuote[] {
  const { data, success } = pricedChart.safeParse(found);
  if (!success) return [];
  const { seconds, widthSeconds } = steps[every];
  const firstSeconds = startSeconds - widthSeconds;
  const lastSeconds = startSeconds + (points - 1) * seconds + widthSeconds;
  const confidence = data.confidence ?? null;
  const quotes = data.prices.flatMap((each): PriceQuote[] => {
    const { data: priced } = pricedPoint.safeParse(each);
    const pricePicoUsd = priced === undefined ? null : picoUsdOf(priced.price);
    if (priced === undefined || pricePicoUsd === null) return [];
    if (priced.timestamp < firstSeconds || priced.timestamp > lastSeconds) return [];
    return [{ pricePicoUsd, confidence, asOf: new Date(priced.timestamp * 1000), source: sourceName }];
  });
  return quotes.slice(0, points);
}

/** Joins the parts. A record that belongs to two points appears once. */
function joined(parts: readonly PastPrices[]): PastPrices {
  const byCoin = new Map<string, Map<number, PriceQuote>>();
  for (const [coinType, quotes] of parts.flatMap((part) => [...part])) {
    const byTime = byCoin.get(coinType) ?? new Map<number, PriceQuote>();
    for (const quote of quotes) byTime.set(quote.asOf.getTime(), quote);
    if (byTime.size > 0) byCoin.set(coinType, byTime);
  }
  const oldestFirst = (left: [number, PriceQuote], right: [number, PriceQuote]): number => left[0] - right[0];
  return new Map(
    [...byCoin].map(([coinType, byTime]) => [coinType, [...byTime].sort(oldestFirst).map(([, quote]) => quote)]),
  );
}
