import type { PriceQuote } from './reading.ts';

/**
 * How far a price point may be from the moment it is used for. Without one within 6 hours the price is unknown; with one point a day, the
 * nearest is never more than half a day away.
 */
const withinMs = { hour: 6 * 3_600_000, day: 12 * 3_600_000 } as const;

/**
 * The price of a coin at a moment: the nearest point, with its own time. null: unknown, which is not zero (rulings R8). `points`: of one
 * coin, oldest first; of two equally near ones, the earlier counts.
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

/** Index of the first point not before a moment. A binary search, because a ledger looks up thousands of moments. */
const firstFrom = (points: readonly PriceQuote[], at: Date): number => {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const point = points[middle];
    if (point !== undefined && point.asOf < at) low = middle + 1;
    else high = middle;
  }
  return low;
};
