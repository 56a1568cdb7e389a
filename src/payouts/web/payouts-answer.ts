import * as z from 'zod/mini';

import { list, number, oneOf, orNull, part, rows, text, time } from '../../ui/api/answer-schema.ts';
import { browserSha256, readPublishedFile } from '../../ui/api/published-file.ts';
import { examinePlan } from '../core/check/check-plan.ts';

/** What the pages read of GET /api/payouts and /api/payouts/{id} (rulings R9). null: not known. */

const digits = z.string().check(z.regex(/^\d{1,100}$/));
const coin = z.object({ type: z.string(), symbol: z.string(), decimals: z.number() });
const ofCoin = z.object({ coin, raw: digits });
export type CoinAmount = z.infer<typeof ofCoin>;

const summaryFields = {
  id: z.number(),
  title: z.string(),
  reason: text,
  state: oneOf('published', 'paying', 'paid', 'withdrawn'),
  coin,
  shareRaw: digits,
  totalRaw: digits,
  remainderRaw: orNull(digits),
  paidRaw: orNull(digits),
  rocks: number,
  holders: number,
  lines: part({ open: z.number(), paid: z.number(), paidOtherwise: z.number(), paidTwice: z.number() }),
  snapshot: part({ checkpoint: z.string(), at: time }),
  publishedAt: time,
  sha256: text,
  withdrawn: part({ at: time, reason: z.string() }),
};
const summary = z.object(summaryFields);
export type ShownSummary = z.infer<typeof summary>;

export const payoutsPath = '/api/payouts';
export const payoutsPageAnswer = z.object({
  asOf: time,
  payouts: list(summary),
  perRock: list(ofCoin),
  distributed: rows(ofCoin),
});

const payment = z.object({ digest: z.string(), at: time, address: z.string(), raw: digits, explorerUrl: z.string() });
export type ShownPayment = z.infer<typeof payment>;

const line = z.object({
  address: z.string(),
  raw: digits,
  rocks: z.array(z.number()),
  name: text,
  state: oneOf('open', 'paid', 'paid-otherwise', 'paid-twice'),
  payments: list(payment),
});
export type ShownLine = z.infer<typeof line>;

export const payoutPageAnswer = z.object({
  ...summaryFields,
  asOf: time,
  leftOut: rows(z.object({ address: z.nullable(z.string()), reason: z.string(), rocks: z.array(z.number()) })),
  total: number,
  page: number,
  pageSize: number,
  found: list(line),
  strays: list(payment),
});
export type ShownPayout = z.infer<typeof payoutPageAnswer>;

/** The plan at this address, recalculated in this browser. Throws ApiError. */
export async function examinePlanAt(path: string, publishedSha256: string | null) {
  return examinePlan({ file: await readPublishedFile(path), publishedSha256, sha256: browserSha256() });
}
