import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceAt } from './price-at.ts';
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
