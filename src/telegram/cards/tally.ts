import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import { averageMist, sumMist } from './price-text.ts';

export const activityKinds: readonly ActivityKind[] = ['mint', 'sale', 'listing', 'bid'];

/** Totals of events of one kind. Prices in another coin and unknown ones are counted, never summed. */
export interface Tally {
  readonly kind: ActivityKind;
  readonly count: number;
  readonly pricedCount: number;
  /** These four are null when no price is known. */
  readonly totalMist: bigint | null;
  readonly averageMist: bigint | null;
  readonly lowestMist: bigint | null;
  readonly highestMist: bigint | null;
  /** The highest, or the first when no price is known. */
  readonly top: ActivityEvent | null;
}

const comparePrices = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));

export const tallyOf = (kind: ActivityKind, events: readonly ActivityEvent[]): Tally => {
  const ofKind = events.filter((event) => event.kind === kind);
  const prices = ofKind.flatMap(({ priceMist }) => (priceMist === null ? [] : [priceMist])).toSorted(comparePrices);
  const highestMist = prices.at(-1) ?? null;
  return {
    kind,
    count: ofKind.length,
    pricedCount: prices.length,
    totalMist: prices.length === 0 ? null : sumMist(prices),
    averageMist: averageMist(prices),
    lowestMist: prices[0] ?? null,
    highestMist,
    top: ofKind.find(({ priceMist }) => priceMist === highestMist) ?? ofKind[0] ?? null,
  };
};

/** The kinds that occur. */
export const talliesOf = (events: readonly ActivityEvent[]): readonly Tally[] =>
  activityKinds.map((kind) => tallyOf(kind, events)).filter(({ count }) => count > 0);
