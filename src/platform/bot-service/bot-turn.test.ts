import { expect, test } from 'vitest';

import { retryMs, turnPace } from './bot-turn.ts';

test('a bot that does not run is tried again after 1 s, then ever later, at most 30 s', () => {
  expect([1, 2, 3, 5, 6, 1_000].map((failures) => retryMs(turnPace, failures, 0))).toEqual([
    1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
  ]);
});

test('a wait that was asked for is kept, but never for longer than five minutes', () => {
  expect([2_000, 45_000, 300_000, 1e12].map((askedMs) => retryMs(turnPace, 3, askedMs))).toEqual([
    4_000, 45_000, 300_000, 300_000,
  ]);
});
