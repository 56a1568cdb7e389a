import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { parseTransactionEffectsBcs } from '@mysten/sui/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { coinTypeOfSymbol } from '../seed/coins.ts';
import { affectedAddress, anyOf, digestsOf, framesOf } from '../sui/reading-history.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { suiCoinType } from '../world/sui-names.ts';
import { numberedAddresses, payEach, senderOf } from './sending-transactions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const usdc = coinTypeOfSymbol('USDC');
const friend = `0x${'f'.repeat(64)}`;
const other = `0x${'e'.repeat(64)}`;
const recipients = numberedAddresses(555);
const { client, treasury, coinsOf, build, balanceOf, send, sign, simulate } = senderOf(() => sandbox);

const pay = (amount: bigint, to: string) => (tx: Transaction) => {
  tx.transferObjects([tx.splitCoins(tx.gas, [amount])[0]], to);
};

/** A transaction that pays gas with one coin and an amount from the rest of it. */
async function outOf(coin: { objectId: string; version: string; digest: string }, to: string, amount = 1000n) {
  const tx = new Transaction();
  tx.setSender(treasury());
  tx.setGasPayment([coin]);
  tx.setGasPrice(1000);
  tx.setGasBudget(10_000_000);
  pay(amount, to)(tx);
  return tx.build();
}

describe('a payout to 555 recipients', () => {
  test.each([suiCoinType, usdc])(
    'in %s: execution matches the simulation, and balances, effects and ledger agree',
    async (coinType) => {
      const before = await balanceOf(coinType);
      const source = (await coinsOf(coinType)).toSorted((one, two) =>
        Number(BigInt(two.balance) - BigInt(one.balance)),
      )[0]!;
      const bytes = await build(payEach((tx) => tx.object(source.objectId), recipients, 1_000_000n));
      const simulated = await simulate(bytes);
      const done = await send(bytes);
      expect(done.status).toEqual({ success: true, error: null });
      expect(done.digest).toBe(await Transaction.from(bytes).getDigest());
      expect(done.bcs).toEqual(bytes);
      for (const part of ['changedObjects', 'gasUsed', 'gasObject', 'lamportVersion'] as const) {
        expect(simulated.effects[part]).toEqual(done.effects[part]);
      }
      expect(simulated.balanceChanges).toEqual(done.balanceChanges);
      const paid = done.balanceChanges.filter(({ address }) => address !== treasury());
      expect(paid).toEqual(recipients.map((address) => ({ address, coinType, amount: '1000000' })));
      const created = done.effects.changedObjects.filter(({ idOperation }) => idOperation === 'Created');
      expect(created.map(({ outputOwner }) => outputOwner?.AddressOwner)).toEqual(recipients);
      const { computationCost, storageCost, storageRebate } = done.effects.gasUsed;
      const gasMist = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
      expect(gasMist).toBeGreaterThan(555n * 900_000n);
      const spent = 555_000_000n + (coinType === suiCoinType ? gasMist : 0n);
      expect(await balanceOf(coinType)).toBe(before - spent);
    },
  );

  test('is in the ledger and its checkpoint like any other transaction', async () => {
    const digestBefore = sandbox.world.state.transactions.at(-1)!.digest;
    const done = await send(await build(payEach((tx) => tx.gas, recipients, 5n)));
    const options = { limit: 2, ordering: 1 };
    const frames = await framesOf(sandbox, { filter: anyOf(affectedAddress(treasury())), options });
    expect(digestsOf(frames)[0]).toBe(done.digest);
    expect(digestsOf(await framesOf(sandbox, { filter: anyOf(affectedAddress(recipients[7]!)) }))).toEqual([
      done.digest,
    ]);
    const read = await client().waitForTransaction({
      digest: done.digest,
      include: { effects: true, balanceChanges: true },
    });
    expect(read.Transaction).toMatchObject({ effects: done.effects, balanceChanges: done.balanceChanges });
    expect(Number(read.Transaction!.checkpoint)).toBe(sandbox.world.state.transactions.at(-1)!.checkpoint);
    expect(sandbox.world.state.transactions.at(-2)!.digest).toBe(digestBefore);
  });
});

describe('an executed transaction', () => {
  test('gives all coins it writes the same new version', async () => {
    const [coin] = await coinsOf();
    const done = await send(await outOf(coin!, treasury(), 77n));
    const version = done.effects.lamportVersion!;
    expect(Number(version)).toBe(Number(coin!.version) + 1);
    const after = await coinsOf();
    const written = done.effects.changedObjects.map(({ objectId, outputVersion, outputDigest }) => [
      objectId,
      outputVersion,
      outputDigest,
    ]);
    expect(written).toHaveLength(2);
    for (const [objectId, outputVersion, digest] of written) {
      expect(outputVersion).toBe(version);
      expect(after.find((each) => each.objectId === objectId)).toMatchObject({ version, digest });
    }
    expect(after.find(({ objectId }) => objectId === written[1]![0])?.balance).toBe('77');
  });

  test('returns its effects as BCS bytes too', async () => {
    const done = await send(await build(pay(9n, friend)));
    const { bcs: bytes, changedObjects, gasUsed, status } = done.effects;
    expect(parseTransactionEffectsBcs(bytes!)).toMatchObject({ gasUsed, status, transactionDigest: done.digest });
    expect(parseTransactionEffectsBcs(bytes!).changedObjects.map(({ objectId }) => objectId)).toEqual(
      changedObjects.map(({ objectId }) => objectId),
    );
  });

  test('is executed only once even when the same bytes are sent again', async () => {
    const bytes = await build(pay(1_000_000_000n, friend));
    const first = await send(bytes);
    const balance = await balanceOf();
    const count = sandbox.world.state.transactions.length;
    expect(await send(bytes)).toEqual(first);
    expect(await balanceOf()).toBe(balance);
    expect(sandbox.world.state.transactions).toHaveLength(count);
  });

  test("can be followed by the world's own payments, which use the new versions", async () => {
    await send(await build(pay(1_000_000_000n, friend)));
    sandbox.world.pay({ to: friend, coinType: suiCoinType, amount: 5n });
    const stale = await send(await build(pay(1_000_000_000n, friend)));
    expect(stale.status.success).toBe(true);
  });
});

describe('an object version that is used up', () => {
  test("is refused with a node's error text, and nothing happens", async () => {
    const [coin] = await coinsOf();
    const bytes = await outOf(coin!, friend);
    await send(await outOf(coin!, other));
    const balance = await balanceOf();
    await expect(send(bytes)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(
        `Transaction needs to be rebuilt because object ${coin!.objectId} version 0x[0-9a-f]+ .* is unavailable for consumption, current version: 0x[0-9a-f]+`,
      ),
    });
    expect(await balanceOf()).toBe(balance);
  });

  test('of two signed transactions that use the same version, only one is executed', async () => {
    const [coin] = await coinsOf();
    const [one, two] = [await outOf(coin!, friend), await outOf(coin!, other)];
    const signatures = [[await sign(one)], [await sign(two)]];
    const results = await Promise.allSettled([send(one, signatures[0]), send(two, signatures[1])]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const paid = sandbox.world.state.transactions.filter(({ signed }) => signed !== null);
    expect(paid).toHaveLength(1);
  });

  test("is refused, and so are a wrong digest, an unknown object and another owner's coin", async () => {
    const [coin, second] = await coinsOf();
    await expect(send(await outOf({ ...coin!, digest: second!.digest }, friend))).rejects.toThrow(
      'Invalid Object digest',
    );
    await expect(send(await outOf({ ...coin!, objectId: friend }, friend))).rejects.toThrow(
      'Could not find the referenced object',
    );
    sandbox.world.setBalance({ owner: friend, coinType: suiCoinType, coinBalance: 1_000_000_000n });
    const [foreign] = (await client().listCoins({ owner: friend })).objects;
    await expect(send(await outOf(foreign!, other))).rejects.toThrow(`is owned by account address ${friend}`);
  });
});

describe('what a node fills in', () => {
  test('a payment in another coin pays its gas from the address balance, valid for two epochs and with a nonce', async () => {
    const fill = (tx: Transaction) => {
      tx.transferObjects([coinWithBalance({ balance: 3_000_000_000n, type: usdc })], friend);
    };
    const [bytes, again] = [await build(fill), await build(fill)];
    const { gasData, expiration } = Transaction.from(bytes).getData();
    expect(gasData.payment).toEqual([]);
    expect(expiration?.$kind).toBe('ValidDuring');
    // The two share no object version, so building twice can pay twice.
    expect(again).not.toEqual(bytes);
    const [sui, held] = [await balanceOf(), await balanceOf(usdc)];
    const done = await send(bytes);
    expect(done.effects.gasObject).toBeNull();
    expect(await balanceOf(usdc)).toBe(held - 3_000_000_000n);
    const ofSui = done.balanceChanges.find(({ coinType }) => coinType === suiCoinType);
    expect(await balanceOf()).toBe(sui + BigInt(ofSui!.amount));
  });

  test('without gas selection, a simulation mocks the gas payment when it is open', async () => {
    sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 5n, addressBalance: 5n });
    const tx = new Transaction();
    tx.setSender(treasury());
    tx.setGasBudget(1_000_000_000);
    tx.setGasPrice(1000);
    tx.setGasPayment([]);
    tx.transferObjects([tx.objectRef((await coinsOf(usdc))[0]!)], friend);
    const { epoch } = (await client().core.getCurrentSystemState()).systemState;
    const { chainIdentifier: chain } = await client().core.getChainIdentifier();
    const window = { minEpoch: epoch, maxEpoch: epoch, minTimestamp: null, maxTimestamp: null, chain, nonce: 1 };
    for (const expiration of [{ None: true as const }, { ValidDuring: window }]) {
      tx.setExpiration(expiration);
      const bytes = await tx.build();
      const asked = { transaction: { bcs: { value: bytes } }, doGasSelection: false };
      const { response } = await client().transactionExecutionService.simulateTransaction(asked);
      expect(response.transaction?.effects?.status?.success).toBe(true);
      await expect(send(bytes)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  test('a payment from the gas coin can spend all SUI: the coins, and the address balance as a reservation', async () => {
    const bytes = await build(pay(12_000_000_000_000n, friend));
    const { payment } = Transaction.from(bytes).getData().gasData;
    expect(payment!.map(({ version }) => version === '0')).toEqual([true, false, false, false]);
    const before = await balanceOf();
    const done = await send(bytes);
    expect(done.status.success).toBe(true);
    expect(await coinsOf()).toEqual([]);
    const { balance } = await client().getBalance({ owner: treasury() });
    expect(balance.addressBalance).toBe(balance.balance);
    expect(await balanceOf()).toBe(
      before + BigInt(done.balanceChanges.find(({ address }) => address === treasury())!.amount),
    );
  });
});
