import { oneByOneMax, staleAfterMs } from './arrange-events.ts';

/** A message that waits to be sent to one chat. */
export interface BacklogMessage {
  readonly id: bigint;
  readonly kind: 'card' | 'folded' | 'digest' | 'recap' | 'notice' | 'test';
  readonly eventCount: number;
  /** The newest event it tells; null: it tells none. */
  readonly happenedAt: Date | null;
}

export interface CompactedBacklog {
  /** Stay as they are, in the order of their ids. */
  readonly keptIds: readonly bigint[];
  /** Told together by one digest; empty: nothing is to be done. */
  readonly replacedIds: readonly bigint[];
  /** The oldest of the replaced: as the digest takes its row, it arrives before everything kept. */
  readonly digestId: bigint | null;
}

const byId = (one: BacklogMessage, other: BacklogMessage): number =>
  one.id < other.id ? -1 : Number(one.id > other.id);

/**
 * Rulings R4 after an outage of the messenger: of what tells events, at most the newest 10 messages stay, none of them
 * over 6 hours old; the rest becomes one digest. Answers to people (notices, samples) and recaps always stay. A digest
 * stays where nothing else would join it, so that doing it again changes nothing.
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
