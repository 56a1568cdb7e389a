import { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { suiCoinType } from '../world/sui-names.ts';
import { limits } from './protocol-limits.ts';
import { numberedAddresses, senderOf } from './sending-transactions.ts';
import { checkLimits } from './transaction-checks.ts';
import { decodeTransaction } from './transaction-data.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const friend = `0x${'f'.repeat(64)}`;
const { treasury, send, simulate, client, whole, coinsOf, refusalsOf } = senderOf(() => sandbox);
const pay = (tx: Transaction) => {
  tx.transferObjects([tx.splitCoins(tx.gas, [1000])[0]], friend);
};

/** Execution and simulation refuse it with the same text; nothing happens and nothing is paid. */
async function expectRefused(bytes: Uint8Array, words: string): Promise<void> {
  const before = sandbox.world.state.transactions.length;
  expect(await refusalsOf(bytes)).toEqual([expect.stringContaining(words), expect.stringContaining(words)]);
  expect(sandbox.world.state.transactions).toHaveLength(before);
}

describe('limits of one transaction', () => {
  const zeros = (count: number) => Array.from({ length: count }, () => 0);

  test('fewer than 1,024 commands', async () => {
    const of = (count: number) =>
      whole(
        (tx) => {
          const amount = tx.pure.u64(1);
          const to = tx.pure.address(friend);
          for (let made = 0; made < count; made += 2) tx.transferObjects([tx.splitCoins(tx.gas, [amount])[0]], to);
        },
        { budgetMist: 3_000_000_000 },
      );
    expect((await send(await of(1022))).status.success).toBe(true);
    await expectRefused(await of(1024), 'maximum commands in a programmable transaction is 1024');
  });

  test('fewer than 512 arguments in a command', async () => {
    const of = (count: number) =>
      whole(
        (tx) => {
          const amount = tx.pure.u64(1);
          const coins = tx.splitCoins(
            tx.gas,
            zeros(count).map(() => amount),
          );
          tx.transferObjects(
            zeros(Math.min(count, 511)).map((_, index) => coins[index]!),
            friend,
          );
        },
        { budgetMist: 3_000_000_000 },
      );
    expect((await send(await of(511))).status.success).toBe(true);
    await expectRefused(await of(512), 'maximum arguments in a programmable transaction command is 512');
  });

  test('131,072 bytes, signatures included', async () => {
    const fill = (bytes: number) => (tx: Transaction) => {
      pay(tx);
      for (let left = bytes; left > 0; left -= 16_000) tx.pure(new Uint8Array(Math.min(left, 16_000)));
    };
    const small = await whole(fill(130_000));
    expect((await send(small)).status.success).toBe(true);
    const full = await whole(fill(130_000 + limits.transactionBytes - small.length));
    expect(full).toHaveLength(limits.transactionBytes);
    expect((await simulate(full)).status.success).toBe(true);
    await expect(send(full)).rejects.toThrow('serialized transaction size exceeded maximum of 131072');
    await expectRefused(await whole(fill(131_000)), 'serialized transaction size exceeded maximum of 131072');
  });

  test('fewer than 16,384 bytes in a pure argument', async () => {
    const of = (bytes: number) =>
      whole((tx) => {
        pay(tx);
        tx.pure(new Uint8Array(bytes));
      });
    expect((await send(await of(16_383))).status.success).toBe(true);
    await expectRefused(await of(16_384), 'maximum pure argument size is 16384');
  });

  test('256 gas coins', async () => {
    sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 300_000_000_000n, coinObjects: 257 });
    const coins: Awaited<ReturnType<typeof coinsOf>> = [];
    for (let cursor: string | null = null, more = true; more;) {
      const page = await client().listCoins({ owner: treasury(), cursor });
      coins.push(...page.objects);
      ({ cursor, hasNextPage: more } = page);
    }
    const of = async (count: number) => {
      const tx = Transaction.from(await whole(pay));
      tx.setGasPayment(coins.slice(0, count));
      return tx.build();
    };
    await expectRefused(await of(257), 'maximum number of gas payment objects is 256');
    const done = await send(await of(256));
    expect(done.effects.changedObjects.filter(({ idOperation }) => idOperation === 'Deleted')).toHaveLength(255);
  });

  test('2,048 input objects (more than fit into the bytes)', async () => {
    const bytes = await whole((tx) => {
      for (const objectId of numberedAddresses(limits.inputObjects + 1)) {
        tx.objectRef({ objectId, version: '1', digest: '11111111111111111111111111111111' });
      }
      pay(tx);
    });
    const data = decodeTransaction(bytes);
    expect(() => checkLimits(data, 1000)).toThrow('maximum input + receiving objects in a transaction is 2048');
    expect(() => checkLimits({ ...data, inputs: data.inputs.slice(1) }, 1000)).not.toThrow();
  });

  test('2,048 new objects: beyond that, the transaction fails while running', async () => {
    const of = (count: number) =>
      whole(
        (tx) => {
          const amount = tx.pure.u64(1);
          const to = tx.pure.address(friend);
          for (let left = count; left > 0; left -= 500) {
            const size = Math.min(left, 500);
            const coins = tx.splitCoins(
              tx.gas,
              zeros(size).map(() => amount),
            );
            tx.transferObjects(
              zeros(size).map((_, index) => coins[index]!),
              to,
            );
          }
        },
        { budgetMist: 5_000_000_000 },
      );
    expect((await send(await of(2048))).status.success).toBe(true);
    const failed = await send(await of(2049));
    expect(failed.status.error?.message).toBe('MovePrimitiveRuntimeError in command 8');
  });
});
