import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { until } from '../../../tests/support/until.ts';
import { createClaimedWork } from './claimed-work.ts';

test('each time the database is away is told once, however often it is asked meanwhile', async () => {
  const awayAt = new Set([1, 2, 4]);
  let asked = 0;
  const told: number[] = [];
  const work = createClaimedWork<never>({
    atOnceMax: 1,
    claim: async () => {
      asked += 1;
      if (awayAt.has(asked)) throw new Error(`Connection terminated at ${asked}`);
      return [];
    },
    work: async () => {},
    idleMs: 1,
    onFailure: (error) => void told.push(Number(String(error).split(' at ')[1])),
  });
  work.start();
  await until('it was asked after the second time', () => asked > 4);
  await work.stop();
  expect(told).toEqual([1, 4]);
});

test('what is still due after its turn, such as a removal that waits for an admin, is not begun again without a pause', async () => {
  let begun = 0;
  const work = createClaimedWork<string>({
    atOnceMax: 2,
    claim: async () => (begun < 5 ? ['the same'] : []),
    work: async () => void (begun += 1),
    idleMs: 60_000,
    onFailure: () => {},
  });
  work.start();
  await nextTurn();
  expect(begun).toBe(1);
  work.wake();
  await nextTurn();
  expect(begun).toBe(2);
  await work.stop();
});
