import { expect, test } from 'vitest';

import { createRequestPriority } from './concurrency.ts';

const restedMs = async (workedMs: number, visitors: ReturnType<typeof createRequestPriority>): Promise<number> => {
  const begunMs = performance.now();
  await visitors.yieldToRequests(workedMs);
  return performance.now() - begunMs;
};

test('long work rests for longer than it worked while requests come in', async () => {
  const visitors = createRequestPriority();
  visitors.onRequest();
  // By the clock that measures it, a timer may fire a little early.
  expect(await restedMs(5, visitors)).toBeGreaterThan(75);
});

test('however long a piece of work was, the rest after it is short', async () => {
  const visitors = createRequestPriority();
  visitors.onRequest();
  expect(await restedMs(60_000, visitors)).toBeLessThan(10_000);
});

test('long work continues at once without recent requests', async () => {
  expect(await restedMs(2_000, createRequestPriority())).toBeLessThan(40);
});
