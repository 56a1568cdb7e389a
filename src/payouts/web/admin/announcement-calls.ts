import * as z from 'zod/mini';
import { flagOrOff, list, oneOf, text, textOrNone, time } from '../../../ui/api/answer-schema.ts';
import { pollEveryMs, useAnswer, useApiMutation, useRefresh, watchEveryMs } from '../../../ui/api/use-answer.ts';
import { counted } from '../../../ui/decimal-text.ts';
import type { AnnouncementKind } from '../../announcements-contract.ts';

/** What 'Announcement' under a payout reads and posts. null: not known. */

const kind = z.enum(['published', 'paid']);

const card = z.object({ kind, text: z.string(), refusal: text });
export type ShownCard = z.infer<typeof card>;

const place = z.object({ place: z.string(), name: textOrNone, trouble: text });
export type Place = z.infer<typeof place>;

const posted = z.object({
  kind,
  place: z.string(),
  name: textOrNone,
  state: oneOf('waiting', 'posted', 'failed', 'not-kept'),
  reason: text,
  isDoubtful: flagOrOff,
  askedAt: time,
  askedBy: text,
  postedAt: time,
});
export type Posted = z.infer<typeof posted>;

/** GET /api/admin/payouts/{id}/announcements. */
const announcements = z.object({ cards: list(card), places: list(place), posted: list(posted) });

const pathOf = (payout: number): string => `/api/admin/payouts/${payout}/announcements`;

/** While a card is on its way, the answer is looked for often. */
export const useAnnouncements = (payout: number) =>
  useAnswer(pathOf(payout), announcements, {
    refetchInterval: ({ state: { data } }) =>
      data?.posted.some(({ state }) => state === 'waiting') === true ? watchEveryMs : pollEveryMs,
  });

interface Wanted {
  readonly kind: AnnouncementKind;
  readonly places: readonly string[];
}

export const useAnnounce = (payout: number, onDone: () => void) =>
  useApiMutation<Wanted>({
    call: (body) => ({ method: 'POST', path: pathOf(payout), body }),
    success: (_answer, { places }) => ({
      title: 'Announcement queued',
      description: `It is posted in ${counted(places.length, 'place')} in a moment.`,
    }),
    failure: 'Failed to announce the payout',
    refresh: useRefresh(pathOf(payout)),
    onDone,
  });
