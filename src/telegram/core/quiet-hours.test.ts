import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isQuiet, quietEndsAt } from './quiet-hours.ts';

const at = (clock: string): Date => new Date(`2026-11-20T${clock}Z`);
const hours = (from: number, to: number): { fromMinute: number; toMinute: number } => ({
  fromMinute: from * 60,
  toMinute: to * 60,
});

describe('Rulings R4: quiet hours in the time of the chat', () => {
  test.each([
    ['23:00:00', hours(23, 7), 0, true],
    ['22:59:59', hours(23, 7), 0, false],
    ['06:59:59', hours(23, 7), 0, true],
    ['07:00:00', hours(23, 7), 0, false],
    ['12:00:00', hours(9, 17), 0, true],
    ['17:00:00', hours(9, 17), 0, false],
    ['00:00:00', hours(0, 8), 0, true],
    ['21:30:00', hours(23, 7), 120, true],
    ['05:30:00', hours(23, 7), 120, false],
    ['08:00:00', hours(23, 7), -300, true],
    ['20:29:00', hours(3, 4), 390, false],
    ['20:30:00', hours(3, 4), 390, true],
    ['12:00:00', hours(5, 5), 0, false],
    ['12:00:00', null, 0, false],
  ])('at %s with %o and an offset of %d minutes: %s', (clock, quiet, offset, expected) =>
    expect(isQuiet(at(clock), quiet, offset)).toBe(expected),
  );

  test.each([
    ['23:15:30', hours(23, 7), 0, '2026-11-21T07:00:00.000Z'],
    ['06:59:59', hours(23, 7), 0, '2026-11-20T07:00:00.000Z'],
    ['21:30:00', hours(23, 7), 120, '2026-11-21T05:00:00.000Z'],
    ['08:00:00', hours(9, 17), 0, null],
  ])('the quiet at %s of %o, offset %d, ends at %s', (clock, quiet, offset, ends) =>
    expect(quietEndsAt(at(clock), quiet, offset)?.toISOString() ?? null).toBe(ends),
  );

  test('it is quiet until it ends, and not when it has ended', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: -720, max: 840 }),
        (now, fromMinute, toMinute, offset) => {
          const quiet = { fromMinute, toMinute };
          const ends = quietEndsAt(now, quiet, offset);
          expect(ends !== null).toBe(isQuiet(now, quiet, offset));
          if (ends === null) return;
          expect(ends.getTime()).toBeGreaterThan(now.getTime());
          expect(isQuiet(ends, quiet, offset)).toBe(false);
          expect(isQuiet(new Date(ends.getTime() - 1), quiet, offset)).toBe(true);
        },
      ),
    ));
});
