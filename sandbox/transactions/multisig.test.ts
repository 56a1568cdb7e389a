import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Transaction } from '@mysten/sui/transactions';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { seedWorld } from '../seed/seed-world.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { senderOf } from './sending-transactions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ treasury: 'multisig' });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const friend = `0x${'f'.repeat(64)}`;
const { treasury, build, balanceOf, send, sign } = senderOf(() => sandbox);
const pay = (tx: Transaction) => void tx.transferObjects([tx.splitCoins(tx.gas, [1_000_000_000])[0]], friend);

test('a treasury of two people has its own address, holds the same as a single-key treasury, and keeps it after a reset', async () => {
  const single = seedWorld();
  expect(treasury()).toBe(sandbox.wallets.person('Treasury').address);
  expect(treasury()).not.toBe(single.treasuryAddress);
  expect(sandbox.world.state.treasuryAddress).toBe(treasury());
  const names = sandbox.wallets.people().map(({ name }) => name);
  expect(names.slice(-3)).toEqual(['Treasury', 'Flint Fay', 'Ochre Otto']);
  expect(sandbox.wallets.person('Treasury').scheme).toBe('MultiSig');
  expect(await balanceOf()).toBe(12_354_518_203_117n);
});

test('the two sign separately, and the chain accepts the combined signature', async () => {
  const bytes = await build(pay);
  const parts = [await sign(bytes, 'Ochre Otto'), await sign(bytes, 'Flint Fay')];
  const signature = sandbox.wallets.combine(parts);
  expect(parseSerializedSignature(signature).signatureScheme).toBe('MultiSig');
  const done = await send(bytes, [signature]);
  expect(done.balanceChanges).toContainEqual(expect.objectContaining({ address: friend, amount: '1000000000' }));
  // Combined in another order, the signature differs but the transaction is the same.
  expect(await send(bytes, [sandbox.wallets.combine(parts.toReversed())])).toEqual(done);
});

test('one of the two signatures is not enough, and neither are two when one signed other bytes', async () => {
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

test("a stranger's or repeated signature cannot be combined, nor can signatures for a person who signs alone", async () => {
  const bytes = await build(pay);
  const [fay, gwen] = [await sign(bytes, 'Flint Fay'), await sign(bytes, 'Granite Gwen')];
  expect(() => sandbox.wallets.combine([fay, gwen])).toThrow('unknown public key');
  expect(() => sandbox.wallets.combine([fay, fay])).toThrow('multiple signatures from the same public key');
  expect(() => sandbox.wallets.combine([fay], 'Granite Gwen')).toThrow('Granite Gwen signs alone');
});

test("the treasury's wallet signs for both at once, for use in a browser", async () => {
  const done = await send(await build(pay));
  expect(done.status.success).toBe(true);
});
