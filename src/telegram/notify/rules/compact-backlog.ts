import { oneByOneMax, staleAfterMs } from './arrange-events.ts';

/** A message that waits to be sent to one chat. */
export interface BacklogMessage {
  readonly kind: 'card' | 'folded' | 'digest' | 'recap' | 'notice' | 'test';
  /** The newest event it reports; null: none. */
  readonly happenedAt: Date | null;
}

/**
 * The messages that one digest replaces, of all that wait, in their order. Rulings R4 after an outage of the messenger:
 * of the event messages at most the newest 10 stay, none over 6 hours old. Replies (notices, samples) and recaps always
 * stay. A digest stays if nothing else would join it, so that a repetition changes nothing.
 */
export const replacedByDigest = <M extends BacklogMessage>(waiting: readonly M[], now: Date): readonly M[] => {
  const isStale = ({ happenedAt }: M): boolean =>
    happenedAt !== null && now.getTime() - happenedAt.getTime() > staleAfterMs;
  const telling = waiting.filter(({ kind }) => kind === 'card' || kind === 'folded' || kind === 'digest');
  const fresh = telling.filter((message) => message.kind !== 'digest' && !isStale(message));
  const kept = new Set(fresh.slice(-oneByOneMax));
  const replaced = telling.filter((message) => !kept.has(message));
  return replaced.length === 1 && replaced[0]?.kind === 'digest' ? [] : replaced;
};
