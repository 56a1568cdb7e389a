import { type CoinMove, type DayPrices, dayOf } from './ledger-days.ts';
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

interface PastPrices {
  readonly moves: readonly CoinMove[];
  readonly prices: DayPrices;
}

/** A coin that left after so many days without a price had died; after fewer, its source may only have had a gap. */
const deadAfterDays = 30;

/**
 * A coin that is not counted today is not counted since its last price either: it is worth 0. Otherwise a coin that died would make every
 * later day unknown, and so would anyone who sends some of it. `counted` is empty before the first reading of the treasury.
 */
export function withoutDeadCoins(
  { moves, prices }: PastPrices,
  counted: readonly string[],
  sums: readonly { readonly coinType: string; readonly openingRaw: bigint }[],
): PastPrices {
  if (counted.length === 0) return { moves, prices };
  const heldRaw = new Map(sums.map(({ coinType, openingRaw }) => [coinType, openingRaw]));
  for (const { coinType, raw } of moves) heldRaw.set(coinType, (heldRaw.get(coinType) ?? 0n) + raw);
  const lastCounted = new Map(
    [...heldRaw].flatMap(([coinType, raw]) => {
      const priced = [...(prices.get(coinType) ?? [])].flatMap(([day, price]) => (price === null ? [] : [day]));
      if (counted.includes(coinType) || (raw <= 0n && priced.length === 0)) return [];
      return [[coinType, Math.max(...priced) + (raw > 0n ? 0 : deadAfterDays)] as const];
    }),
  );
  const priceOf = (coinType: string, day: number, price: bigint | null): bigint | null =>
    price === null && day > (lastCounted.get(coinType) ?? Infinity) ? 0n : price;
  const pricesOf = (coinType: string, days: ReadonlyMap<number, bigint | null>) =>
    new Map([...days].map(([day, price]) => [day, priceOf(coinType, day, price)]));
  return {
    moves: moves.map((move) => ({ ...move, pricePicoUsd: priceOf(move.coinType, dayOf(move.at), move.pricePicoUsd) })),
    prices: new Map([...prices].map(([coinType, days]) => [coinType, pricesOf(coinType, days)])),
  };
}
