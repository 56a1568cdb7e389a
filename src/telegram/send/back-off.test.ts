import { expect, test } from 'vitest';
import { backOffMs, rightsBackOffMs } from './message.ts';

const manyOf = (pause: () => number): number[] => Array.from({ length: 200 }, pause);

/** All pauses are within the bounds, and they vary. */
const expectWithin = (pausesMs: readonly number[], longestMs: number): void => {
  expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(longestMs * 0.75);
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(longestMs);
  expect(new Set(pausesMs).size).toBeGreaterThan(1);
};

test.each([
  [0, 1_000],
  [1, 2_000],
  [4, 16_000],
  [9, 30_000],
  [5_000, 30_000],
])('after %d attempts a chat is tried again within %d ms', (attempts, longestMs) =>
  expectWithin(
    manyOf(() => backOffMs(attempts)),
    longestMs,
  ),
);

test.each([
  [0, 60_000],
  [3, 480_000],
  [5_000, 21_600_000],
])('after %d attempts a chat where the bot lacks rights is tried again within %d ms', (attempts, longestMs) =>
  expectWithin(
    manyOf(() => rightsBackOffMs(attempts)),
    longestMs,
  ),
);
