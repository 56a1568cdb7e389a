import { oneByOneMax, staleAfterMs } from './arrange-events.ts';

/** A message that waits to be sent to one chat. */
export interface BacklogMessage {
  readonly id: bigint;
  readonly kind: 'card' | 'folded' | 'digest' | 'recap' | 'notice' | 'test';
  readonly eventCount: number;
  /** The newest event it reports; null: none. */
  readonly happenedAt: Date | null;
}

export interface CompactedBacklog {
  /** Kept as they are, in the order of their ids. */
  readonly keptIds: readonly bigint[];
  /** Replaced by one digest; empty: nothing to do. */
  readonly replacedIds: readonly bigint[];
  /** The oldest of the replaced: the digest takes its row, so it arrives before everything kept. */
  readonly digestId: bigint | null;
}

const byId = (one: BacklogMessage, other: BacklogMessage): number =>
  one.id < other.id ? -1 : Number(one.id > other.id);

/**
 * Rulings R4 after an outage of the messenger: of the event messages at most the newest 10 stay, none over 6 hours old;
 * the rest becomes one digest. Replies (notices, samples) and recaps always stay. A digest stays if nothing else would
 * join it, so that a repetition changes nothing.
 */
export const compactBacklog = (messages: readonly BacklogMessage[], now: Date): CompactedBacklog => {
  const sorted = messages.toSorted(byId);
  const telling = sorted.filter(({ kind }) => kind === 'card' || kind === 'folded' || kind === 'digest');
  const fresh = telling.filter(({ kind, happenedAt }) => kind !== 'digest' && !isOver6Hours(happenedAt, now));
  const kept = new Set(fresh.slice(-oneByOneMax));
  const rest = telling.filter((message) => !kept.has(message));
  const replaced = rest.length === 1 && rest[0]?.kind === 'digest' ? [] : rest;
  return {
    keptIds: sorted.filter((message) => !replaced.includes(message)).map(({ id }) => id),
    replacedIds: replaced.map(({ id }) => id),
    digestId: replaced[0]?.id ?? null,
  };
};

const isOver6Hours = (happenedAt: Date | null, now: Date): boolean =>
  happenedAt !== null && now.getTime() - happenedAt.getTime() > staleAfterMs;
