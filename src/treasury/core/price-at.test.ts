import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf } from './ledger-days.ts';
import { priceAt, withoutDeadCoins } from './price-at.ts';
import type { PriceQuote } from './reading.ts';

const hourMs = 3_600_000;
const noon = Date.parse('2026-03-03T12:00:00Z');
const quoteAt = (ms: number): PriceQuote => ({
  pricePicoUsd: BigInt(ms),
  confidence: 0.99,
  asOf: new Date(ms),
  source: 'defillama',
});
const hoursFrom = (...hours: number[]): PriceQuote[] => hours.map((hour) => quoteAt(noon + hour * hourMs));

describe('the price of a coin at a moment', () => {
  test('is that of the nearest point, with the time of that point', () => {
    const points = hoursFrom(-2, -1, 1, 3);
    expect(priceAt(points, new Date(noon + 0.5 * hourMs), 'hour')).toBe(points[2]);
    expect(priceAt(points, new Date(noon - hourMs), 'hour')).toBe(points[1]);
    expect(priceAt(points, new Date(noon), 'hour')).toBe(points[1]);
  });

  test.each([
    ['hour', 6],
    ['day', 12],
  ] as const)('with one point per %s, is taken from at most %d hours away', (every, hours) => {
    for (const sign of [-1, 1]) {
      const points = hoursFrom(sign * hours);
      expect(priceAt(points, new Date(noon), every)).toBe(points[0]);
      expect(priceAt(points, new Date(noon - sign), every)).toBeNull();
    }
  });

  test('is unknown for a coin without points', () => {
    expect(priceAt([], new Date(noon), 'day')).toBeNull();
  });

  test('is the one that a search through all points finds', () => {
    const moments = array(integer({ min: 0, max: 200 }), { maxLength: 40 });
    assert(
      property(moments, integer({ min: 0, max: 200 }), (hours, at) => {
        const points = hoursFrom(...[...new Set(hours)].sort((left, right) => left - right));
        const distances = points.map(({ asOf }) => Math.abs(asOf.getTime() - noon - at * hourMs));
        const nearestMs = Math.min(...distances);
        const expected = nearestMs <= 6 * hourMs ? points[distances.indexOf(nearestMs)] : null;
        expect(priceAt(points, new Date(noon + at * hourMs), 'hour')).toBe(expected);
      }),
    );
  });
});

describe('a coin that is not counted today', () => {
  const today = dayOf(new Date(noon));
  /** A coin with a price on the first of these days, which came on it and of which something moved on each. */
  const movedOn = (coinType: string, isHeld: boolean, [first = 0, ...later]: readonly number[]) => ({
    prices: new Map([first, ...later].map((ago, index) => [today - ago, index === 0 ? 1n : null])),
    moves: [first, ...later].map((ago, index) => ({
      at: new Date(noon - ago * 24 * hourMs),
      kind: 'transfer-in' as const,
      coinType,
      raw: index === 0 && !isHeld ? -BigInt(later.length) : 1n,
      gasRaw: 0n,
      pricePicoUsd: index === 0 ? 1n : null,
    })),
  });
  const valuedOf = (isHeld: boolean, ago: readonly number[], counted: readonly string[]) => {
    const { moves, prices } = movedOn('meme', isHeld, ago);
    const valued = withoutDeadCoins({ moves, prices: new Map([['meme', prices]]) }, counted, []);
    const ofMoves = valued.moves.map(({ pricePicoUsd }) => pricePicoUsd);
    expect([...(valued.prices.get('meme')?.values() ?? [])]).toEqual(ofMoves);
    return ofMoves;
  };

  test('is worth nothing since its last price; if it was given away, since thirty days after', () => {
    expect(valuedOf(true, [60, 59, 1], ['sui'])).toEqual([1n, 0n, 0n]);
    expect(valuedOf(false, [60, 59, 30, 29], ['sui'])).toEqual([1n, null, null, 0n]);
  });

  test.each([[['sui', 'meme']], [[]]])(
    'may only be one that has a gap: with %j counted, a missing price is unknown',
    (counted) => {
      expect(valuedOf(true, [60, 1], counted)).toEqual([1n, null]);
    },
  );
});
