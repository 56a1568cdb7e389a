import { describe, expect, test } from 'vitest';

import { callFailure, failureOfStatus, isTransient, retryAfterOf } from './call-failure.ts';

test.each([
  [200, null],
  [204, null],
  [301, 'refused-by-upstream'],
  [400, 'refused-by-upstream'],
  [404, 'refused-by-upstream'],
  [408, 'timeout'],
  [429, 'rate-limited'],
  [500, 'upstream-error'],
  [503, 'upstream-error'],
  [504, 'timeout'],
])('HTTP status %i means %s', (status, reason) => {
  expect(failureOfStatus(status)).toBe(reason);
});

describe('retry-after', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  test.each([
    [null, null],
    ['2', 2_000],
    ['0', 0],
    ['1.5', 1_500],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
  ])('%j is %s milliseconds', (header, waitMs) => {
    expect(retryAfterOf(header, nowMs)).toBe(waitMs);
  });
});

test('what may go better next time is tried again; refusals and nonsense are not', () => {
  expect(
    ['rate-limited', 'upstream-error', 'timeout', 'network'].map((reason) =>
      isTransient(callFailure('X', reason as 'timeout')),
    ),
  ).toEqual([true, true, true, true]);
  expect(isTransient(callFailure('X', 'refused-by-upstream'))).toBe(false);
  expect(isTransient(callFailure('X', 'malformed-answer'))).toBe(false);
  expect(isTransient(callFailure('X', 'answer-too-large'))).toBe(false);
  expect(isTransient(new Error('ours'))).toBe(false);
});
