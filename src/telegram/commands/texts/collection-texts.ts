import type { TrackedCollection } from '../../../market/contract.ts';
import { suiText, withCommas } from '../../../shared/money.ts';
import { inBrackets, usdText } from '../../cards/price-text.ts';

/** `floor 13 SUI ($45.50)`, or a note that it is unknown: never a zero. */
export const floorWords = ({ floorMist }: Pick<TrackedCollection, 'floorMist'>, usdPerSui: string | null): string => {
  if (floorMist === null) return 'floor not known';
  return `floor ${suiText(floorMist)}${inBrackets(usdText(floorMist, usdPerSui))}`;
};

/** Codes of Unavailable that mean no answer came; with any other, the marketplace answered. */
const silentReasons: ReadonlySet<string> = new Set(['network', 'timeout', 'rate-limited', 'upstream-error']);

/** Why nothing newer is known, by who can do something about it. */
export const failureSentence = ({ failingSince }: Pick<TrackedCollection, 'failingSince'>): string => {
  if (failingSince === null) return 'nothing newer has been read yet.';
  // The collection has another address there, or was dropped.
  if (failingSince.reason === 'collection-unknown')
    return 'the marketplace no longer knows this collection. If it has a new address there, a group admin can send /setup with it.';
  return silentReasons.has(failingSince.reason)
    ? 'the marketplace is not answering.'
    : 'the marketplace cannot be read right now.';
};

export interface CollectionView {
  readonly collection: TrackedCollection;
  /** The longest time between two readings (TRACKER_POLL_MAX_MS). */
  readonly pollMaxMs: number;
  readonly now: Date;
}

/** Rulings R3: a figure older than twice its refresh is marked old. */
export const asOfLine = ({ collection, pollMaxMs, now }: CollectionView): string | null => {
  if (collection.lastSucceededAt === null) return 'The marketplace has not been read yet.';
  const ageMs = now.getTime() - collection.lastSucceededAt.getTime();
  return ageMs <= 2 * pollMaxMs ? null : `As of ${ageText(ageMs)} ago: ${failureSentence(collection)}`;
};

export const listedWords = ({ listedCount }: Pick<TrackedCollection, 'listedCount'>): string | null =>
  listedCount === null ? null : `${withCommas(String(listedCount))} listed`;

/** `40 seconds ago`, or `just now`. */
export const agoText = (at: Date, now: Date): string => {
  const ageMs = now.getTime() - at.getTime();
  return ageMs < 1_000 ? 'just now' : `${ageText(ageMs)} ago`;
};

/** `40 seconds`, `5 minutes`, `3 hours`, `2 days`: a span in the largest unit that fits, at least a second. */
export const ageText = (ageMs: number): string => {
  const seconds = Math.max(1, Math.round(ageMs / 1000));
  const units = { day: 86_400, hour: 3600, minute: 60, second: 1 };
  const [noun, unit] = Object.entries(units).find(([, length]) => seconds >= length) ?? ['second', 1];
  const count = Math.floor(seconds / unit);
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
};
