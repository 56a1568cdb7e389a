import type { Kysely } from 'kysely';

import type { AuditTrail } from '../audit/contract.ts';
import { databaseNow } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { transact, type Trx } from '../db/transaction.ts';
import type { Admin } from '../http/admin-call.ts';
import { Refused } from '../shared/failure.ts';
import type { AnnouncementKind, Card, Posting, PostState } from './announcements-contract.ts';

export interface AnnouncementStoreDeps {
  readonly database: Kysely<Database>;
  readonly audit: Pick<AuditTrail, 'record'>;
  /** By the word before the colon of a place. */
  readonly posting: Readonly<Record<Platform, Posting>>;
}

export const platforms = ['telegram', 'discord'] as const;
type Platform = (typeof platforms)[number];

/** What was posted in one place. `state` null: it is no longer kept. */
export interface Announcement {
  readonly kind: AnnouncementKind;
  /** Where it is now. */
  readonly place: string;
  readonly name: string;
  readonly askedAt: Date;
  readonly askedBy: string;
  readonly state: PostState | null;
}

interface Wanted {
  readonly payout: { readonly id: number; readonly title: string };
  readonly kind: AnnouncementKind;
  readonly card: Card;
  readonly places: readonly { readonly place: string; readonly name: string }[];
}

/** Throws what the database throws. */
export function createAnnouncementStore(deps: AnnouncementStoreDeps) {
  return {
    /** Oldest first. */
    of: (payout: number): Promise<readonly Announcement[]> => readAnnouncements(deps, payout),
    /** Posts it where it does not stand yet, and again where it certainly failed; all or nothing. */
    post: (wanted: Wanted, actor: Admin): Promise<void> =>
      transact(deps.database, (trx) => post(deps, trx, wanted, actor)),
  };
}

async function post(deps: AnnouncementStoreDeps, trx: Trx, wanted: Wanted, actor: Admin): Promise<void> {
  const { payout, kind, card } = wanted;
  await holdPayout(trx, payout.id, kind);
  const before = (await readAnnouncements(deps, payout.id, trx)).filter((each) => each.kind === kind);
  // Chats are locked by their ids, the order everywhere (docs/decisions/0028).
  const places = [...wanted.places].sort((one, other) => (idOf(one.place) < idOf(other.place) ? -1 : 1));
  const posted: string[] = [];
  for (const { place, name } of places) {
    const stands = before.find((each) => each.place === place);
    if (stands !== undefined && !hasFailed(stands)) continue;
    const postId = await deps.posting[platformOf(place)].post(placeIdOf(place), card, trx);
    if (postId === null) throw goneFrom(name);
    await keep(trx, { payout: payout.id, kind, place, placeName: name, postId, askedBy: actor.name });
    posted.push(name);
  }
  if (posted.length === 0) return;
  const subject = { kind: 'payout', id: String(payout.id), label: payout.title };
  const entry = { actor, action: 'payout-announced', subject, before: null, after: { kind, places: posted } };
  await deps.audit.record(entry, trx);
}

/** Two admins who announce it at the same moment come one after the other; so does who withdraws it. */
async function holdPayout(trx: Trx, id: number, kind: AnnouncementKind): Promise<void> {
  const held = await trx
    .selectFrom('payouts')
    .select('withdrawnAt')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (held === undefined) throw new Refused('not-found', 'There is no such payout.');
  if (held.withdrawnAt !== null && kind === 'published') throw new Refused('not-published', withdrawnSentence);
}

export const withdrawnSentence = 'This payout is withdrawn.';

/** Certainly: what may have arrived is not sent again because somebody asked. */
const hasFailed = ({ state }: Announcement): boolean => state?.state === 'failed' && !state.isDoubtful;

export const goneFrom = (name: string): Refused =>
  new Refused('unknown-place', `The bot is not in “${name}” any more. Nothing was posted.`);

const keep = (
  trx: Trx,
  row: { payout: number; kind: AnnouncementKind; place: string; placeName: string; postId: string; askedBy: string },
) =>
  trx
    .insertInto('payoutAnnouncements')
    .values(row)
    // A failed one: each place has one row.
    .onConflict((conflict) =>
      conflict.columns(['payout', 'kind', 'place']).doUpdateSet({
        placeName: row.placeName,
        postId: row.postId,
        askedBy: row.askedBy,
        askedAt: databaseNow,
      }),
    )
    .execute();

async function readAnnouncements(
  { posting, database }: AnnouncementStoreDeps,
  payout: number,
  trx?: Trx,
): Promise<readonly Announcement[]> {
  const rows = await (trx ?? database)
    .selectFrom('payoutAnnouncements')
    .selectAll()
    .where('payout', '=', payout)
    .orderBy('askedAt')
    .orderBy('place')
    .execute();
  const states = new Map<string, PostState>();
  for (const platform of platforms) {
    const ids = rows.filter(({ place }) => platformOf(place) === platform).map(({ postId }) => postId);
    for (const [id, state] of await posting[platform].states(ids, trx)) states.set(`${platform}:${id}`, state);
  }
  return rows.map(({ kind, place, placeName: name, postId, askedAt, askedBy }) => {
    const platform = platformOf(place);
    const state = states.get(`${platform}:${postId}`) ?? null;
    return { kind, place: state === null ? place : placeOf(platform, state.placeId), name, askedAt, askedBy, state };
  });
}

export const placeOf = (platform: Platform, placeId: string): string => `${platform}:${placeId}`;

const platformOf = (place: string): Platform => (place.startsWith('discord:') ? 'discord' : 'telegram');

const placeIdOf = (place: string): string => place.slice(place.indexOf(':') + 1);

const idOf = (place: string): bigint => BigInt(placeIdOf(place));
