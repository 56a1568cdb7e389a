import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import { counted, suiText, withCommas } from '../../shared/money.ts';
import { averageMist, inBrackets, suiRangeText, sumMist, usdText } from './price-text.ts';

export const activityKinds: readonly ActivityKind[] = ['mint', 'sale', 'listing', 'bid'];

/** Totals of events of one kind. Events priced in another coin, or at an unknown price, are counted, never summed. */
export interface Tally {
  readonly kind: ActivityKind;
  readonly count: number;
  readonly pricedCount: number;
  /** null: no price is known. */
  readonly prices: Prices | null;
  /** The highest, or the first when no price is known. */
  readonly top: ActivityEvent | null;
}

interface Prices {
  readonly totalMist: bigint;
  readonly averageMist: bigint;
  readonly lowestMist: bigint;
  readonly highestMist: bigint;
}

export const tallyOf = (kind: ActivityKind, events: readonly ActivityEvent[]): Tally => {
  const ofKind = events.filter((event) => event.kind === kind);
  const known = ofKind.flatMap(({ priceMist }) => (priceMist === null ? [] : [priceMist]));
  const prices = pricesOf(known);
  return {
    kind,
    count: ofKind.length,
    pricedCount: known.length,
    prices,
    top: ofKind.find(({ priceMist }) => priceMist === prices?.highestMist) ?? ofKind[0] ?? null,
  };
};

const pricesOf = (prices: readonly bigint[]): Prices | null => {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
  const lowestMist = sorted[0];
  const highestMist = sorted.at(-1);
  const average = averageMist(prices);
  if (lowestMist === undefined || highestMist === undefined || average === null) return null;
  return { totalMist: sumMist(prices), averageMist: average, lowestMist, highestMist };
};

export const talliesOf = (events: readonly ActivityEvent[]): readonly Tally[] =>
  activityKinds.map((kind) => tallyOf(kind, events)).filter(({ count }) => count > 0);

/** `1 sale`, `3 sales`. */
export const countOf = (kind: ActivityKind, count: number): string => counted(count, kind);

/** `12 sales for 84.2 SUI ($294.70), 7.02 SUI on average`; listings and bids also show the range of prices. */
export const tallyText = (tally: Tally, usdPerSui: string | null): string =>
  `${countOf(tally.kind, tally.count)}${priceWords(tally, usdPerSui)}${inBrackets(unpricedWords(tally))}`;

const priceWords = ({ kind, pricedCount, prices }: Tally, usdPerSui: string | null): string => {
  if (prices === null) return '';
  const total = `${suiText(prices.totalMist)}${inBrackets(usdText(prices.totalMist, usdPerSui))}`;
  const isPaid = kind === 'mint' || kind === 'sale';
  if (isPaid && prices.totalMist === 0n) return ' for free';
  if (pricedCount === 1) return ` for ${total}`;
  const average = `, ${suiText(prices.averageMist)} on average`;
  if (isPaid) return ` for ${total}${average}`;
  return ` at ${suiRangeText(prices.lowestMist, prices.highestMist)}, ${total} in total${average}`;
};

/** Sums skip events without a price in SUI; this says how many. */
export const unpricedWords = ({ count, pricedCount }: Pick<Tally, 'count' | 'pricedCount'>): string | null =>
  count === pricedCount
    ? null
    : `${withCommas(String(count - pricedCount))} not included: another coin, or no known price`;
