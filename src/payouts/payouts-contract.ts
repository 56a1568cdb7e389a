import { z } from 'zod';

import { cleanText } from '../shared/foreign-text.ts';
import { walletAddress } from '../shared/parsed-text.ts';
import { canonicalType } from '../shared/sui-address.ts';
import { amountModes, lineStates, payoutStates, payoutWords } from './core/payout-words.ts';
import type { Trx } from '../db/transaction.ts';

/** Payouts to the holders of rocks (rulings R9). Amounts are base units as digits; addresses and types are canonical. */

export const raw = z.string().regex(/^(?:0|[1-9]\d{0,77})$/);
export const address = z.string().regex(/^0x[0-9a-f]{64}$/);
export const rockNumbers = z.array(z.int().min(1)).describe('Ascending');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** In the path of a call. */
export const payoutId = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'The number of a payout is a whole number, 1 or more.')
  .transform(Number);

/** How many rows a draft may leave out, besides the treasury. */
const leftOutMax = 100;

const coin = z.object({ type: z.string(), symbol: z.string(), decimals: z.int() });

const payoutLine = z.object({ address, raw, rocks: rockNumbers });
export type PayoutLine = z.infer<typeof payoutLine>;

/** At least 1 base unit, at most 31 digits: no coin has more. */
const amountRaw = z.string().regex(/^[1-9]\d{0,30}$/, 'An amount is a whole number of base units above 0.');
export const words = (what: string, max: number) =>
  z
    .string()
    .transform((text) => cleanText(text, max))
    .refine((text) => text !== '', { error: `The ${what} has no visible letter.` });

const rocksLeftOutMax = 1_000;

/** An address, or the numbers of rocks without a known owner and the address null. */
const leftOutRow = z
  .strictObject({
    address: walletAddress.nullable(),
    rocks: rockNumbers.max(rocksLeftOutMax).optional(),
    reason: words('reason', payoutWords.leftOutReason),
  })
  .refine(({ address: who, rocks = [] }) => (who === null) === rocks.length > 0, {
    error: 'Leave out an address, or rocks without a known owner by their numbers.',
  });

/** The terms of a draft. `leftOut`: who is left out besides the treasury, each with a reason that is published. */
export const draftTerms = z.strictObject({
  title: words('title', payoutWords.title),
  reason: words('reason', payoutWords.reason),
  coinType: z
    .string()
    .max(500)
    .refine((text) => canonicalType(text) !== null, { error: 'This is not a coin type.' })
    .transform((text) => canonicalType(text) ?? text),
  amount: z.strictObject({ mode: z.enum(amountModes), raw: amountRaw }),
  leftOut: z.array(leftOutRow).max(leftOutMax).default([]),
});
export type DraftTerms = z.output<typeof draftTerms>;

/** The plan that is published as canonical JSON. It never changes after that. */
export const payoutPlan = z.object({
  version: z.literal(1),
  payout: z.int().min(1),
  network: z.string(),
  chainId: z.string().nullable(),
  treasury: address,
  collection: z.string(),
  title: z.string(),
  reason: z.string(),
  coin,
  amount: z.object({ mode: z.enum(amountModes), raw }),
  snapshot: z.object({ checkpoint: raw, at: z.iso.datetime(), rocks: z.int() }),
  leftOut: z
    .array(z.object({ address: address.nullable(), reason: z.string(), rocks: rockNumbers }))
    .describe('Sorted by address; last, rocks without a known owner, with the address null'),
  shareRaw: raw.describe('The share of each paid rock'),
  totalRaw: raw.describe('The sum of the lines'),
  remainderRaw: raw.describe('What stays in the treasury because it cannot be shared equally'),
  lines: z.array(payoutLine).describe('Sorted by address, each address once'),
});
export type PayoutPlan = z.infer<typeof payoutPlan>;

const payment = z.object({
  digest: z.string(),
  checkpoint: raw.describe('The checkpoint of the transaction'),
  at: z.iso.datetime(),
  address: address.describe('Who was paid'),
  raw,
  explorerUrl: z.string(),
});

/** A published payout: the amounts of its plan, and its state on chain. */
const payoutSummary = z.object({
  id: z.int(),
  title: z.string(),
  reason: z.string(),
  state: z.enum(payoutStates).exclude(['draft']),
  coin,
  shareRaw: raw,
  totalRaw: raw,
  remainderRaw: raw,
  paidRaw: raw.describe('What the addresses of the plan have received, at most what the plan gives them'),
  rocks: z.int().describe('Rocks that are paid'),
  holders: z.int(),
  lines: z.object({ open: z.int(), paid: z.int(), paidOtherwise: z.int(), paidTwice: z.int() }),
  snapshot: z.object({ checkpoint: raw, at: z.iso.datetime() }),
  publishedAt: z.iso.datetime(),
  sha256: sha256.describe('Of the bytes of plan.json'),
  withdrawn: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
});
export type PayoutSummary = z.infer<typeof payoutSummary>;

/** GET /api/payouts, newest first. */
export const payoutsAnswer = z.object({
  data: z.object({
    asOf: z.iso.datetime().nullable().describe('When the chain was last read; null: never'),
    payouts: z.array(payoutSummary),
    perRock: z
      .array(z.object({ coin, raw }))
      .describe('What one rock has received from all payouts that were paid in full and as planned, by coin'),
    distributed: z.array(z.object({ coin, raw })).describe('What the addresses of all plans have received, by coin'),
  }),
});
export type PayoutsAnswer = z.infer<typeof payoutsAnswer>;

export const payoutPageSize = 100;

/** GET /api/payouts/{id}: a page of its lines, those of one rock, or that of one address. */
export const payoutAnswer = z.object({
  data: z.object({
    ...payoutSummary.shape,
    asOf: z.iso.datetime().nullable(),
    leftOut: payoutPlan.shape.leftOut,
    total: z.int().describe('How many lines match'),
    page: z.int(),
    pageSize: z.int(),
    found: z.array(
      z.object({
        ...payoutLine.shape,
        name: z.string().nullable(),
        state: z.enum(lineStates),
        payments: z.array(payment),
      }),
    ),
    strays: z.array(payment).describe('Payments in transactions of this payout to addresses without a line'),
  }),
});
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

/** What the team posts about a payout in groups and channels, and what holders get by direct message (rulings R9). */

export const announcementKinds = ['published', 'paid'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

const placesAtOnceMax = 100;
const place = z
  .string()
  .regex(/^(?:telegram:-?[1-9]\d{0,18}|discord:\d{5,20})$/)
  .describe('telegram:<chat id> or discord:<channel id>');

/** POST /api/admin/payouts/{id}/announcements. A card that was already posted in a place is not posted there again. */
export const announceBody = z.strictObject({
  kind: z.enum(announcementKinds),
  places: z.array(place).min(1, { error: 'Choose at least one place.' }).max(placesAtOnceMax),
});

/** GET and POST /api/admin/payouts/{id}/announcements. Names of places are untrusted text. */
export const announcementsAnswer = z.object({
  data: z.object({
    cards: z.array(
      z.object({
        kind: z.enum(announcementKinds),
        text: z.string().describe('As it would be posted now, as plain text'),
        refusal: z.string().nullable().describe('Why it cannot be posted now; null: it can'),
      }),
    ),
    places: z.array(
      z.object({ place, name: z.string(), trouble: z.string().nullable().describe('Why nothing can be posted there') }),
    ),
    posted: z.array(
      z.object({
        kind: z.enum(announcementKinds),
        place,
        name: z.string(),
        state: z
          .enum(['waiting', 'posted', 'failed', 'not-kept'])
          .describe('not-kept: so long ago that the bots no longer have a record of it'),
        reason: z.string().nullable().describe('Why it waits or failed, in the platform’s words'),
        isDoubtful: z.boolean().describe('An answer was lost, so it may have been posted twice'),
        askedAt: z.iso.datetime(),
        askedBy: z.string(),
        postedAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
});
export type AnnouncementsAnswer = z.infer<typeof announcementsAnswer>;

/** Plain text: each platform escapes and formats it in its own way. */
export interface Card {
  /** One emoji. */
  readonly sign: string;
  readonly headline: string;
  readonly lines: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
}

export interface PostState {
  /** Its current id: a Telegram group that becomes a supergroup has another one. */
  readonly placeId: string;
  readonly state: 'waiting' | 'posted' | 'failed';
  readonly reason: string | null;
  readonly isDoubtful: boolean;
  readonly postedAt: Date | null;
}

/** One platform on which the team can post. Throws database errors. */
export interface Posting {
  places(): Promise<readonly { readonly id: string; readonly name: string; readonly trouble: string | null }[]>;
  /** Sent when the transaction is committed, otherwise not at all. Returns the post's id; null: there is no such place. */
  post(placeId: string, card: Card, trx: Trx): Promise<string | null>;
  /** Those that have not been posted yet never will be. */
  drop(postIds: readonly string[], reason: string, trx: Trx): Promise<void>;
  /** By the ids of posts; those that are no longer kept are missing. */
  states(postIds: readonly string[], trx?: Trx): Promise<ReadonlyMap<string, PostState>>;
}

/** The paid lines of a payout, for the members of community servers who asked for a message. Amounts are texts. */
export interface PaidPayout {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly paid: readonly {
    readonly address: string;
    readonly amount: string;
    readonly rocks: number;
    readonly at: Date;
    readonly transactionUrl: string;
  }[];
  readonly openAddresses: ReadonlySet<string>;
}
