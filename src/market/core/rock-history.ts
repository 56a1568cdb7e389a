import type { MarketAction } from '../../sources/tradeport/rows.ts';
import { draftEvents, type EventDraft } from './activity-rules.ts';
import type { rockEventKinds } from '../rocks-contract.ts';

/** Rulings R8: what of a collection's activity belongs to the history of its rocks, and how the past is read page by page. */

export type RockEventKind = (typeof rockEventKinds)[number];

/** What the marketplace is asked for about the past. A bid that nobody accepted is not part of a rock's history. */
export const historyTypes: readonly string[] = [
  'mint',
  'buy',
  'accept-bid',
  'accept-collection-bid',
  'accept-attribute-bid',
  'list',
  'relist',
  'transfer',
  'burn',
];

type Described = Pick<
  EventDraft,
  'eventKey' | 'kind' | 'type' | 'nftObjectId' | 'happenedAt' | 'priceMist' | 'seller' | 'buyer' | 'transactionDigest'
>;

/** Of the activity's events, those that happened to a rock. */
export function rockEventsOf(drafts: readonly Described[]) {
  return drafts.flatMap((draft) => {
    const { eventKey, nftObjectId: objectId, happenedAt, priceMist, transactionDigest } = draft;
    const kind = rockKind(draft);
    if (kind === null || objectId === null) return [];
    // Where nobody was before, or nobody is afterwards.
    const sender = kind === 'mint' ? null : draft.seller;
    return [{ eventKey, objectId, kind, happenedAt, priceMist, sender, receiver: draft.buyer, transactionDigest }];
  });
}

function rockKind({ kind, type }: Pick<EventDraft, 'kind' | 'type'>): RockEventKind | null {
  if (kind === 'bid') return null;
  if (kind === 'sale') return type.startsWith('accept-') ? 'accepted-bid' : 'sale';
  if (kind === 'transfer') return type === 'burn' ? 'burn' : 'transfer';
  return kind;
}

/** Where the next page of the past begins: at this time, rows of the very same moment left out. */
export interface PastCursor {
  readonly historyAt: Date | null;
  readonly historySkip: number;
}

/**
 * After a page, oldest first. The next one begins with the last moment seen, read again as a whole: rows that came late are not
 * missed. A moment with more rows than a page holds is stepped through.
 */
export function cursorAfterPage(
  { historyAt, historySkip }: PastCursor,
  actions: readonly MarketAction[],
  rowCount: number,
): PastCursor {
  const lastMs = Math.max(...actions.map(({ happenedAt }) => happenedAt.getTime()));
  const hasMoved = actions.length > 0 && lastMs > (historyAt?.getTime() ?? -Infinity);
  return hasMoved
    ? { historyAt: new Date(lastMs), historySkip: 0 }
    : { historyAt, historySkip: historySkip + rowCount };
}

export const pastEventsOf = (actions: readonly MarketAction[]) => rockEventsOf(draftEvents(actions, new Date(0)));
