import { z } from 'zod';
import { type Admin, adminOf, defineRoute, type Route } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import {
  type AnnouncementKind,
  announcementKinds,
  type AnnouncementsAnswer,
  announcementsAnswer,
  type Card,
  type Posting,
  type PostState,
} from './payouts-contract.ts';
import { announcementCard, textOfCard } from './core/announcement-card.ts';
import type { PublishedPayout } from './payout-cache.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { payoutId } from './payout-routes.ts';
import { excluded } from '../db/expressions.ts';
import { transact, type Trx } from '../db/transaction.ts';

const params = z.strictObject({ id: payoutId });
const bodyBytes = 8 * 1_024;
const placesAtOnceMax = 100;
const place = z
  .string()
  .regex(/^(?:telegram:-?[1-9]\d{0,18}|discord:\d{5,20})$/)
  .describe('telegram:<chat id> or discord:<channel id>');

/** POST /api/admin/payouts/{id}/announcements. A card that was already posted in a place is not posted there again. */
const announceBody = z.strictObject({
  kind: z.enum(announcementKinds),
  places: z.array(place).min(1, { error: 'Choose at least one place.' }).max(placesAtOnceMax),
});

/** The team announces a published or paid payout in groups and channels, each of the two once per place. */
export function announcementRoutes(deps: PayoutDeps): readonly Route[] {
  const read = async (id: number): Promise<{ data: AnnouncementsAnswer }> => {
    const payout = publishedPayout(deps, id);
    const cards = announcementKinds.map((kind) => ({
      kind,
      text: textOfCard(announcementCard(kind, payout.summary, deps.settings.publicUrl)),
      refusal: refusalOf(kind, payout),
    }));
    const posted = [...(await readAnnouncements(deps, id))];
    return { data: { cards, places: [...(await knownPlaces(deps))], posted } };
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
        const payout = publishedPayout(deps, id);
        const refusal = refusalOf(kind, payout);
        if (refusal !== null) throw new Refused(`not-${kind}`, refusal);
        const card = announcementCard(kind, payout.summary, deps.settings.publicUrl);
        const chosen = await choosePlaces(deps, places);
        await postCards(deps, { payout: payout.summary, kind, card, places: chosen }, adminOf(user));
        return read(id);
      },
    }),
  ];
}

function publishedPayout({ cache }: PayoutDeps, id: number): PublishedPayout {
  const payout = cache.find(id);
  if (payout === undefined) throw new Refused('not-found', 'No payout with this number is published.');
  return payout;
}

/** Why that card cannot be posted now; null: it can. */
function refusalOf(kind: AnnouncementKind, { summary: { state, lines, withdrawn } }: PublishedPayout): string | null {
  // A withdrawn payout that was paid anyway counts as paid.
  if (withdrawn !== null && state !== 'paid') return withdrawnSentence;
  if (kind === 'published') return state === 'paid' ? 'This payout is paid: announce that instead.' : null;
  if (state === 'paid') return null;
  return `This payout has not been paid in full: ${lines.open} of its lines ${lines.open === 1 ? 'is' : 'are'} open.`;
}

type Place = AnnouncementsAnswer['places'][number];
type Announcement = AnnouncementsAnswer['posted'][number];

async function knownPlaces(deps: PostDeps): Promise<readonly Place[]> {
  const ofEach = platforms.map(async (platform) => {
    const places: Awaited<ReturnType<Posting['places']>> = await deps[platform].posting.places();
    return places.map(({ id, name, trouble }) => ({ place: placeOf(platform, id), name, trouble }));
  });
  return (await Promise.all(ofEach)).flat();
}

/** All places or none. */
async function choosePlaces(deps: PostDeps, chosen: readonly string[]): Promise<readonly Place[]> {
  const known = new Map((await knownPlaces(deps)).map((each) => [each.place, each]));
  return [...new Set(chosen)].map((place) => {
    const found = known.get(place);
    if (found === undefined) throw placeIsGone();
    if (found.trouble === null) return found;
    throw new Refused('place-in-trouble', `Nothing was posted, because of “${found.name}”: ${found.trouble}`);
  });
}

const platforms = ['telegram', 'discord'] as const;
type Platform = (typeof platforms)[number];

interface WantedPosts {
  readonly payout: { readonly id: number; readonly title: string };
  readonly kind: AnnouncementKind;
  readonly card: Card;
  readonly places: readonly { readonly place: string; readonly name: string }[];
}

type PostDeps = Pick<PayoutDeps, 'database' | 'audit' | Platform>;

/** Posts the card where it was not posted yet, and again where posting certainly failed; all or nothing. */
export const postCards = (deps: PostDeps, wanted: WantedPosts, actor: Admin): Promise<void> =>
  transact(deps.database, (trx) => post(deps, trx, wanted, actor));

async function post(deps: PostDeps, trx: Trx, wanted: WantedPosts, actor: Admin): Promise<void> {
  const { payout, kind, card } = wanted;
  await lockPayout(trx, payout.id, kind);
  if (kind === 'paid') await dropPublishedCards(deps, trx, payout.id, 'The payout was announced as paid.');
  const before = (await readAnnouncements(deps, payout.id, trx)).filter((each) => each.kind === kind);
  // Chats are locked in the order of their ids, as everywhere (docs/decisions/0028).
  const idOf = ({ place }: { readonly place: string }): bigint => BigInt(placeIdOf(place));
  const places = [...wanted.places].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  const posted: string[] = [];
  for (const { place, name } of places) {
    // A group that became a supergroup may have two rows: one failed before, one posted since.
    if (before.some((each) => each.place === place && !hasFailed(each))) continue;
    const postId = await deps[platformOf(place)].posting.post(placeIdOf(place), card, trx);
    if (postId === null) throw placeIsGone();
    await saveAnnouncement(trx, { payout: payout.id, kind, place, placeName: name, postId, askedBy: actor.name });
    posted.push(name);
  }
  if (posted.length === 0) return;
  const subject = { kind: 'payout', id: String(payout.id), label: payout.title };
  const entry = { actor, action: 'payout-announced', subject, before: null, after: { kind, places: posted } };
  await deps.audit.record(entry, trx);
}

/** Drops the cards that still wait to say that a payout is published, when that is no longer all there is to say. */
export async function dropPublishedCards(
  deps: Pick<PayoutDeps, Platform>,
  trx: Trx,
  payout: number,
  reason: string,
): Promise<void> {
  const rows = await trx
    .selectFrom('payoutAnnouncements')
    .select(['place', 'postId'])
    .where((row) => row.and({ payout, kind: 'published' as const }))
    .execute();
  for (const [platform, posts] of Map.groupBy(rows, ({ place }) => platformOf(place))) {
    const ids = posts.map(({ postId }) => postId);
    await deps[platform].posting.drop(ids, reason, trx);
  }
}

/** Locks the payout, so that admins who announce or withdraw it at the same moment wait for each other. */
async function lockPayout(trx: Trx, id: number, kind: AnnouncementKind): Promise<void> {
  const payout = await trx
    .selectFrom('payouts')
    .select('withdrawnAt')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (payout === undefined) throw new Refused('not-found', 'There is no such payout.');
  if (payout.withdrawnAt !== null && kind === 'published') throw new Refused('not-published', withdrawnSentence);
}

const withdrawnSentence = 'This payout is withdrawn.';

/** Certainly failed: a message that may have arrived is not sent again on request. */
const hasFailed = ({ state, isDoubtful }: Announcement): boolean => state === 'failed' && !isDoubtful;

/** Only its id is known now, which says nothing to a person. */
const placeIsGone = (): Refused =>
  new Refused(
    'unknown-place',
    'One of these places is not there any more: the bot has left it, it was deleted, or it has a new id. Nothing was posted.',
  );

const saveAnnouncement = (
  trx: Trx,
  row: { payout: number; kind: AnnouncementKind; place: string; placeName: string; postId: string; askedBy: string },
) =>
  trx
    .insertInto('payoutAnnouncements')
    .values(row)
    // Replaces a failed post: each place has one row.
    .onConflict((conflict) =>
      conflict.columns(['payout', 'kind', 'place']).doUpdateSet(excluded('placeName', 'postId', 'askedBy', 'askedAt')),
    )
    .execute();

/** Where it was posted, oldest first. */
async function readAnnouncements(deps: PostDeps, payout: number, trx?: Trx): Promise<readonly Announcement[]> {
  const rows = await (trx ?? deps.database)
    .selectFrom('payoutAnnouncements')
    .selectAll()
    .where('payout', '=', payout)
    .orderBy('askedAt')
    .orderBy('place')
    .execute();
  const states = new Map<string, PostState>();
  for (const platform of platforms) {
    const ids = rows.filter(({ place }) => platformOf(place) === platform).map(({ postId }) => postId);
    for (const [id, state] of await deps[platform].posting.states(ids, trx)) states.set(`${platform}:${id}`, state);
  }
  return rows.map(({ kind, place, placeName: name, postId, askedAt, askedBy }) => {
    const platform = platformOf(place);
    const post = states.get(`${platform}:${postId}`);
    return {
      kind,
      // The place's current id: a group that became a supergroup has a new one.
      place: post === undefined ? place : placeOf(platform, post.placeId),
      name,
      state: post?.state ?? 'not-kept',
      reason: post?.reason ?? null,
      isDoubtful: post?.isDoubtful ?? false,
      askedAt: askedAt.toISOString(),
      askedBy,
      postedAt: post?.postedAt?.toISOString() ?? null,
    };
  });
}

const placeOf = (platform: Platform, placeId: string): string => `${platform}:${placeId}`;

const platformOf = (place: string): Platform => (place.startsWith('discord:') ? 'discord' : 'telegram');

const placeIdOf = (place: string): string => place.slice(place.indexOf(':') + 1);
