import { describe, expect, test } from 'vitest';
import { isQuiet } from './time-zone.ts';

const at = (clock: string): Date => new Date(`2026-11-20T${clock}Z`);
const hours = (from: number, to: number): { fromMinute: number; toMinute: number } => ({
  fromMinute: from * 60,
  toMinute: to * 60,
});

describe('Rulings R4: quiet hours in the time of the chat', () => {
  test.each([
    ['23:00:00', hours(23, 7), 'UTC', true],
    ['22:59:59', hours(23, 7), 'UTC', false],
    ['06:59:59', hours(23, 7), 'UTC', true],
    ['07:00:00', hours(23, 7), 'UTC', false],
    ['12:00:00', hours(9, 17), 'UTC', true],
    ['17:00:00', hours(9, 17), 'UTC', false],
    ['00:00:00', hours(0, 8), 'UTC', true],
    ['21:30:00', hours(23, 7), 'Etc/GMT-2', true],
    ['05:30:00', hours(23, 7), 'Etc/GMT-2', false],
    ['08:00:00', hours(23, 7), 'Etc/GMT+5', true],
    ['20:29:00', hours(3, 4), 'Asia/Yangon', false],
    ['20:30:00', hours(3, 4), 'Asia/Yangon', true],
    ['12:00:00', hours(5, 5), 'UTC', false],
    ['12:00:00', null, 'UTC', false],
  ])('at %s with %o in %s: %s', (clock, quiet, timeZone, expected) =>
    expect(isQuiet(at(clock), quiet, timeZone)).toBe(expected),
  );

  test.each([
    ['2026-03-29T04:59:59Z', true, 'summer time has begun, and 7 in the morning is 5 UTC'],
    ['2026-03-29T05:00:00Z', false, 'summer time has begun, and 7 in the morning is 5 UTC'],
    ['2026-10-25T05:59:59Z', true, 'summer time has ended, and 7 in the morning is 6 UTC'],
    ['2026-10-25T06:00:00Z', false, 'summer time has ended, and 7 in the morning is 6 UTC'],
  ])('from 23 to 7 in Berlin it is quiet at %s: %s, as %s', (time, expected) =>
    expect(isQuiet(new Date(time), hours(23, 7), 'Europe/Berlin')).toBe(expected),
  );
});
