import { expect, test } from 'vitest';

import { kiosksMax } from '../core/ledger-page.ts';
import { nothingRead } from './ledger-store.ts';
import { type PlaceParts, placeToRead } from './place-to-read.ts';

test('the first read has the lowest priority; later reads do not, so payouts do not wait behind the reading of rocks', async () => {
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

test('where the beginning is pruned, the kiosks of today are followed, each once and 200 at most', async () => {
  const kiosksOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ kioskId: `kiosk ${index}`, capId: `cap ${index}` }));
  const node = {
    readKeptCheckpoints: async () => ({ oldest: 5n, newest: 9n, newestAt: new Date(0), chainId: null, epoch: null }),
  };
  const placeFrom = async (known: number, today: number) => {
    const collections = { readKiosksOf: async () => kiosksOf(today) };
    const treasuryKey = { treasuryAddress: '0x7' };
    const parts = { sui: node, backgroundSui: node, archive: null, collections, treasuryKey } as unknown as PlaceParts;
    const kept = { ...nothingRead, kiosks: kiosksOf(known) };
    const { progress } = await placeToRead(parts, kept, new AbortController().signal);
    return [progress.kiosks.length, progress.hasLeftOutKiosks, progress.knownSinceCheckpoint];
  };
  expect(await placeFrom(0, kiosksMax)).toEqual([kiosksMax, false, 5n]);
  expect(await placeFrom(0, kiosksMax + 1)).toEqual([kiosksMax, true, 5n]);
  expect(await placeFrom(kiosksMax - 1, kiosksMax)).toEqual([kiosksMax, false, 5n]);
});

test('an archive that ends before what the node still has is waited for: nothing is skipped, and nothing is asked of it in a loop', async () => {
  const keeping = (oldest: bigint, newest: bigint) => ({
    readKeptCheckpoints: async () => ({ oldest, newest, newestAt: new Date(0), chainId: null, epoch: null }),
  });
  const node = keeping(1_000n, 1_200n);
  const readOn = (coveredCheckpoint: bigint, archiveEnd: bigint) => {
    const parts = { sui: node, backgroundSui: node, archive: keeping(0n, archiveEnd) } as unknown as PlaceParts;
    return placeToRead(parts, { ...nothingRead, coveredCheckpoint }, new AbortController().signal);
  };
  await expect(readOn(500n, 500n)).rejects.toMatchObject({ name: 'Unavailable', reason: 'archive-behind' });
  expect(await readOn(500n, 501n)).toMatchObject({ isNode: false, fromCheckpoint: 501n });
  expect(await readOn(999n, 500n)).toMatchObject({ isNode: true, fromCheckpoint: 1_000n });
});
