import { expect, test } from 'vitest';
import { nothingRead } from './ledger-store.ts';
import { type PlaceParts, placeToRead } from './place-to-read.ts';

test('the first reading goes behind everything else; afterwards nobody who pays waits behind the reading of rocks', async () => {
  const nodeOf = (newest: bigint) => ({
    readKeptCheckpoints: async () => ({ oldest: 0n, newest, newestAt: new Date(0), chainId: null, epoch: null }),
    listTransactions: () => Promise.reject(new Error('Nothing is listed here')),
  });
  const [sui, backgroundSui] = [nodeOf(9n), nodeOf(8n)];
  const parts = { sui, backgroundSui, archive: null } as unknown as PlaceParts;
  const { signal } = new AbortController();
  const first = await placeToRead(parts, nothingRead, signal);
  expect([first.source, first.tip.checkpoint]).toEqual([backgroundSui, 8n]);
  const later = await placeToRead(parts, { ...nothingRead, isComplete: true, coveredCheckpoint: 7n }, signal);
  expect([later.source, later.tip.checkpoint]).toEqual([sui, 9n]);
});
