import type { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { suiCoinType } from '../world/sui-names.ts';
import { senderOf } from './sending-transactions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const friend = `0x${'f'.repeat(64)}`;
const { coinsOf, send, client, whole, refusalsOf } = senderOf(() => sandbox);
const pay = (tx: Transaction) => {
  tx.transferObjects([tx.splitCoins(tx.gas, [1000])[0]], friend);
};

/** Execution and simulation refuse it with the same text; nothing happens and nothing is paid. */
async function expectRefused(bytes: Uint8Array, words: string): Promise<void> {
  const before = sandbox.world.state.transactions.length;
  expect(await refusalsOf(bytes)).toEqual([expect.stringContaining(words), expect.stringContaining(words)]);
  expect(sandbox.world.state.transactions).toHaveLength(before);
}

describe('gas', () => {
  test.each([
    [{ budgetMist: 999_999 }, 'Gas budget: 999999 is lower than min: 1000000'],
    [{ budgetMist: 50_000_000_001 }, 'Gas budget: 50000000001 is higher than max: 50000000000'],
    [{ priceMist: 999 }, 'Gas price 999 under reference gas price (RGP) 1000'],
    [{ expirationEpoch: 949 }, 'Transaction Expired'],
  ])('%j is refused: %s', async (gas, words) => {
    await expectRefused(await whole(pay, gas), words);
  });

  test('the coins that pay must cover the budget', async () => {
    sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 49_999_999n });
    await expectRefused(await whole(pay), 'Balance of gas object 49999999 is lower than the needed amount: 50000000');
  });

  test('a transaction that has not expired is executed', async () => {
    const { systemState } = await client().core.getCurrentSystemState();
    const done = await send(await whole(pay, { expirationEpoch: Number(systemState.epoch) }));
    expect(done.status.success).toBe(true);
  });

  test('a coin cannot be both the gas payment and an input', async () => {
    const [coin] = await coinsOf();
    await expectRefused(
      await whole((tx) => tx.transferObjects([tx.objectRef(coin!)], friend)),
      `Mutable object ${coin!.objectId} cannot appear more than one in one transaction`,
    );
  });
});

describe('unsupported parts of transactions', () => {
  test.each([
    [
      'another function',
      (tx: Transaction) => tx.moveCall({ target: '0x2::sui::transfer', typeArguments: [] }),
      'sui::transfer',
    ],
    ['a command', (tx: Transaction) => tx.makeMoveVec({ type: 'u64', elements: [] }), 'MakeMoveVec'],
    [
      'a shared object',
      (tx: Transaction) => tx.sharedObjectRef({ objectId: '0x6', initialSharedVersion: 1, mutable: false }),
      'shared or receiving objects',
    ],
  ] as const)('%s is refused as unsupported', async (_what, fill, words) => {
    await expectRefused(await whole((tx) => void fill(tx)), 'Feature is not supported');
    await expectRefused(await whole((tx) => void fill(tx)), words);
  });

  test('an empty list is refused', async () => {
    await expectRefused(await whole((tx) => void tx.transferObjects([], friend)), 'cannot have empty arguments');
  });
});
