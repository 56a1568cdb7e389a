import { z } from 'zod';

import { adminOf } from '../http/admin-call.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import {
  announceBody,
  type AnnouncementKind,
  announcementKinds,
  type AnnouncementsAnswer,
  announcementsAnswer,
  type Posting,
} from './announcements-contract.ts';
import {
  type Announcement,
  type AnnouncementStoreDeps,
  createAnnouncementStore,
  goneFrom,
  placeOf,
  platforms,
  withdrawnSentence,
} from './announcements-store.ts';
import { announcementCard, textOfCard } from './core/announcement-card.ts';
import type { PayoutBook, PublishedPayout } from './payout-book.ts';
import { payoutId } from './payouts-contract.ts';

export interface AnnouncementDeps extends AnnouncementStoreDeps {
  readonly book: Pick<PayoutBook, 'find'>;
  /** Reads the database again, so that what is posted is what is known. */
  readonly load: () => Promise<void>;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

const params = z.strictObject({ id: payoutId });
const bodyBytes = 8 * 1_024;

/** The team tells groups and channels of a payout that is published or paid, each place once of either. */
export function announcementRoutes(deps: AnnouncementDeps): readonly Route[] {
  const store = createAnnouncementStore(deps);
  const read = async (id: number) => {
    const [payout, posted, places] = [published(deps, id), await store.of(id), await knownPlaces(deps.posting)];
    return { status: 200, body: { data: view(deps, payout, { posted, places }) } };
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/payouts/{id}/announcements',
      access: 'treasurer',
      summary: 'Where a published payout can be announced, and where it was',
      params,
      answer: announcementsAnswer,
      handle: ({ params: { id } }) => read(id),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/payouts/{id}/announcements',
      access: 'treasurer',
      summary: 'Post the card of a published or paid payout, once in each place',
      params,
      bodyBytes,
      body: announceBody,
      answer: announcementsAnswer,
      handle: async ({ params: { id }, body: { kind, places }, user }) => {
        await deps.load();
        const payout = published(deps, id);
        const refusal = refusalOf(kind, payout);
        if (refusal !== null) throw new Refused(`not-${kind}`, refusal);
        const card = announcementCard(kind, payout.summary, deps.publicUrl);
        const wanted = await chosen(deps.posting, places);
        await store.post({ payout: payout.summary, kind, card, places: wanted }, adminOf(user));
        return read(id);
      },
    }),
  ];
}

function published({ book }: AnnouncementDeps, id: number): PublishedPayout {
  const payout = book.find(id);
  if (payout === undefined) throw new Refused('not-found', 'No payout with this number is published.');
  return payout;
}

/** Why that card cannot be posted now; null: it can. */
function refusalOf(kind: AnnouncementKind, { summary: { state, lines, withdrawn } }: PublishedPayout): string | null {
  // One that was paid all the same is paid.
  if (withdrawn !== null && state !== 'paid') return withdrawnSentence;
  if (kind === 'published') return state === 'paid' ? 'This payout is paid: announce that instead.' : null;
  if (state === 'paid') return null;
  return `This payout is not paid yet: ${lines.open} of its lines ${lines.open === 1 ? 'is' : 'are'} open.`;
}

type Place = AnnouncementsAnswer['data']['places'][number];

async function knownPlaces(posting: AnnouncementDeps['posting']): Promise<readonly Place[]> {
  const ofEach = platforms.map(async (platform) => {
    const places: Awaited<ReturnType<Posting['places']>> = await posting[platform].places();
    return places.map(({ id, name, trouble }) => ({ place: placeOf(platform, id), name, trouble }));
  });
  return (await Promise.all(ofEach)).flat();
}

/** All of them or none: the first that cannot be posted in is named. */
async function chosen(posting: AnnouncementDeps['posting'], wanted: readonly string[]): Promise<readonly Place[]> {
  const known = new Map((await knownPlaces(posting)).map((each) => [each.place, each]));
  return [...new Set(wanted)].map((place) => {
    const found = known.get(place);
    if (found === undefined) throw goneFrom(place);
    if (found.trouble === null) return found;
    throw new Refused('place-in-trouble', `Nothing was posted, because of “${found.name}”: ${found.trouble}`);
  });
}

function view(
  deps: AnnouncementDeps,
  payout: PublishedPayout,
  { posted, places }: { readonly posted: readonly Announcement[]; readonly places: readonly Place[] },
): AnnouncementsAnswer['data'] {
  return {
    cards: announcementKinds.map((kind) => ({
      kind,
      text: textOfCard(announcementCard(kind, payout.summary, deps.publicUrl)),
      refusal: refusalOf(kind, payout),
    })),
    places: [...places],
    posted: posted.map(({ kind, place, name, askedAt, askedBy, state }) => ({
      kind,
      place,
      name,
      state: state?.state ?? 'not-kept',
      reason: state?.reason ?? null,
      isDoubtful: state?.isDoubtful ?? false,
      askedAt: askedAt.toISOString(),
      askedBy,
      postedAt: state?.postedAt?.toISOString() ?? null,
    })),
  };
}
