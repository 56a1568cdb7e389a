import type { ActivityRow, EventDraft } from '../ports.ts';
import { describeRow } from './activity-types.ts';

interface Drafts {
  /** Oldest first, each event once. */
  readonly drafts: readonly EventDraft[];
  /** Words of the marketplace that are not read. */
  readonly otherTypes: readonly string[];
}

/**
 * Events of the rows that happened at or after `since`: a marketplace that answers with its whole past, whatever it was
 * asked, must not make news of it.
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
