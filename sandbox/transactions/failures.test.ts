import { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseTransactionEffectsBcs } from '@mysten/sui/client';
import { coinTypeOfSymbol } from '../seed/coins.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { nftsOfOwner } from '../world/ownership.ts';
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
const { client, treasury, coinsOf, build, balanceOf, send, sign, simulate } = senderOf(() => sandbox);

/** Sets the gas explicitly, so that a failure occurs in execution and not while the SDK builds. */
async function withGas(fill: (tx: Transaction) => void, budget = 50_000_000): Promise<Uint8Array> {
  const tx = new Transaction();
  tx.setSender(treasury());
  tx.setGasPrice(1000);
  tx.setGasBudget(budget);
  tx.setGasPayment((await coinsOf()).slice(0, 2));
  fill(tx);
  return tx.build();
}

/** The transaction is executed and fails: only its gas is paid. */
async function expectFailed(bytes: Uint8Array, message: string): Promise<void> {
  const before = await balanceOf();
  const simulated = await simulate(bytes);
  const done = await send(bytes);
  expect(done.status).toMatchObject({ success: false, error: { message } });
  expect(simulated.status).toEqual(done.status);
  expect(done.effects.changedObjects.filter(({ idOperation }) => idOperation === 'Created')).toEqual([]);
  expect(done.balanceChanges).toHaveLength(1);
  const [gas] = done.balanceChanges;
  expect(gas).toMatchObject({ address: treasury(), coinType: suiCoinType });
  expect(Number(gas!.amount)).toBeLessThan(0);
  expect(await balanceOf()).toBe(before + BigInt(gas!.amount));
  expect(parseTransactionEffectsBcs(done.effects.bcs!).status.success).toBe(false);
  const read = await client().getTransaction({ digest: done.digest });
  expect(read.$kind).toBe('FailedTransaction');
}

const half = async (coinType: string) => {
  const [coin] = await coinsOf(coinType);
  return coin!;
};

describe('a failure while commands run costs gas and does nothing else', () => {
  test('splitting more than a coin has', async () => {
    const coin = await half(usdc);
    const bytes = await withGas((tx) => {
      const [part] = tx.splitCoins(tx.objectRef(coin), [BigInt(coin.balance) + 1n]);
      tx.transferObjects([part], friend);
    });
    await expectFailed(bytes, 'InsufficientCoinBalance in command 0');
    expect((await coinsOf(usdc)).find(({ objectId }) => objectId === coin.objectId)?.balance).toBe(coin.balance);
  });

  test('spending the part of the gas coin that is reserved for the budget', async () => {
    sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 100_000_000n });
    const of = (amount: number) =>
      withGas((tx) => void tx.transferObjects([tx.splitCoins(tx.gas, [amount])[0]], friend));
    await expectFailed(await of(50_000_001), 'InsufficientCoinBalance in command 0');
    sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 100_000_000n });
    expect((await send(await of(50_000_000))).status.success).toBe(true);
  });

  test('coin::split of more than a coin has aborts in the framework', async () => {
    const coin = await half(usdc);
    const bytes = await withGas((tx) => {
      const part = tx.moveCall({
        target: '0x2::coin::split',
        typeArguments: [usdc],
        arguments: [tx.objectRef(coin), tx.pure.u64(BigInt(coin.balance) + 1n)],
      });
      tx.transferObjects([part], friend);
    });
    const done = await simulate(bytes);
    expect(done.status.error).toMatchObject({
      $kind: 'MoveAbort',
      MoveAbort: { abortCode: '2', location: { module: 'balance' } },
    });
    await expectFailed(bytes, done.status.error!.message);
  });

  test('needing more gas than the budget', async () => {
    const fill = payEach((tx) => tx.gas, numberedAddresses(60), 1n);
    await expectFailed(await withGas(fill), 'InsufficientGas');
    const done = sandbox.world.state.transactions.at(-1)!;
    expect(done.gas.used.computation + done.gas.used.storage - done.gas.used.rebate).toBeLessThanOrEqual(50_000_000n);
  });

  test.each<[string, (tx: Transaction) => void, string]>([
    [
      'a coin that is never used',
      (tx) => void tx.splitCoins(tx.gas, [1]),
      'UnusedValueWithoutDrop { result_idx: 0, secondary_idx: 0 }',
    ],
    [
      'a coin that is given away twice',
      (tx) => {
        const [coin] = tx.splitCoins(tx.gas, [1]);
        tx.transferObjects([coin], friend);
        tx.transferObjects([coin], friend);
      },
      'CommandArgumentError { arg_idx: 0, kind: InvalidValueUsage } in command 2',
    ],
    [
      'the gas coin merged into another',
      (tx) => {
        const [coin] = tx.splitCoins(tx.gas, [1]);
        tx.mergeCoins(coin, [tx.gas]);
      },
      'CommandArgumentError { arg_idx: 1, kind: InvalidGasCoinUsage } in command 1',
    ],
    [
      'an address in place of an amount',
      (tx) => void tx.splitCoins(tx.gas, [tx.pure.address(friend)]),
      'CommandArgumentError { arg_idx: 1, kind: InvalidBCSBytes } in command 0',
    ],
    [
      'a part of a result that does not exist',
      (tx) => {
        tx.splitCoins(tx.gas, [1]);
        tx.transferObjects([{ $kind: 'NestedResult', NestedResult: [0, 3] }], friend);
      },
      'CommandArgumentError { arg_idx: 0, kind: SecondaryIndexOutOfBounds } in command 1',
    ],
    [
      'a command with two results used as one',
      (tx) => {
        tx.splitCoins(tx.gas, [1, 2]);
        tx.transferObjects([{ $kind: 'Result', Result: 0 }], friend);
      },
      'CommandArgumentError { arg_idx: 0, kind: InvalidResultArity } in command 1',
    ],
  ])('%s', async (_what, fill, message) => {
    await expectFailed(await withGas(fill), message);
  });

  test('merging coins of two types', async () => {
    const coin = await half(usdc);
    await expectFailed(
      await withGas((tx) => void tx.mergeCoins(tx.gas, [tx.objectRef(coin)])),
      'CommandArgumentError { arg_idx: 1, kind: TypeMismatch } in command 0',
    );
  });

  test('a failed transaction also uses up its object versions', async () => {
    const bytes = await withGas((tx) => void tx.splitCoins(tx.gas, [1]));
    await send(bytes);
    const again = Transaction.from(bytes);
    again.setGasBudget(60_000_000);
    await expect(send(await again.build())).rejects.toThrow('is unavailable for consumption');
  });
});

describe('the building blocks of payments', () => {
  test('merges, splits and framework calls in one transaction add up', async () => {
    const coins = await coinsOf(usdc);
    const [sui, held] = [await balanceOf(), await balanceOf(usdc)];
    const call = (
      tx: Transaction,
      name: string,
      ...given: Parameters<Transaction['moveCall']>[0]['arguments'] & object[]
    ) => tx.moveCall({ target: `0x2::${name}`, typeArguments: [usdc], arguments: given });
    const bytes = await build((tx) => {
      const all = tx.object(coins[0]!.objectId);
      tx.mergeCoins(
        all,
        coins.slice(1).map(({ objectId }) => objectId),
      );
      const part = call(tx, 'coin::split', all, tx.pure.u64(500));
      call(tx, 'coin::join', part, tx.splitCoins(all, [40])[0]);
      call(tx, 'pay::split_and_transfer', all, tx.pure.u64(7), tx.pure.address(friend));
      call(tx, 'coin::destroy_zero', call(tx, 'coin::zero'));
      const rest = tx.splitCoins(all, [call(tx, 'coin::value', part)]);
      tx.transferObjects([part, rest[0]], friend);
      call(tx, 'coin::send_funds', tx.splitCoins(all, [11])[0], tx.pure.address(friend));
    });
    const done = await send(bytes);
    expect(done.status).toEqual({ success: true, error: null });
    const friends = done.balanceChanges.filter(({ address }) => address === friend);
    expect(friends).toEqual([{ address: friend, coinType: usdc, amount: '1098' }]);
    expect(await balanceOf(usdc)).toBe(held - 1098n);
    expect((await coinsOf(usdc)).map(({ objectId }) => objectId)).toEqual([coins[0]!.objectId]);
    const { computationCost, storageCost, storageRebate } = done.effects.gasUsed;
    expect(await balanceOf()).toBe(sui - BigInt(computationCost) - BigInt(storageCost) + BigInt(storageRebate));
  });

  test('the gas coin itself can be transferred, minus the gas', async () => {
    const [coin] = await coinsOf();
    const tx = new Transaction();
    tx.setSender(treasury());
    tx.setGasPayment([coin!]);
    tx.setGasBudget(10_000_000);
    tx.setGasPrice(1000);
    tx.transferObjects([tx.gas], friend);
    const done = await send(await tx.build());
    const got = done.balanceChanges.find(({ address }) => address === friend);
    expect(BigInt(got!.amount)).toBeGreaterThan(BigInt(coin!.balance) - 10_000_000n);
    expect((await coinsOf()).map(({ objectId }) => objectId)).not.toContain(coin!.objectId);
  });

  test('an NFT in the wallet can be transferred, and the marketplace reports it', async () => {
    const { address } = sandbox.wallets.person('Granite Gwen');
    sandbox.world.setBalance({ owner: address, coinType: suiCoinType, coinBalance: 1_000_000_000n });
    const nft = nftsOfOwner(sandbox.world.state, address).find(({ place }) => place.kind === 'wallet')!;
    const tx = new Transaction();
    tx.setSender(address);
    tx.transferObjects([nft.id], friend);
    const bytes = await tx.build({ client: client() });
    const done = await send(bytes, [await sign(bytes, 'Granite Gwen')]);
    const change = done.effects.changedObjects.find(({ objectId }) => objectId === nft.id);
    expect(change).toMatchObject({ inputOwner: { AddressOwner: address }, outputOwner: { AddressOwner: friend } });
    expect(nft.place).toEqual({ kind: 'wallet', address: friend });
    const { object } = await client().getObject({ objectId: nft.id });
    expect(object).toMatchObject({ version: change!.outputVersion, digest: change!.outputDigest });
    expect(sandbox.world.state.actions.at(-1)).toMatchObject({ type: 'transfer', txId: done.digest, receiver: friend });
  });
});

test('the node reports its epoch, gas price and protocol limits', async () => {
  const { systemState } = await client().core.getCurrentSystemState();
  expect(systemState).toMatchObject({ referenceGasPrice: '1000', protocolVersion: '140' });
  const { protocolConfig } = await client().core.getProtocolConfig();
  expect(protocolConfig.attributes).toMatchObject({
    max_tx_size_bytes: '131072',
    max_programmable_tx_commands: '1024',
  });
  expect(await client().core.getReferenceGasPrice()).toEqual({ referenceGasPrice: '1000' });
  await expect(client().ledgerService.getEpoch({ epoch: 1n })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
