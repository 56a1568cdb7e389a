import * as z from 'zod/mini';
import { described } from '../shared/answer-fields.ts';
import { payoutLine, payoutPlan, raw, rockNumbers, sha256 } from './payouts-contract.ts';
import { amountModes, chainCheckResults, payoutStates, refusedTerms, transactionStates } from './core/payout-words.ts';

/** The calls of the admin tab 'Payouts' (rulings R9). Amounts are base units as digits, gas is MIST; addresses are canonical, bytes are base64. */

/** Below zero: the treasury has too little, or the storage refund of a transaction is higher than its cost. */
const signedRaw = z.string().check(z.regex(/^-?(?:0|[1-9]\d{0,77})$/));

/** A coin that the treasury has. */
const treasuryCoin = z.object({
  type: z.string(),
  symbol: z.nullable(z.string()),
  decimals: described(
    z.nullable(z.int()),
    'null: the chain has no metadata for it, or it was not read yet; it cannot be paid out',
  ),
  balanceRaw: raw,
});
export type TreasuryCoin = z.infer<typeof treasuryCoin>;

/** The figures of a plan. */
const outcome = z.object({
  rocks: z.int(),
  holders: z.int(),
  shareRaw: raw,
  totalRaw: raw,
  remainderRaw: raw,
  leftRaw: described(
    z.nullable(signedRaw),
    'The treasury’s balance of the coin now, minus the total, without gas; null: not known. Below 0: it has too little',
  ),
  leftOut: payoutPlan.shape.leftOut,
  transactions: z.int(),
  gasMist: described(
    raw,
    'An estimate of what it costs to store one coin for each holder; the simulation gives the exact figure',
  ),
  newHolders: described(
    z.nullable(z.int()),
    'Holders paid by this payout but not by the last one; null: there is no last one',
  ),
  goneHolders: z.nullable(z.int()),
});
export type PlanOutcome = z.infer<typeof outcome>;

/** POST /api/admin/payouts/preview: with the owners that are known now. */
export const previewAnswer = z.object({
  outcome: z.nullable(outcome),
  message: described(z.nullable(z.string()), 'Why there is no plan'),
  about: described(
    z.nullable(z.enum(refusedTerms)),
    'Which of the terms makes the plan impossible, so that nothing is stored; null: none',
  ),
  unowned: described(
    z.array(z.int()),
    'Rocks whose owner is not known, which stops the plan. Each can be left out by its number',
  ),
});
export type PreviewAnswer = z.infer<typeof previewAnswer>;

/** Who a draft leaves out, as stored. */
export const draftLeftOut = z.array(
  z.object({ address: z.nullable(z.string()), rocks: z.optional(rockNumbers), reason: z.string() }),
);

export const adminPayout = z.object({
  id: z.int(),
  version: described(z.int(), 'For If-Match'),
  state: z.enum(payoutStates),
  terms: z.object({
    title: z.string(),
    reason: z.string(),
    coinType: z.string(),
    amount: z.object({ mode: z.enum(amountModes), raw }),
    leftOut: draftLeftOut,
  }),
  snapshot: z.object({ askedAt: z.nullable(z.iso.datetime()), problem: z.nullable(z.string()) }),
  plan: described(
    z.nullable(z.object({ sha256, coin: payoutPlan.shape.coin, checkpoint: raw, at: z.iso.datetime(), outcome })),
    'For a draft: what would be published; null: no snapshot was taken',
  ),
  publishedAt: z.nullable(z.iso.datetime()),
  withdrawn: z.nullable(z.object({ at: z.iso.datetime(), by: z.string(), reason: z.string() })),
  updated: z.object({ at: z.iso.datetime(), by: z.string() }),
});
export type AdminPayout = z.infer<typeof adminPayout>;

/** GET /api/admin/payouts, newest first. */
export const adminPayoutsAnswer = z.object({
  payouts: z.array(adminPayout),
  coins: described(z.nullable(z.array(treasuryCoin)), 'null: the treasury was never read'),
});
export type AdminPayoutsAnswer = z.infer<typeof adminPayoutsAnswer>;

/** 409: someone else saved in the meantime (rulings R6). */
export const stalePayout = z.object({ message: z.string(), code: z.literal('stale'), current: adminPayout });

/* Paying a published payout. The product holds no key: it builds a transaction, the team signs it, and only the chain says what happened. */

const payoutTransaction = z.object({
  digest: z.string(),
  state: z.enum(transactionStates),
  lines: described(z.int(), 'How many lines of the plan it pays'),
  totalRaw: described(raw, 'Sum of these lines: what leaves the treasury, without gas'),
  gasBudgetMist: described(raw, 'The most that it can cost'),
  gasMist: described(signedRaw, 'What it costs as simulated; below zero: more storage is refunded than used'),
  builtAt: z.iso.datetime(),
  builtBy: described(z.string(), 'The account that asked for it'),
  expiresEpoch: described(z.int(), 'The last epoch in which it can be executed; an epoch is about a day'),
  executedAt: described(z.nullable(z.iso.datetime()), 'Time of its checkpoint; null: not executed, or not read yet'),
  explorerUrl: z.string(),
  bytes: described(
    z.nullable(z.string()),
    'Base64 of the transaction data to sign; null: it no longer waits, or must not be signed',
  ),
  problem: described(
    z.nullable(z.string()),
    'While it waits: why it must not be signed, though it still could be executed. A sentence for the person who pays',
  ),
  received: described(
    z.nullable(z.array(payoutLine)),
    'Each line that it pays, by address; the simulation of exactly these bytes equals them to the unit. null: it no longer waits',
  ),
});
export type PayoutTransaction = z.infer<typeof payoutTransaction>;

/** GET and POST /api/admin/payouts/{id}/transactions, POST …/{digest}/send */
export const payoutTransactionsAnswer = z.object({
  transactions: described(z.array(payoutTransaction), 'Newest first'),
  open: described(
    z.object({ lines: z.int(), raw }),
    'Lines not yet paid on chain, including those of the waiting transaction',
  ),
});

export type PayoutTransactionsAnswer = z.infer<typeof payoutTransactionsAnswer>;

/** POST /api/admin/payouts/{id}/transactions/check. */
export const chainCheckAnswer = z.object({
  ...payoutTransactionsAnswer.shape,
  found: described(
    z.nullable(z.enum(chainCheckResults)),
    'The result for the given digest, built here or elsewhere; null: no digest was given',
  ),
});
export type ChainCheckAnswer = z.infer<typeof chainCheckAnswer>;
