import { Transaction } from '@mysten/sui/transactions';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { senderOf } from './sending-transactions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());
afterEach(() => sandbox.faults.clear());

const execution = 'TransactionExecutionService/ExecuteTransaction';
const simulation = 'TransactionExecutionService/SimulateTransaction';
const friend = `0x${'f'.repeat(64)}`;
const { build, send, sign, simulate, client, whole } = senderOf(() => sandbox);
const pay = (tx: Transaction) => void tx.transferObjects([tx.splitCoins(tx.gas, [1000])[0]], friend);
const executed = () => sandbox.world.state.transactions.filter(({ signed }) => signed !== null).length;

test.each(['accepted-503', 'accepted-reset'] as const)(
  '%s: the transaction is executed but reported as failed; sending the same bytes again returns its real result',
  async (kind) => {
    const bytes = await build(pay);
    await sandbox.faults.set('sui', { kind, operation: execution, times: 1 });
    const failure = await send(bytes).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: kind === 'accepted-503' ? 'UNAVAILABLE' : 'INTERNAL' });
    expect(executed()).toBe(1);
    expect((await send(bytes)).status.success).toBe(true);
    expect(executed()).toBe(1);
  },
);

test('accepted-hang: the transaction is executed but no answer comes', async () => {
  const bytes = await build(pay);
  await sandbox.faults.set('sui', { kind: 'accepted-hang', operation: execution, times: 1 });
  const signatures = [await sign(bytes)];
  const signal = AbortSignal.timeout(300);
  await expect(client().executeTransaction({ transaction: bytes, signatures, signal })).rejects.toThrow();
  expect(executed()).toBe(1);
});

test('503: the transaction is not executed', async () => {
  const bytes = await build(pay);
  await sandbox.faults.set('sui', { kind: '503', operation: execution, times: 1 });
  await expect(send(bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(executed()).toBe(0);
});

test('a falsified simulation shows another recipient or more money; the transaction is executed as it was signed', async () => {
  const bytes = await whole(pay);
  const honest = await simulate(bytes);
  await sandbox.faults.set('sui', { kind: 'lie', operation: simulation, times: 1 });
  const toAnother = await simulate(bytes);
  const paid = ({ balanceChanges }: typeof honest) => balanceChanges.map(({ address }) => address);
  expect(paid(honest)).toContain(friend);
  expect(paid(toAnother)).not.toContain(friend);
  expect(paid(toAnother)).toHaveLength(2);
  expect(JSON.stringify(toAnother.effects.changedObjects)).not.toContain(friend);
  await sandbox.faults.set('sui', { kind: 'lie', about: 'amount', operation: simulation, times: 1 });
  const more = await simulate(bytes);
  expect(more.balanceChanges.find(({ address }) => address === friend)?.amount).toBe('1001');
  const done = await send(bytes);
  expect(done.balanceChanges).toEqual(honest.balanceChanges);
});

test('a node that falsifies a transaction while filling it in sets the maximum gas budget', async () => {
  await sandbox.faults.set('sui', { kind: 'lie', about: 'budget', operation: simulation });
  expect(Transaction.from(await build(pay)).getData().gasData.budget).toBe('50000000000');
});
