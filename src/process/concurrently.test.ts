import { expect, test } from 'vitest';

import { concurrently } from './concurrency.ts';

test('keeps the order of the items and never runs more than allowed at once', async () => {
  let running = 0;
  let most = 0;
  const results = await concurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 7 - item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(most).toBe(3);
});

test('starts no further item after a failure, and throws that failure', async () => {
  const begun: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await Promise.resolve();
    if (item === 2) throw new Error('two is broken');
    await new Promise(setImmediate);
  };
  await expect(concurrently([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('two is broken');
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2]);
});
