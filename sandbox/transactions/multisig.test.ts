import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Transaction } from '@mysten/sui/transactions';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { seedWorld } from '../seed/seed-world.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { senderOf } from './sending-transactions.ts';

/** A treasury of two people. */
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ treasury: 'multisig' });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const friend = `0x${'f'.repeat(64)}`;
const { treasury, build, balanceOf, send, sign } = senderOf(() => sandbox);
const pay = (tx: Transaction) => void tx.transferObjects([tx.splitCoins(tx.gas, [1_000_000_000])[0]], friend);

test('its address is that of both, holds what the treasury of one key holds, and stays after a reset', async () => {
  const single = seedWorld();
  expect(treasury()).toBe(sandbox.wallets.person('Treasury').address);
  expect(treasury()).not.toBe(single.treasuryAddress);
  expect(sandbox.world.state.treasuryAddress).toBe(treasury());
  const names = sandbox.wallets.people().map(({ name }) => name);
  expect(names.slice(-3)).toEqual(['Treasury', 'Flint Fay', 'Ochre Otto']);
  expect(sandbox.wallets.person('Treasury').scheme).toBe('MultiSig');
  expect(await balanceOf()).toBe(12_354_518_203_117n);
});

test('each signs alone; together it is one signature, and the chain takes it', async () => {
  const bytes = await build(pay);
  const parts = [await sign(bytes, 'Ochre Otto'), await sign(bytes, 'Flint Fay')];
  const signature = sandbox.wallets.combine(parts);
  expect(parseSerializedSignature(signature).signatureScheme).toBe('MultiSig');
  const done = await send(bytes, [signature]);
  expect(done.balanceChanges).toContainEqual(expect.objectContaining({ address: friend, amount: '1000000000' }));
  // Another order, another signature of the same bytes: still the same transaction.
  expect(await send(bytes, [sandbox.wallets.combine(parts.toReversed())])).toEqual(done);
});

test('one of two is not enough, and two of which one signed something else are not either', async () => {
  const [bytes, others] = [
    await build(pay),
    await build((tx) => void tx.transferObjects([tx.splitCoins(tx.gas, [2])[0]], friend)),
  ];
  const fay = await sign(bytes, 'Flint Fay');
  await expect(send(bytes, [sandbox.wallets.combine([fay])])).rejects.toThrow('Signature is not valid');
  await expect(send(bytes, [fay])).rejects.toThrow(`Required Signature from ${treasury()} is absent`);
  const mixed = sandbox.wallets.combine([fay, await sign(others, 'Ochre Otto')]);
  await expect(send(bytes, [mixed])).rejects.toThrow('Signature is not valid');
  expect(sandbox.world.state.transactions.at(-1)!.signed).toBeNull();
});

test('strangers and doubles are not combined, and who signs alone has nothing to combine', async () => {
  const bytes = await build(pay);
  const [fay, gwen] = [await sign(bytes, 'Flint Fay'), await sign(bytes, 'Granite Gwen')];
  expect(() => sandbox.wallets.combine([fay, gwen])).toThrow('unknown public key');
  expect(() => sandbox.wallets.combine([fay, fay])).toThrow('multiple signatures from the same public key');
  expect(() => sandbox.wallets.combine([fay], 'Granite Gwen')).toThrow('Granite Gwen signs alone');
});

test("the treasury's wallet signs for both at once, for whoever clicks through a browser", async () => {
  const done = await send(await build(pay));
  expect(done.status.success).toBe(true);
});
