import { z } from 'zod';
import type { Answer } from '../service/answer.ts';
import { jsonAnswer } from '../service/answer.ts';
import type { WorldContext } from '../world/state.ts';
import { namesOf, parseDuration, priceFor } from './llama-coins.ts';
import { recordsOf } from './past-price.ts';

/** DefiLlama's limit on coins times points per call (getCoinPriceChart of DefiLlama/defillama-server, read 2026-11-26). */
const pointsMax = 500;

type Times = { timesMs: number[]; widthMs: number };
type Asked = { keys: readonly string[]; query: URLSearchParams };

/** `GET /chart/{coins}`: prices at regular times; each has the time of its record, and no record appears twice. */
export function chartAnswer(world: WorldContext, seed: number, { keys, query }: Asked): Answer {
  const times = timesOf(query, world.now().getTime());
  if (typeof times === 'string') return jsonAnswer(400, { message: times });
  if (keys.length * times.timesMs.length > pointsMax) {
    return jsonAnswer(400, { message: `Requested more than the maximum of ${pointsMax} data points.` });
  }
  const coins = keys.flatMap((key) => {
    const chart = chartOf(world, seed, key, times);
    return chart === null ? [] : [[key, chart] as const];
  });
  return jsonAnswer(200, { coins: Object.fromEntries(coins) });
}

function chartOf(world: WorldContext, seed: number, key: string, { timesMs, widthMs }: Times) {
  const price = priceFor(world.state, key);
  if (price === null) return null;
  const records = recordsOf(world, price, seed);
  const found = timesMs.map((atMs) => records.nearest(atMs, widthMs)).filter((record) => record !== null);
  if (found.length === 0) return null;
  const { decimals, symbol } = namesOf(world.state, price);
  const byTime = new Map(found.map(({ atMs, priceUsd }) => [atMs / 1000, priceUsd]));
  const prices = [...byTime].sort(([left], [right]) => left - right);
  return {
    symbol,
    confidence: price.confidence,
    decimals,
    prices: prices.map(([timestamp, priceUsd]) => ({ timestamp, price: priceUsd })),
  };
}

const wholeNumber = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);
const duration = z.string().transform((text, problems) => {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) problems.addIssue('Not a duration');
  return milliseconds ?? z.NEVER;
});
const parameters = z
  .strictObject({
    start: wholeNumber.optional(),
    end: wholeNumber.optional(),
    span: wholeNumber.default(0),
    period: duration.prefault('d'),
    searchWidth: duration.optional(),
  })
  .refine(({ start, end }) => start === undefined || end === undefined, 'use either start or end parameter, not both');

/** The requested times, forward from `start` or back from `end` (default: now); a string is an error message. */
function timesOf(query: URLSearchParams, nowMs: number): Times | string {
  const { data, error } = parameters.safeParse(Object.fromEntries(query));
  if (error) return z.prettifyError(error);
  const { start, end, span, period, searchWidth = period / 10 } = data;
  const fromMs = (start ?? end ?? Math.floor(nowMs / 1000)) * 1000;
  const stepMs = start === undefined ? -period : period;
  // One point over the limit is enough for a refusal.
  const count = Math.min(pointsMax + 1, Math.max(1, span));
  return { timesMs: Array.from({ length: count }, (_, index) => fromMs + index * stepMs), widthMs: searchWidth };
}
