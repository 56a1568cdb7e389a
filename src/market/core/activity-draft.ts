import type { ActivityKind } from '../contract.ts';
import type { ActivityRow, EventDraft } from '../ports.ts';

type Side = 'sender' | 'receiver';

interface ActivityType {
  readonly kind: ActivityKind | 'transfer';
  /** The first that is known. */
  readonly buyer: readonly Side[];
  readonly seller: readonly Side[];
}

const sale: ActivityType = { kind: 'sale', buyer: ['receiver'], seller: ['sender'] };
const listing: ActivityType = { kind: 'listing', buyer: [], seller: ['sender'] };
const bid: ActivityType = { kind: 'bid', buyer: ['sender'], seller: [] };
const transfer: ActivityType = { kind: 'transfer', buyer: ['receiver'], seller: ['sender'] };

/**
 * Rulings R4: which of the marketplace's words are reported, and as what; R5: which of the others change who holds what. Who is
 * `sender` and who `receiver` is not documented (reference 4.1): here the piece goes from sender to receiver, and the lister or
 * bidder is the sender. If a live key shows otherwise, only this table needs to change.
 */
const activityTypes: ReadonlyMap<string, ActivityType> = new Map([
  ['mint', { kind: 'mint', buyer: ['receiver', 'sender'], seller: [] }],
  ['buy', sale],
  ['accept-bid', sale],
  ['accept-collection-bid', sale],
  // Not in the rulings' list, but still a sale (reference 4.1).
  ['accept-attribute-bid', sale],
  ['list', listing],
  ['relist', listing],
  ['solo-bid', bid],
  ['bid', bid],
  ['collection-bid', bid],
  ['transfer', transfer],
  ['burn', { ...transfer, buyer: [] }],
]);

/** What the marketplace is asked for. */
export const readTypes: readonly string[] = [...activityTypes.keys()];

/** Those that are reported to groups. */
export const reportedTypes: readonly string[] = readTypes.filter(
  (type) => activityTypes.get(type)?.kind !== 'transfer',
);

export const saleTypes: readonly string[] = reportedTypes.filter((type) => activityTypes.get(type)?.kind === 'sale');

/** Kind, buyer and seller of a row; null: a type that is not read. */
export function describeRow(row: ActivityRow): {
  readonly kind: ActivityType['kind'];
  readonly buyer: string | null;
  readonly seller: string | null;
} | null {
  const type = activityTypes.get(row.type);
  if (type === undefined) return null;
  const first = (sides: readonly Side[]): string | null => sides.map((side) => row[side]).find(isKnown) ?? null;
  return { kind: type.kind, buyer: first(type.buyer), seller: first(type.seller) };
}

function isKnown(address: string | null): boolean {
  return address !== null;
}

interface Drafts {
  /** Oldest first, each event once. */
  readonly drafts: readonly EventDraft[];
  /** Words of the marketplace that are not read. */
  readonly otherTypes: readonly string[];
}

/**
 * Events of the rows at or after `since`: a marketplace that answers with its whole past, whatever it was asked, must not
 * cause it to be reported.
 */
export function draftEvents(rows: readonly ActivityRow[], since: Date): Drafts {
  const drafts = new Map<string, EventDraft>();
  const actionIds = new Set<string>();
  const otherTypes = new Set<string>();
  for (const row of rows) {
    const draft = draftOf(row);
    if (draft === null) otherTypes.add(row.type);
    else if (draft.happenedAt >= since && !drafts.has(draft.eventKey) && !actionIds.has(row.id)) {
      drafts.set(draft.eventKey, draft);
      actionIds.add(row.id);
    }
  }
  const oldestFirst = [...drafts.values()].sort((one, other) => one.happenedAt.getTime() - other.happenedAt.getTime());
  return { drafts: oldestFirst, otherTypes: [...otherTypes] };
}

function draftOf(row: ActivityRow): EventDraft | null {
  const described = describeRow(row);
  if (described === null) return null;
  const { id: actionId, type, transactionDigest, nft, priceMist, foreignPrice, marketName, happenedAt } = row;
  // Rulings R4: the same fact from two markets is one event. Without a transaction nothing but the row's own id is left.
  const eventKey = [transactionDigest ?? `action:${actionId}`, nft?.objectId ?? 'collection', described.kind].join('/');
  const facts = { type, transactionDigest, nft, priceMist, foreignPrice, marketName, happenedAt };
  return { eventKey, actionId, ...described, ...facts };
}
