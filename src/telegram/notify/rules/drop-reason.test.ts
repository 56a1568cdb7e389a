import { expect, test } from 'vitest';
import { isBeforeSetup } from './plan-deliveries.ts';

const setUpAt = new Date('2026-11-20T12:00:00Z');

test.each([
  [60_000, true],
  [1, true],
  [0, false],
  [-1, false],
])('an event %d ms before the setup, or before a return, is too early to be posted: %s', (earlierMs, isBefore) => {
  expect(isBeforeSetup({ happenedAt: new Date(setUpAt.getTime() - earlierMs) }, setUpAt)).toBe(isBefore);
});
