import { z } from 'zod';
import { address, payoutPlan, raw, rockNumbers, sha256, words } from './payouts-contract.ts';
import {
  amountModes,
  chainCheckResults,
  digestPattern,
  notADigest,
  payoutStates,
  payoutWords,
  refusedTerms,
  transactionStates,
} from './core/payout-words.ts';

/** The calls of the admin tab 'Payouts' (rulings R9). Amounts are base units as digits, gas is MIST; addresses are canonical, bytes are base64. */

/** A coin that the treasury has. */
const treasuryCoin = z.object({
  type: z.string(),
  symbol: z.string().nullable(),
  decimals: z
    .int()
    .nullable()
    .describe('null: the chain has no metadata for it, or it was not read yet; it cannot be paid out'),
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
  leftRaw: z
    .string()
    .regex(/^-?\d+$/)
    .nullable()
    .describe(
      'The treasury’s balance of the coin now, minus the total, without gas; null: not known. Below 0: it has too little',
    ),
  leftOut: payoutPlan.shape.leftOut,
  transactions: z.int(),
  gasMist: raw.describe(
    'An estimate of what it costs to store one coin for each holder; the simulation gives the exact figure',
  ),
  newHolders: z
    .int()
    .nullable()
    .describe('Holders paid by this payout but not by the last one; null: there is no last one'),
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
      .describe('Which of the terms makes the plan impossible, so that nothing is stored; null: none'),
    unowned: z
      .array(z.int())
      .describe('Rocks whose owner is not known, which stops the plan. Each can be left out by its number'),
  }),
});
export type PreviewAnswer = z.infer<typeof previewAnswer>;

/** Who a draft leaves out, as stored. */
export const draftLeftOut = z.array(
  z.object({ address: z.string().nullable(), rocks: rockNumbers.optional(), reason: z.string() }),
);

const adminPayout = z.object({
  id: z.int(),
  version: z.int().describe('For If-Match'),
  state: z.enum(payoutStates),
  terms: z.object({
    title: z.string(),
    reason: z.string(),
    coinType: z.string(),
    amount: z.object({ mode: z.enum(amountModes), raw }),
    leftOut: draftLeftOut,
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

/** 409: someone else saved in the meantime (rulings R6). */
export const stalePayout = z.object({ message: z.string(), code: z.literal('stale'), current: adminPayout });

export const publishBody = z.strictObject({ sha256 });
export const withdrawBody = z.strictObject({ reason: words('reason', payoutWords.withdrawnReason) });

/* Paying a published payout. The product holds no key: it builds a transaction, the team signs it, and only the chain says what happened. */

/** Below zero: more storage is refunded than used, as when many coin objects become one. */
const gasMist = z.string().regex(/^-?(?:0|[1-9]\d{0,77})$/);
export const transactionDigest = z.string().regex(digestPattern, notADigest);

const payoutTransaction = z.object({
  digest: transactionDigest,
  state: z.enum(transactionStates),
  lines: z.int().min(1).describe('How many lines of the plan it pays'),
  totalRaw: raw.describe('Sum of these lines: what leaves the treasury, without gas'),
  gasBudgetMist: raw.describe('The most that it can cost'),
  gasMist: gasMist.describe('What it costs as simulated; below zero: more storage is refunded than used'),
  builtAt: z.iso.datetime(),
  builtBy: z.string().describe('The account that asked for it'),
  expiresEpoch: z.int().describe('The last epoch in which it can be executed; an epoch is about a day'),
  executedAt: z.iso.datetime().nullable().describe('Time of its checkpoint; null: not executed, or not read yet'),
  explorerUrl: z.string(),
  bytes: z
    .string()
    .nullable()
    .describe('Base64 of the transaction data to sign; null: it no longer waits, or must not be signed'),
  problem: z
    .string()
    .nullable()
    .describe(
      'While it waits: why it must not be signed, though it still could be executed. A sentence for the person who pays',
    ),
  received: z
    .array(z.object({ address, raw, rocks: z.array(z.int().min(1)).describe('Rock numbers of the plan, ascending') }))
    .nullable()
    .describe(
      'Each line that it pays, by address; the simulation of exactly these bytes equals them to the unit. null: it no longer waits',
    ),
});
export type PayoutTransaction = z.infer<typeof payoutTransaction>;

const transactionsData = z.object({
  transactions: z.array(payoutTransaction).describe('Newest first'),
  open: z
    .object({ lines: z.int(), raw })
    .describe('Lines not yet paid on chain, including those of the waiting transaction'),
});

/** GET and POST /api/admin/payouts/{id}/transactions, POST …/{digest}/send */
export const payoutTransactionsAnswer = z.object({ data: transactionsData });
export type PayoutTransactionsAnswer = z.infer<typeof payoutTransactionsAnswer>;

/** POST /api/admin/payouts/{id}/transactions/{digest}/send. A serialized signature as wallets and the Sui CLI give it. */
const signatureLengthMax = 22_000;
export const sendTransactionBody = z.strictObject({
  signature: z.string().min(1).max(signatureLengthMax).describe('The treasury’s, or for a multisig the combined one'),
});

/** POST /api/admin/payouts/{id}/transactions/check: reads the chain now, for a transaction executed elsewhere. */
export const chainCheckBody = z.strictObject({
  digest: transactionDigest.nullable().describe('null: only read the chain to its end'),
});
export const chainCheckAnswer = z.object({
  data: z.object({
    ...transactionsData.shape,
    found: z
      .enum(chainCheckResults)
      .nullable()
      .describe('The result for the given digest, built here or elsewhere; null: no digest was given'),
  }),
});
export type ChainCheckAnswer = z.infer<typeof chainCheckAnswer>;
