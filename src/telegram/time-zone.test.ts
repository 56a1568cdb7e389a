import { describe, expect, test } from 'vitest';
import { localMinute, offsetMinutesAt, spanText, timeZoneOf, zoneText } from './time-zone.ts';

describe('a typed time zone', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['berlin', 'Europe/Berlin'],
    ['  New   York ', 'America/New_York'],
    ['america/new_york', 'America/New_York'],
    ['Buenos Aires', 'America/Buenos_Aires'],
    ['kolkata', 'Asia/Kolkata'],
    ['ho chi minh', 'Asia/Ho_Chi_Minh'],
    ['Port-au-Prince', 'America/Port-au-Prince'],
    ['utc', 'UTC'],
    ['GMT', 'UTC'],
    ['UTC+2', 'Etc/GMT-2'],
    ['−5', 'Etc/GMT+5'],
    ['UTC+02:00', 'Etc/GMT-2'],
    ['Etc/GMT-2', 'Etc/GMT-2'],
    ['UTC+15', null],
    ['+05:30', null],
    ['Atlantis', null],
    ['', null],
    ['__proto__', null],
    ['x'.repeat(1000), null],
  ])('%j is %s', (typed, zone) => expect(timeZoneOf(typed)).toBe(zone));
});

test.each([
  ['Europe/Berlin', '2026-03-29T00:59:59Z', 60, '01:59'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 120, '03:00'],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', 120, '02:59'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 60, '02:00'],
  ['Asia/Kathmandu', '2026-07-01T00:00:00Z', 345, '05:45'],
  ['Etc/GMT-2', '2026-07-01T00:00:00Z', 120, '02:00'],
])('%s at %s is %d minutes ahead, and its clocks show %s', (zone, time, offset, shown) => {
  const at = new Date(time);
  const minute = localMinute(at, zone);
  expect(offsetMinutesAt(at, zone)).toBe(offset);
  expect(new Date(minute * 60_000).toISOString().slice(11, 16)).toBe(shown);
});

test('a zone is shown by its readable name', () => {
  expect(zoneText('America/New_York')).toBe('America/New York');
  expect(zoneText('Etc/GMT-2')).toBe('UTC+2');
  expect(zoneText('UTC')).toBe('UTC');
});

test('a span within one minute is shown as one time', () => {
  const at = (second: number): Date => new Date(Date.UTC(2025, 10, 29, 22, 0, second));
  expect(spanText([at(5), at(40)], 'UTC')).toBe('29 Nov 22:00 UTC');
  expect(spanText([at(5), at(60)], 'UTC')).toBe('29 Nov 22:00 to 22:01 UTC');
});
