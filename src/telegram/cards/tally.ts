import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import {
  averageMist,
  inBrackets,
  readsSame,
  suiRangeText,
  suiText,
  sumMist,
  usdRangeText,
  usdText,
} from './price-text.ts';

export const activityKinds: readonly ActivityKind[] = ['mint', 'sale', 'listing', 'bid'];

/** Totals of events of one kind. Prices in another coin and unknown ones are counted, never summed. */
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
  /** They read the same when rounded for display. */
  readonly isOnePrice: boolean;
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
  const [lowestMist, highestMist, average] = [sorted[0], sorted.at(-1), averageMist(prices)];
  if (lowestMist === undefined || highestMist === undefined || average === null) return null;
  const isOnePrice = readsSame(lowestMist, highestMist);
  return { totalMist: sumMist(prices), averageMist: average, lowestMist, highestMist, isOnePrice };
};

export const talliesOf = (events: readonly ActivityEvent[]): readonly Tally[] =>
  activityKinds.map((kind) => tallyOf(kind, events)).filter(({ count }) => count > 0);

const nouns: Readonly<Record<ActivityKind, readonly [one: string, many: string]>> = {
  mint: ['mint', 'mints'],
  sale: ['sale', 'sales'],
  listing: ['listing', 'listings'],
  bid: ['bid', 'bids'],
};

export const countOf = (kind: ActivityKind, count: number): string => `${count} ${nouns[kind][count === 1 ? 0 : 1]}`;

/** Listings and bids: their sum means nothing. */
export const isOffer = (kind: ActivityKind): boolean => kind === 'listing' || kind === 'bid';

/** ` for 84.2 SUI ($294.70)`; of offers the range, or the highest. `shown` decorates the amount. */
export const priceWords = (
  { kind, pricedCount, prices }: Tally,
  usdPerSui: string | null,
  shown: (amount: string) => string,
): string => {
  if (prices === null) return '';
  const { totalMist, lowestMist, highestMist, isOnePrice } = prices;
  const each = isOnePrice && pricedCount > 1 ? ' each' : '';
  if (kind === 'listing') {
    const usd = inBrackets(usdRangeText(lowestMist, highestMist, usdPerSui));
    return ` at ${shown(suiRangeText(lowestMist, highestMist))}${each}${usd}`;
  }
  if (kind === 'bid') {
    const usd = inBrackets(usdText(highestMist, usdPerSui));
    return `${isOnePrice ? ' of' : ', the highest'} ${shown(suiText(highestMist))}${each}${usd}`;
  }
  if (totalMist === 0n) return ' for free';
  return ` for ${shown(suiText(totalMist))}${inBrackets(usdText(totalMist, usdPerSui))}`;
};

/** Sums skip events without a price in SUI; this says how many. */
export const unpricedWords = ({ count, pricedCount }: Tally): string | null =>
  count === pricedCount ? null : `${count - pricedCount} not counted in: another coin, or no known price`;

/** `6 sales for 84.2 SUI, 14.03 SUI on average`. */
export const tallyText = (tally: Tally): string => {
  const { kind, count, pricedCount, prices } = tally;
  const isMean = prices !== null && !isOffer(kind) && prices.totalMist !== 0n && pricedCount > 1;
  const oneOrMean = (of: Prices): string =>
    of.isOnePrice ? `${suiText(of.highestMist)} each` : `${suiText(of.averageMist)} on average`;
  const mean = isMean ? `, ${oneOrMean(prices)}` : '';
  const unpriced = inBrackets(unpricedWords(tally));
  return `${countOf(kind, count)}${priceWords(tally, null, (amount) => amount)}${mean}${unpriced}`;
};

/** `Floor 12 SUI, now 13 SUI`; null if the present one is unknown. */
export const floorText = (beforeMist: bigint | null, nowMist: bigint | null): string | null => {
  if (nowMist === null) return null;
  return beforeMist === null || readsSame(beforeMist, nowMist)
    ? `Floor ${suiText(nowMist)}`
    : `Floor ${suiText(beforeMist)}, now ${suiText(nowMist)}`;
};
