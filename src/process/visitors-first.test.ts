import { expect, test } from 'vitest';

import { createVisitorsFirst } from './taking-turns.ts';

const restedMs = async (workedMs: number, visitors: ReturnType<typeof createVisitorsFirst>): Promise<number> => {
  const begunMs = performance.now();
  await visitors.stepBack(workedMs);
  return performance.now() - begunMs;
};

test('long work steps back for longer than it worked while somebody asks for something', async () => {
  const visitors = createVisitorsFirst();
  visitors.onRequest();
  // A timer may ring a little early by the clock that measures it.
  expect(await restedMs(5, visitors)).toBeGreaterThan(75);
});

test('however long a piece of work was, the rest after it is short', async () => {
  const visitors = createVisitorsFirst();
  visitors.onRequest();
  expect(await restedMs(60_000, visitors)).toBeLessThan(10_000);
});

test('long work goes on at once while nobody is there', async () => {
  expect(await restedMs(2_000, createVisitorsFirst())).toBeLessThan(40);
});
