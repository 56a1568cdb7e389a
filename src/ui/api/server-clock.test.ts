import { afterEach, expect, test } from 'vitest';
import { learnServerTime, serverTimeMs } from './server-clock.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const hourMs = 3_600_000;
const headers = (date: string, age?: string) => new Headers({ date, ...(age === undefined ? {} : { age }) });
const right = headers('Fri, 20 Nov 2026 12:00:00 GMT');

afterEach(() => learnServerTime(right, nowMs));

// The header is cut to whole seconds; the later end of that second counts.
test.each([
  ['an hour ahead', nowMs + hourMs],
  ['an hour behind', nowMs - hourMs],
])("a visitor's clock that is %s shows the server's time", (_, wrongMs) => {
  learnServerTime(right, wrongMs);
  expect(serverTimeMs(wrongMs + 5_000)).toBe(nowMs + 6_000);
});

test('a clock that is right within a minute is taken as it is, also after it was set right', () => {
  learnServerTime(right, nowMs + hourMs);
  learnServerTime(right, nowMs + 60_000);
  expect(serverTimeMs(nowMs)).toBe(nowMs);
});

test('an answer that a proxy kept for an hour does not turn the time back', () => {
  learnServerTime(headers('Fri, 20 Nov 2026 11:00:00 GMT', '3600'), nowMs);
  expect(serverTimeMs(nowMs)).toBe(nowMs);
});

test.each([new Headers(), headers('yesterday'), headers('Fri, 20 Nov 2026 11:00:00 GMT', 'old')])(
  'an answer without a time that can be read teaches nothing',
  (unreadable) => {
    learnServerTime(headers('Fri, 20 Nov 2026 13:00:00 GMT'), nowMs);
    learnServerTime(unreadable, nowMs);
    expect(serverTimeMs(nowMs)).toBe(nowMs + hourMs + 1_000);
  },
);
