import type { MarketAction } from '../../sources/tradeport/rows.ts';
import type { ActivityKind } from '../contract.ts';

/** Pure rules of poll/read-activity.ts: which activity of a collection is read, from when on, and which events result. */

type Side = 'sender' | 'receiver';

interface ActivityType {
  readonly kind: ActivityKind | 'transfer';
  /** The first side with a known address. */
  readonly buyer: readonly Side[];
  readonly seller: readonly Side[];
}

const sale: ActivityType = { kind: 'sale', buyer: ['receiver'], seller: ['sender'] };
const listing: ActivityType = { kind: 'listing', buyer: [], seller: ['sender'] };
const bid: ActivityType = { kind: 'bid', buyer: ['sender'], seller: [] };
const transfer: ActivityType = { kind: 'transfer', buyer: ['receiver'], seller: ['sender'] };

/**
 * Rulings R4: which activity types are reported, and as what; R5: which others change who holds what. The meaning of `sender`
 * and `receiver` is not documented: here the NFT goes from sender to receiver, and the lister or bidder is the
 * sender. If a live key shows otherwise, only this table needs to change.
 */
const activityTypes: ReadonlyMap<string, ActivityType> = new Map([
  ['mint', { kind: 'mint', buyer: ['receiver', 'sender'], seller: [] }],
  ['buy', sale],
  ['accept-bid', sale],
  ['accept-collection-bid', sale],
  // Not in the rulings' list, but still a sale.
  ['accept-attribute-bid', sale],
  ['list', listing],
  ['relist', listing],
  ['solo-bid', bid],
  ['bid', bid],
  ['collection-bid', bid],
  ['transfer', transfer],
  ['burn', { ...transfer, buyer: [] }],
]);

const typesOf = (isWanted: (kind: ActivityType['kind']) => boolean): readonly string[] =>
  [...activityTypes].flatMap(([type, { kind }]) => (isWanted(kind) ? [type] : []));

export const readTypes = typesOf(() => true);
/** The types that are reported to groups. */
export const reportedTypes = typesOf((kind) => kind !== 'transfer');
export const saleTypes = typesOf((kind) => kind === 'sale');
/** The types that belong to an NFT's history: an unaccepted bid does not. */
export const historyTypes = typesOf((kind) => kind !== 'bid');

/** Kind, buyer and seller of an action; null: a type that is not read. */
export function describeAction(action: MarketAction): Pick<EventDraft, 'kind' | 'buyer' | 'seller'> | null {
  const type = activityTypes.get(action.type);
  if (type === undefined) return null;
  const first = (sides: readonly Side[]): string | null =>
    sides.map((side) => action[side]).find((address) => address !== null) ?? null;
  return { kind: type.kind, buyer: first(type.buyer), seller: first(type.seller) };
}

/** An event as a row of `activity_events`; it may already be stored. */
export interface EventDraft extends Omit<MarketAction, 'id' | 'sender' | 'receiver'> {
  /** Equal for the same fact, however many markets reported it. */
  readonly eventKey: string;
  readonly actionId: string;
  readonly kind: ActivityKind | 'transfer';
  readonly buyer: string | null;
  readonly seller: string | null;
}

/**
 * Events of the actions at or after `since`, oldest first. If a marketplace ignores the requested start and answers with its whole
 * past, that past must not be reported. Repeats have the same `eventKey` or `actionId`, each of which is stored once.
 */
export const draftEvents = (actions: readonly MarketAction[], since: Date): readonly EventDraft[] =>
  actions
    .flatMap((action) => draftOf(action) ?? [])
    .filter(({ happenedAt }) => happenedAt >= since)
    .sort((one, other) => one.happenedAt.getTime() - other.happenedAt.getTime());

/**
 * Rulings R4: the same fact from two markets, a sale, is one event. Without a transaction, only the row's own id identifies it, and
 * so it does in a transaction with many mints, listings or transfers whose NFTs the indexer does not know yet.
 */
function eventKeyOf({ id, transactionDigest, nftObjectId }: MarketAction, kind: EventDraft['kind']): string {
  const row = `action:${id}`;
  const withoutNft = kind === 'bid' || kind === 'sale' ? 'collection' : row;
  return [transactionDigest ?? row, nftObjectId ?? withoutNft, kind].join('/');
}

function draftOf(action: MarketAction): EventDraft | null {
  const described = describeAction(action);
  if (described === null) return null;
  const { id: actionId, sender: _sender, receiver: _receiver, ...facts } = action;
  return { eventKey: eventKeyOf(action, described.kind), actionId, ...described, ...facts };
}

/** How far a collection has been read. Times are the marketplace's. */
export interface ReadProgress {
  /** Earlier events are not read; null: the whole past is known. */
  readonly knownFrom: Date | null;
  /** Everything until then is read. */
  readonly cursorAt: Date | null;
  /** The last poll ended before everything was read. */
  readonly isBehind: boolean;
  /** A whole number. */
  readonly pollCount: string;
}

export type ProgressAfter = Omit<ReadProgress, 'pollCount'>;

const minuteMs = 60_000;
/** Indexers insert late: this much before the newest event is read again with every poll … */
const overlapMs = 10 * minuteMs;
/** … and this much with every twentieth. */
const deepOverlapMs = 60 * minuteMs;
const deepEvery = 20;
/** The clock error allowed for where a collection has no events. */
const clockSlackMs = 60 * minuteMs;

/**
 * Where the next poll begins, by the marketplace's clock. A collection that is behind goes on where it stopped, because the
 * overlap might fill the whole poll again.
 */
export function readSince(progress: ReadProgress): Date {
  return new Date(Math.max(wantedSinceMs(progress), progress.knownFrom?.getTime() ?? 0));
}

function wantedSinceMs({ cursorAt, isBehind, pollCount }: ReadProgress): number {
  if (cursorAt === null) return 0;
  if (isBehind) return cursorAt.getTime();
  return cursorAt.getTime() - (Number(pollCount) % deepEvery === deepEvery - 1 ? deepOverlapMs : overlapMs);
}

/**
 * The time of the newest event seen; once everything is read, at most now: an event dated ahead of time must not hide those that
 * happen until then. Our clock may be wrong or jump, so it can only make the next poll begin earlier, and holds up none that is behind.
 */
export function cursorAfter(
  { cursorAt, isBehind }: Pick<ReadProgress, 'cursorAt' | 'isBehind'>,
  actions: readonly MarketAction[],
  now: Date,
): Date | null {
  const times = [...actions.map(({ happenedAt }) => happenedAt), ...(cursorAt === null ? [] : [cursorAt])];
  if (times.length === 0) return null;
  const newestMs = Math.max(...times.map((time) => time.getTime()));
  return new Date(isBehind ? newestMs : Math.min(newestMs, now.getTime()));
}

/**
 * Where reading begins after the first sight. `actions` are the newest; `isAll`: there are no older ones. More rows than were read
 * may have the time of the oldest one, so the known past begins just after it.
 */
export function progressAfterPast(actions: readonly MarketAction[], isAll: boolean, now: Date): ProgressAfter {
  const cursorAt = cursorAfter({ cursorAt: null, isBehind: false }, actions, now);
  if (cursorAt === null) {
    // Rulings R4: the first sight is now. An empty past may be an indexer's mistake and must not be reported later.
    const start = new Date(now.getTime() - clockSlackMs);
    return { knownFrom: start, cursorAt: start, isBehind: false };
  }
  const oldestMs = Math.min(...actions.map(({ happenedAt }) => happenedAt.getTime()));
  return { knownFrom: isAll ? null : new Date(oldestMs + 1), cursorAt, isBehind: false };
}
