import { z } from 'zod';

import { payoutPlan, sha256, words } from './payouts-contract.ts';
import { amountModes, payoutStates, payoutWords, refusedTerms } from './core/payout-terms.ts';

/** The calls of the admin tab 'Payouts' (rulings R9). Amounts are base units as digits. */

const raw = z.string().regex(/^\d+$/);

/** A coin that the treasury has. */
const treasuryCoin = z.object({
  type: z.string(),
  symbol: z.string().nullable(),
  decimals: z
    .int()
    .nullable()
    .describe('null: the chain has no metadata of it, so it cannot be paid out, or it was not read yet'),
  isDescribed: z.boolean().describe('False: its metadata was not read yet'),
  balanceRaw: raw,
});
export type TreasuryCoin = z.infer<typeof treasuryCoin>;

/** What a plan comes to. */
const outcome = z.object({
  rocks: z.int(),
  holders: z.int(),
  shareRaw: raw,
  totalRaw: raw,
  remainderRaw: raw,
  leftRaw: z
    .string()
    .regex(/^-?\d+$/)
    .nullable()
    .describe(
      'What the treasury has of the coin now, less the total, without gas; null: not known. Below 0: it has too little',
    ),
  leftOut: payoutPlan.shape.leftOut,
  transactions: z.int(),
  gasMist: raw.describe(
    'An estimate of what it costs to store one coin for each holder; the simulation gives the exact figure',
  ),
  newHolders: z.int().nullable().describe('Paid by this one but not by the last one; null: there is no last one'),
  goneHolders: z.int().nullable(),
});
export type PlanOutcome = z.infer<typeof outcome>;

/** POST /api/admin/payouts/preview: with the owners that are known now. */
export const previewAnswer = z.object({
  data: z.object({
    outcome: outcome.nullable(),
    message: z.string().nullable().describe('Why there is no plan'),
    about: z
      .enum(refusedTerms)
      .nullable()
      .describe('Which of the terms is not possible, so nothing is stored; null: none'),
  }),
});
export type PreviewAnswer = z.infer<typeof previewAnswer>;

const adminPayout = z.object({
  id: z.int(),
  version: z.int().describe('For If-Match'),
  state: z.enum(payoutStates),
  terms: z.object({
    title: z.string(),
    reason: z.string(),
    coinType: z.string(),
    amount: z.object({ mode: z.enum(amountModes), raw }),
    leftOut: z.array(z.object({ address: z.string(), reason: z.string() })),
  }),
  snapshot: z.object({ askedAt: z.iso.datetime().nullable(), problem: z.string().nullable() }),
  plan: z
    .object({ sha256, coin: payoutPlan.shape.coin, checkpoint: raw, at: z.iso.datetime(), outcome })
    .nullable()
    .describe('For a draft: what would be published; null: no snapshot was taken'),
  publishedAt: z.iso.datetime().nullable(),
  withdrawn: z.object({ at: z.iso.datetime(), by: z.string(), reason: z.string() }).nullable(),
  updated: z.object({ at: z.iso.datetime(), by: z.string() }),
});
export type AdminPayout = z.infer<typeof adminPayout>;

/** GET /api/admin/payouts, newest first. */
export const adminPayoutsAnswer = z.object({
  data: z.object({
    payouts: z.array(adminPayout),
    coins: z.array(treasuryCoin).nullable().describe('null: the treasury was never read'),
  }),
});
export type AdminPayoutsAnswer = z.infer<typeof adminPayoutsAnswer>;

export const adminPayoutAnswer = z.object({ data: adminPayout });

/** 409: somebody else saved meanwhile (rulings R6). */
export const stalePayout = z.object({ message: z.string(), code: z.literal('stale'), current: adminPayout });

export const publishBody = z.strictObject({ sha256 });
export const withdrawBody = z.strictObject({ reason: words('reason', payoutWords.withdrawnReason) });
