import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mist } from '../../../tests/support/activity-events.ts';
import { isAboveFloor, listingFloorText } from './price-text.ts';

const floors = (before: number | null, now: number | null) => ({
  beforeMist: before === null ? null : mist(before),
  nowMist: now === null ? null : mist(now),
});

describe('the price of a listing compared with the floor', () => {
  test.each([
    [12, 10, 12, 'At the floor (12 SUI)'],
    [12.48, 13, 12.48, 'New floor, 4% below the old one (13 SUI)'],
    [12, 13, 11, '8% below floor (13 SUI)'],
    [15, 13, 10, '50% above floor (10 SUI)'],
    [15, null, 12, '25% above floor (12 SUI)'],
    [15, null, null, null],
  ])('%d with the floor at %s, then %s: %s', (price, before, now, text) =>
    expect(listingFloorText(mist(price), floors(before, now))).toBe(text),
  );

  test('a listing reads as above the floor exactly when it counts as above the floor', () => {
    const price = fc.integer({ min: 1, max: 50 });
    const floor = fc.option(price);
    fc.assert(
      fc.property(price, floor, floor, (sui, before, now) => {
        const known = floors(before, now);
        const isAbove = /above|times/.test(listingFloorText(mist(sui), known) ?? '');
        expect(isAbove).toBe(isAboveFloor(mist(sui), known));
      }),
    );
  });
});
