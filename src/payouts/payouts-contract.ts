import * as z from 'zod/mini';
import { described } from '../shared/answer-fields.ts';
import { amountModes, lineStates, publishedStates } from './core/payout-words.ts';
import type { Trx } from '../db/transaction.ts';

/** Payouts to the holders of rocks (rulings R9). Amounts are base units as digits; addresses and types are canonical. */

export const raw = z.string().check(z.regex(/^(?:0|[1-9]\d{0,77})$/));
const address = z.string().check(z.regex(/^0x[0-9a-f]{64}$/));
export const rockNumbers = described(z.array(z.int().check(z.minimum(1))), 'Ascending');
export const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const coin = z.object({ type: z.string(), symbol: z.string(), decimals: z.int() });

export const payoutLine = z.object({ address, raw, rocks: rockNumbers });
export type PayoutLine = z.infer<typeof payoutLine>;

/** The plan that is published as canonical JSON. It never changes after that. */
export const payoutPlan = z.object({
  version: z.literal(1),
  payout: z.int().check(z.minimum(1)),
  network: z.string(),
  chainId: z.nullable(z.string()),
  treasury: address,
  collection: z.string(),
  title: z.string(),
  reason: z.string(),
  coin,
  amount: z.object({ mode: z.enum(amountModes), raw }),
  snapshot: z.object({ checkpoint: raw, at: z.iso.datetime(), rocks: z.int() }),
  leftOut: described(
    z.array(z.object({ address: z.nullable(address), reason: z.string(), rocks: rockNumbers })),
    'Sorted by address; last, rocks without a known owner, with the address null',
  ),
  shareRaw: described(raw, 'The share of each paid rock'),
  totalRaw: described(raw, 'The sum of the lines'),
  remainderRaw: described(raw, 'What stays in the treasury because it cannot be shared equally'),
  lines: described(z.array(payoutLine), 'Sorted by address, each address once'),
});
export type PayoutPlan = z.infer<typeof payoutPlan>;

const payment = z.object({
  digest: z.string(),
  checkpoint: described(raw, 'The checkpoint of the transaction'),
  at: z.iso.datetime(),
  address: described(address, 'Who was paid'),
  raw,
  explorerUrl: z.string(),
});

/** A published payout: the amounts of its plan, and its state on chain. */
const payoutSummary = z.object({
  id: z.int(),
  title: z.string(),
  reason: z.string(),
  state: z.enum(publishedStates),
  coin,
  shareRaw: raw,
  totalRaw: raw,
  remainderRaw: raw,
  paidRaw: described(raw, 'What the addresses of the plan have received, at most what the plan gives them'),
  rocks: described(z.int(), 'Rocks that are paid'),
  holders: z.int(),
  lines: z.object({ open: z.int(), paid: z.int(), paidOtherwise: z.int(), paidTwice: z.int() }),
  snapshot: z.object({ checkpoint: raw, at: z.iso.datetime() }),
  publishedAt: z.iso.datetime(),
  sha256: described(sha256, 'Of the bytes of plan.json'),
  withdrawn: z.nullable(z.object({ at: z.iso.datetime(), reason: z.string() })),
});
export type PayoutSummary = z.infer<typeof payoutSummary>;

/** GET /api/payouts, newest first. */
export const payoutsAnswer = z.object({
  asOf: described(z.nullable(z.iso.datetime()), 'When the chain was last read; null: never'),
  payouts: z.array(payoutSummary),
  perRock: described(
    z.array(z.object({ coin, raw })),
    'What one rock has received from all payouts that were paid in full and as planned, by coin',
  ),
  distributed: described(z.array(z.object({ coin, raw })), 'What the addresses of all plans have received, by coin'),
});
export type PayoutsAnswer = z.infer<typeof payoutsAnswer>;

export const payoutPageSize = 100;

/** GET /api/payouts/{id}: a page of its lines, those of one rock, or that of one address. */
export const payoutAnswer = z.object({
  ...payoutSummary.shape,
  asOf: z.nullable(z.iso.datetime()),
  leftOut: payoutPlan.shape.leftOut,
  total: described(z.int(), 'How many lines match'),
  page: z.int(),
  pageSize: z.int(),
  found: z.array(
    z.object({
      ...payoutLine.shape,
      name: z.nullable(z.string()),
      state: z.enum(lineStates),
      payments: z.array(payment),
    }),
  ),
  strays: described(z.array(payment), 'Payments in transactions of this payout to addresses without a line'),
});
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

/** What the team posts about a payout in groups and channels, and what holders get by direct message (rulings R9). */

export const announcementKinds = ['published', 'paid'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

/** GET and POST /api/admin/payouts/{id}/announcements. Names of places are untrusted text. */
export const announcementsAnswer = z.object({
  cards: z.array(
    z.object({
      kind: z.enum(announcementKinds),
      text: described(z.string(), 'As it would be posted now, as plain text'),
      refusal: described(z.nullable(z.string()), 'Why it cannot be posted now; null: it can'),
    }),
  ),
  places: z.array(
    z.object({
      place: z.string(),
      name: z.string(),
      trouble: described(z.nullable(z.string()), 'Why nothing can be posted there'),
    }),
  ),
  posted: z.array(
    z.object({
      kind: z.enum(announcementKinds),
      place: z.string(),
      name: z.string(),
      state: described(
        z.enum(['waiting', 'posted', 'failed', 'not-kept']),
        'not-kept: so long ago that the bots no longer have a record of it',
      ),
      reason: described(z.nullable(z.string()), 'Why it waits or failed, in the platform’s words'),
      isDoubtful: described(z.boolean(), 'An answer was lost, so it may have been posted twice'),
      askedAt: z.iso.datetime(),
      askedBy: z.string(),
      postedAt: z.nullable(z.iso.datetime()),
    }),
  ),
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
