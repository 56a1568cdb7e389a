import type { MarketAction } from '../../sources/tradeport/rows.ts';
import type { rockEventKinds } from '../rocks-contract.ts';
import { draftEvents, type EventDraft } from './activity-rules.ts';

/** Pure rules of rulings R8: which activity belongs to a rock's history, and how the past is read page by page. */

export type RockEventKind = (typeof rockEventKinds)[number];

type Described = Pick<
  EventDraft,
  'eventKey' | 'kind' | 'type' | 'nftObjectId' | 'happenedAt' | 'priceMist' | 'seller' | 'buyer' | 'transactionDigest'
>;

export type RockEvent = ReturnType<typeof rockEventsOf>[number];

/** The events that happened to a rock. `eventKey` is equal for the same fact, however many markets reported it. */
export function rockEventsOf(drafts: readonly Described[]) {
  return drafts.flatMap((draft) => {
    const { eventKey, nftObjectId: objectId, happenedAt, priceMist, transactionDigest } = draft;
    const kind = rockKind(draft);
    if (kind === null || objectId === null) return [];
    // A mint has no previous owner.
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

/** Where the next page of the past begins: at `historyAt`, skipping `historySkip` rows. */
export interface PastCursor {
  readonly historyAt: Date | null;
  readonly historySkip: number;
}

/**
 * The cursor after a page (oldest first). The next page begins with the last moment seen, read again in full, so that late rows
 * are not missed. Within a moment with more rows than a page holds, rows already read are skipped.
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

/** How far the past has been read. Times are the marketplace's; null: nothing yet. */
export interface HistoryProgress extends PastCursor {
  readonly isHistoryComplete: boolean;
}

export function progressAfterPage(
  progress: HistoryProgress,
  { actions, rowCount }: { readonly actions: readonly MarketAction[]; readonly rowCount: number },
  now: Date,
): HistoryProgress {
  const { historyAt, isHistoryComplete } = progress;
  if (rowCount > 0) return { ...cursorAfterPage(progress, actions, rowCount), isHistoryComplete };
  // The marketplace's indexer may add a row too late for the polls' overlap, so the next reading repeats the last week. A row dated
  // ahead of our clock must not move its start forward.
  const from = historyAt && new Date(Math.min(historyAt.getTime(), now.getTime()) - weekMs);
  return { historyAt: from, historySkip: 0, isHistoryComplete: true };
}

const weekMs = 7 * 86_400_000;

/** Whether an empty page contradicts what is known. `mintedCount` is the marketplace's, not ours. */
export function mustHaveRows(
  { historyAt, historySkip, isHistoryComplete }: HistoryProgress,
  mintedCount: number | null | undefined,
): boolean {
  // All rows of the last moment were read and are skipped.
  if (historySkip > 0) return false;
  // Reading starts again a week earlier, and the rows since may have been deleted.
  if (isHistoryComplete) return false;
  // The page begins with the last row seen. If none was seen yet, only a collection without mints has no rows.
  return historyAt !== null || mintedCount !== 0;
}

export const pastEventsOf = (actions: readonly MarketAction[]) => rockEventsOf(draftEvents(actions, new Date(0)));
