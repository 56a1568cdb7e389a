/** Whose answer is missing. */
export type AskedSide = 'node' | 'marketplace';

/** What says more than that somebody did not answer. */
const telling = new Set(['too-many-kiosks', 'malformed-answer', 'marketplace-key-missing', 'stopped']);
const sameAs: Readonly<Record<string, string>> = {
  'repeated-cursor': 'malformed-answer',
  'too-many-pages': 'too-many-objects',
  'too-many-rows': 'too-many-objects',
};

/** The stable code of an answer 'unknown' (rulings R5) from the reason of an outage, which is a matter of wires. */
export function unknownReason(side: AskedSide, reason: string): string {
  return sameAs[reason] ?? (telling.has(reason) ? reason : `${side}-unavailable`);
}
