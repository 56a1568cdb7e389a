import { z } from 'zod';

import type { Trx } from '../db/transaction.ts';

/** What the team posts of a payout in groups and channels, and what it sends holders by direct message (rulings R9). */

export const announcementKinds = ['published', 'paid'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

const placesAtOnceMax = 100;
const place = z
  .string()
  .regex(/^(?:telegram:-?[1-9]\d{0,18}|discord:\d{5,20})$/)
  .describe('telegram:<chat id> or discord:<channel id>');

/** POST /api/admin/payouts/{id}/announcements. Where a card was posted already it is not posted again. */
export const announceBody = z.strictObject({
  kind: z.enum(announcementKinds),
  places: z.array(place).min(1, { error: 'Choose at least one place.' }).max(placesAtOnceMax),
});

/** GET and POST /api/admin/payouts/{id}/announcements. Names of places are text of strangers. */
export const announcementsAnswer = z.object({
  data: z.object({
    cards: z.array(
      z.object({
        kind: z.enum(announcementKinds),
        text: z.string().describe('As it would be posted now, in plain words'),
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
          .describe('not-kept: longer ago than the bots keep what they posted'),
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

/** In plain words: each platform escapes and formats it in its own way. */
export interface Card {
  /** One emoji. */
  readonly sign: string;
  readonly headline: string;
  readonly lines: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
}

export interface PostState {
  /** Where it goes now: a Telegram group that becomes a supergroup has another id. */
  readonly placeId: string;
  readonly state: 'waiting' | 'posted' | 'failed';
  readonly reason: string | null;
  readonly isDoubtful: boolean;
  readonly postedAt: Date | null;
}

/** One platform on which the team can post. Throws database errors. */
export interface Posting {
  places(): Promise<readonly { readonly id: string; readonly name: string; readonly trouble: string | null }[]>;
  /** Goes out when the transaction is committed, and not at all otherwise. Its id; null: there is no such place. */
  post(placeId: string, card: Card, trx: Trx): Promise<string | null>;
  /** By the ids of posts; those that are no longer kept are missing. */
  states(postIds: readonly string[], trx?: Trx): Promise<ReadonlyMap<string, PostState>>;
}

/** What of a payout is paid, for the members of community servers who asked for a message. Amounts are in words. */
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
