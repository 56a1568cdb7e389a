import type { PriceQuote } from './reading.ts';

/**
 * How far a point may lie from the moment it stands for: no price within 6 hours is an unknown price; where there is one point a
 * day, the nearest is never more than half a day away.
 */
const withinMs = { hour: 6 * 3_600_000, day: 12 * 3_600_000 } as const;

/**
 * What a coin cost at a moment: its point nearest in time, with the time of its own. null: unknown, which is not zero (rulings R8).
 * `points` of one coin, oldest first; of two that are equally near, the earlier one.
 */
export const priceAt = (points: readonly PriceQuote[], at: Date, every: keyof typeof withinMs): PriceQuote | null => {
  const next = firstFrom(points, at);
  const distanceMs = ({ asOf }: PriceQuote): number => Math.abs(asOf.getTime() - at.getTime());
  const [nearest] = points
    .slice(Math.max(0, next - 1), next + 1)
    .filter((point) => distanceMs(point) <= withinMs[every])
    .sort((left, right) => distanceMs(left) - distanceMs(right));
  return nearest ?? null;
};

/** Index of the first point that is not before a moment, by halving: a ledger asks for thousands of moments. */
const firstFrom = (points: readonly PriceQuote[], at: Date): number => {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const point = points[middle];
    if (point !== undefined && point.asOf < at) low = middle + 1;
    else high = middle;
  }
  return low;
};
