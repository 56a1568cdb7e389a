import { describe, expect, test } from 'vitest';

import { Unavailable } from '../shared/failure.ts';
import { buildTransaction } from './build-transaction.ts';
import { readLedger } from './ledger-now.ts';
import type { PayoutDeps } from './payout-deps.ts';

const behind = new Unavailable('ledger-behind', 'It was not read');
const whole = { isComplete: true, knownSinceCheckpoint: null };
const read = (reach: { isComplete: boolean; knownSinceCheckpoint: bigint | null }, isBehind = false) =>
  readLedger(
    { readUpTo: () => (isBehind ? Promise.reject(behind) : Promise.resolve()), progress: () => Promise.resolve(reach) },
    { since: 100n, to: 120n },
  );

describe('the ledger that a plan is judged by', () => {
  test('has everything after the snapshot', async () => {
    await read(whole);
    await read({ isComplete: true, knownSinceCheckpoint: 101n });
    await expect(read({ isComplete: true, knownSinceCheckpoint: 102n })).rejects.toMatchObject({
      reason: 'ledger-too-short',
    });
  });

  test('is refused while its past is still being read, before any other reason', async () => {
    for (const isBehind of [false, true]) {
      await expect(read({ ...whole, isComplete: false }, isBehind)).rejects.toMatchObject({
        name: 'Refused',
        reason: 'ledger-incomplete',
      });
    }
    await expect(read(whole, true)).rejects.toBe(behind);
  });
});

test('a transaction is built only after the ledger has the newest of the transactions that made its coins', async () => {
  const madeAt: Readonly<Record<string, bigint>> = { a: 3n, b: 9n, c: 4n, d: 11n };
  const coin = (madeBy: string) => ({ objectId: madeBy, version: 1n, digest: 'x', madeBy, raw: 5n });
  const coins: Readonly<Record<string, readonly string[]>> = { usdc: ['a', 'b', 'c'] };
  const asked: bigint[] = [];
  const readUpTo = (checkpoint: bigint) => {
    asked.push(checkpoint);
    return Promise.reject(behind);
  };
  const sui = {
    readKeptCheckpoints: async () => ({ oldest: 0n, newest: 5n, chainId: null }),
    listCoinObjects: async ({ coinType }: { coinType: string }) => (coins[coinType] ?? ['c', 'd']).map(coin),
    readTransaction: async (digest: string) => ({ checkpoint: madeAt[digest] ?? null }),
  };
  const plan = { coin: { type: 'usdc' }, chainId: null, snapshot: { checkpoint: '1' } };
  const cache = { find: () => ({ plan, summary: { withdrawn: null } }) };
  const transactions = { firstCoins: async () => [] };
  const ledger = { readUpTo, progress: async () => whole };
  const deps = { sui, transactions, cache, ledger, settings: { treasuryAddress: '0x1' } };
  await expect(buildTransaction(deps as unknown as PayoutDeps, 1)).rejects.toBe(behind);
  expect(asked).toEqual([11n]);
});
