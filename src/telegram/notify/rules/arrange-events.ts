import { type ActivityEvent, type ActivityKind, byTime } from '../../../market/contract.ts';
import { activityKinds } from '../../cards/tally.ts';

/** Rulings R4: more than 5 of one kind are folded; at most the newest 10 go out singly; over 6 hours old is stale. */
const oneByOneOfKindMax = 5;
export const oneByOneMax = 10;
export const staleAfterMs = 6 * 60 * 60_000;
/** Polls are 30 to 45 seconds apart: a gap this long is downtime. */
const downtimeGapMs = 5 * 60_000;
export const isAfterDowntime = ({ gapMs }: { readonly gapMs: number }): boolean => gapMs > downtimeGapMs;

interface Circumstances {
  readonly now: Date;
  /** The newest event of the poll, reported or not. */
  readonly newestAt: Date;
  readonly gapMs: number;
  /** Newer events follow in a later batch. */
  readonly hasMore: boolean;
  /** Wallets whose listings share one card. */
  readonly busyWallets: ReadonlySet<string>;
}

/** Every event is in exactly one of the four. */
export interface Arrangement {
  readonly singles: readonly ActivityEvent[];
  readonly folded: readonly { readonly kind: ActivityKind; readonly events: readonly ActivityEvent[] }[];
  readonly ofBusyWallets: readonly ActivityEvent[];
  readonly digest: readonly ActivityEvent[];
}

/**
 * Rulings R4, in this order; `events` are oldest first:
 * 1. Stale events go to the digest.
 * 2. After downtime everything but the newest 10, which may come with a later batch, goes to the digest: a night's events
 *    are not one burst.
 * 3. Listings of each busy wallet become one card; of the rest, each kind with more than 5 becomes one card.
 * 4. Of the remaining single events, everything but the newest 10 goes to the digest.
 * At most 10 single cards, one folded card per kind, one per busy wallet, and one digest.
 */
export const arrangeEvents = (events: readonly ActivityEvent[], circumstances: Circumstances): Arrangement => {
  const fresh = events.filter((event) => !isStale(event, circumstances));
  const newest = isAfterDowntime(circumstances) ? fresh.slice(-oneByOneMax) : fresh;
  const recent = circumstances.hasMore ? [] : newest;
  const isOfBusyWallet = ({ kind, seller }: ActivityEvent): boolean =>
    kind === 'listing' && seller !== null && circumstances.busyWallets.has(seller);
  const ofBusyWallets = recent.filter(isOfBusyWallet);
  const rest = recent.filter((event) => !isOfBusyWallet(event));
  const folded = activityKinds
    .map((kind) => ({ kind, events: rest.filter((event) => event.kind === kind) }))
    .filter((fold) => fold.events.length > oneByOneOfKindMax);
  const singles = rest.filter(({ kind }) => !folded.some((fold) => fold.kind === kind)).slice(-oneByOneMax);
  const reported = new Set([...singles, ...ofBusyWallets, ...folded.flatMap((fold) => fold.events)]);
  return { singles, folded, ofBusyWallets, digest: events.filter((event) => !reported.has(event)) };
};

/**
 * Compared with our clock and with the newest event: if our clock is wrong, the marketplace's times still keep old
 * events from going out singly, and fresh ones end up in the digest at worst.
 */
const isStale = ({ happenedAt }: ActivityEvent, { now, newestAt }: Circumstances): boolean =>
  Math.max(now.getTime(), newestAt.getTime()) - happenedAt.getTime() > staleAfterMs;

/** Rulings R4: a wallet listing over 10 NFTs in an hour is folded. */
const busyNftsMax = 10;
const busyWithinMs = 60 * 60_000;

const keyOf = (listing: ActivityEvent): string => listing.nftObjectId ?? `event ${listing.id}`;

const isOutside = (older: ActivityEvent, newer: ActivityEvent): boolean =>
  newer.happenedAt.getTime() - older.happenedAt.getTime() > busyWithinMs;

/** A wallet's listings within the hour before its newest one: each NFT once, at its newest price, oldest first. */
export const listedWithinHour = (seller: string, listings: readonly ActivityEvent[]): readonly ActivityEvent[] => {
  const own = listings.filter((each) => each.kind === 'listing' && each.seller === seller).toSorted(byTime);
  const newest = own.at(-1);
  if (newest === undefined) return [];
  const ofHour = own.filter((listing) => !isOutside(listing, newest));
  return ofHour.filter((listing) => ofHour.findLast((other) => keyOf(other) === keyOf(listing)) === listing);
};

/** Sellers whose listings share one card, even if a listing was sold or cancelled since. */
export const busyWallets = (
  events: readonly ActivityEvent[],
  earlierListings: readonly ActivityEvent[],
): ReadonlySet<string> => {
  const sellers = new Set(events.flatMap(({ kind, seller }) => (kind === 'listing' ? (seller ?? []) : [])));
  const listings = [...earlierListings, ...events];
  return new Set([...sellers].filter((seller) => listedWithinHour(seller, listings).length > busyNftsMax));
};

export interface BacklogMessage {
  readonly kind: 'card' | 'folded' | 'digest' | 'recap' | 'notice' | 'test';
  /** The newest event it reports; null: none. */
  readonly happenedAt: Date | null;
}

/**
 * Those of the waiting messages that one digest replaces, in their order. Rulings R4 after an outage of the messenger:
 * of the event messages at most the newest 10 stay, none over 6 hours old. Notices, samples and recaps always stay. A
 * digest stays if nothing else would join it, so that repeating this changes nothing.
 */
export const replacedByDigest = <M extends BacklogMessage>(waiting: readonly M[], now: Date): readonly M[] => {
  const isStale = ({ happenedAt }: M): boolean =>
    happenedAt !== null && now.getTime() - happenedAt.getTime() > staleAfterMs;
  const ofEvents = waiting.filter(({ kind }) => kind === 'card' || kind === 'folded' || kind === 'digest');
  const fresh = ofEvents.filter((message) => message.kind !== 'digest' && !isStale(message));
  const kept = new Set(fresh.slice(-oneByOneMax));
  const replaced = ofEvents.filter((message) => !kept.has(message));
  return replaced.length === 1 && replaced[0]?.kind === 'digest' ? [] : replaced;
};
