import type { ActivityKind } from '../../market/contract.ts';
import { readsSame, suiRangeText, suiText } from './price-text.ts';
import type { Tally } from './tally.ts';

const nouns: Readonly<Record<ActivityKind, readonly [one: string, many: string]>> = {
  mint: ['mint', 'mints'],
  sale: ['sale', 'sales'],
  listing: ['listing', 'listings'],
  bid: ['bid', 'bids'],
};

/** `1 sale`, `12 sales`. */
export const countOf = (kind: ActivityKind, count: number): string => `${count} ${nouns[kind][count === 1 ? 0 : 1]}`;

const priceWords = (tally: Tally): string => {
  const { kind, totalMist, averageMist, lowestMist, highestMist } = tally;
  if (totalMist === null || averageMist === null || lowestMist === null || highestMist === null) return '';
  const each = tally.pricedCount === 1 ? '' : ' each';
  const isOnePrice = readsSame(lowestMist, highestMist);
  if (kind === 'listing') return ` at ${suiRangeText(lowestMist, highestMist)}${isOnePrice ? each : ''}`;
  if (kind === 'bid')
    return isOnePrice ? ` of ${suiText(highestMist)}${each}` : `, the highest ${suiText(highestMist)}`;
  if (totalMist === 0n) return ' for free';
  const total = ` for ${suiText(totalMist)}`;
  if (tally.pricedCount === 1) return total;
  return isOnePrice ? `${total}, ${suiText(highestMist)} each` : `${total}, ${suiText(averageMist)} on average`;
};

/** Sums skip events without a price in SUI; this says how many. */
export const unpricedWords = ({ count, pricedCount }: Tally): string | null =>
  count === pricedCount ? null : `${count - pricedCount} not counted in: another coin, or no known price`;

/** `6 sales for 84.2 SUI, 14.03 SUI on average`. */
export const tallyText = (tally: Tally): string => {
  const unpriced = unpricedWords(tally);
  return `${countOf(tally.kind, tally.count)}${priceWords(tally)}${unpriced === null ? '' : ` (${unpriced})`}`;
};

/** `Floor 12 SUI, now 13 SUI`; null if the present one is unknown. */
export const floorText = (beforeMist: bigint | null, nowMist: bigint | null): string | null => {
  if (nowMist === null) return null;
  return beforeMist === null || readsSame(beforeMist, nowMist)
    ? `Floor ${suiText(nowMist)}`
    : `Floor ${suiText(beforeMist)}, now ${suiText(nowMist)}`;
};
