import type { GrpcTypes } from '@mysten/sui/grpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nftsInKiosk } from '../world/ownership.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { CREATED, everything, nodeOf } from './reading-history.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const sui = '0x2::sui::SUI';
const canonicalSui = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const friend = `0x${'f'.repeat(64)}`;
const treasury = () => sandbox.facts.treasuryAddress;
async function lastTransaction(): Promise<GrpcTypes.ExecutedTransaction> {
  const { digest } = sandbox.world.state.transactions.at(-1)!;
  const call = await nodeOf(sandbox).ledgerService.getTransaction({ digest, readMask: { paths: everything } });
  return call.response.transaction!;
}

const kioskRock = () => {
  const { state } = sandbox.world;
  const kiosk = [...state.kiosks.values()].find(
    ({ id, holder, listings }) => holder === treasury() && listings.size === 0 && nftsInKiosk(state, id).length > 0,
  )!;
  return { kiosk, nft: nftsInKiosk(state, kiosk.id)[0]! };
};

describe('a transaction reports what it changed', () => {
  test('a sale out of a kiosk: the money, the kiosk, the field between them and the NFT', async () => {
    const { kiosk, nft } = kioskRock();
    sandbox.world.list({ nftId: nft.id, priceMist: 5_000_000_000n });
    sandbox.world.buy({ nftId: nft.id, buyer: friend, into: 'wallet' });
    const sale = await lastTransaction();
    expect(sale.transaction).toMatchObject({ sender: friend, gasPayment: { owner: friend } });
    expect(sale.effects).toMatchObject({
      status: { success: true },
      gasUsed: { computationCost: 1_000_000n, storageCost: 4_940_000n, storageRebate: 2_934_360n },
      gasObject: { objectType: `0x${'2'.padStart(64, '0')}::coin::Coin<${canonicalSui}>` },
    });
    expect(sale.balanceChanges).toEqual([
      { address: friend, coinType: canonicalSui, amount: '-5003005640' },
      { address: treasury(), coinType: canonicalSui, amount: '5000000000' },
    ]);
    const changed = new Map(sale.effects!.changedObjects.map((each) => [each.objectId, each]));
    // Owner kinds: 1 a wallet, 2 another object, 3 shared.
    expect(changed.get(kiosk.id)).toMatchObject({ idOperation: 1, inputOwner: { kind: 3 }, outputOwner: { kind: 3 } });
    const sold = changed.get(nft.id)!;
    expect(sold).toMatchObject({ inputOwner: { kind: 2 }, outputOwner: { kind: 1, address: friend } });
    expect(changed.get(sold.inputOwner?.address)).toMatchObject({
      idOperation: 3,
      inputOwner: { kind: 2, address: kiosk.id },
    });
    expect(sale.events?.events[0]).toMatchObject({ module: 'kiosk_listings' });
  });

  test('a payout reaches each recipient in a coin object of its own', async () => {
    const recipients = Array.from({ length: 300 }, (_, index) => `0x${(index + 10).toString(16).padStart(64, '0')}`);
    sandbox.world.payout({ recipients, coinType: sui, amountEach: 1_000_000_000n });
    const { effects, balanceChanges } = await lastTransaction();
    const created = effects!.changedObjects.filter((each) => each.idOperation === CREATED);
    expect(created.map((each) => each.outputOwner?.address)).toEqual(recipients);
    const spent = balanceChanges.find(({ address }) => address === treasury());
    expect(spent?.amount).toBe(String(-300_000_000_000n - 3_005_640n));
  });

  test("a swap is one transaction with the exchange's event, and only the trader's balances change", async () => {
    const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
    sandbox.world.swap({ fromCoin: sui, amountIn: 10_000_000_000n, toCoin: usdc, amountOut: 18_000_000n });
    const { balanceChanges, events } = await lastTransaction();
    expect(balanceChanges).toEqual([
      { address: treasury(), coinType: canonicalSui, amount: '-10003005640' },
      { address: treasury(), coinType: usdc, amount: '18000000' },
    ]);
    expect(events?.events[0]?.eventType).toMatch(/::pool::SwapEvent$/);
  });

  test('income to the address balance is an accumulator write', async () => {
    sandbox.world.mint({ address: friend });
    const { effects } = await lastTransaction();
    const write = effects!.changedObjects.find((each) => each.accumulatorWrite);
    expect(write?.accumulatorWrite).toMatchObject({ address: treasury(), operation: 1, integerValue: 10_000_000_000n });
  });

  test('a read mask reduces it to the requested fields', async () => {
    const { digest } = sandbox.world.state.transactions.at(-1)!;
    const paths = ['effects.changed_objects.object_id'];
    const { response } = await nodeOf(sandbox).ledgerService.getTransaction({ digest, readMask: { paths } });
    expect(response.transaction?.digest).toBeUndefined();
    expect(response.transaction?.effects?.status).toBeUndefined();
    expect(Object.keys(response.transaction?.effects?.changedObjects[0] ?? {})).toEqual(['objectId']);
  });
});

describe('control commands over HTTP', () => {
  const order = async (path: string, body: unknown) => {
    const answer = await fetch(`${sandbox.urls.console}/control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };

  test('pay, payout, receive, swap, stake, spam and prune', async () => {
    const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
    const before = sandbox.world.state.transactions.length;
    expect(await order('pay', { to: friend, coinType: sui, amount: '5' })).toBe(200);
    expect(await order('payout', { recipients: [friend, '0x5'], coinType: sui, amountEach: '5' })).toBe(200);
    expect(await order('receive', { coinType: usdc, amount: '5', into: 'address-balance' })).toBe(200);
    expect(await order('swap', { fromCoin: sui, amountIn: '5', toCoin: usdc, amountOut: '5' })).toBe(200);
    expect(await order('stake', { amount: '1000000000' })).toBe(200);
    expect(await order('spam', { what: 'nfts', count: 3, transactions: 'many' })).toBe(200);
    expect(await order('spam', { what: 'coins', count: 2_000 })).toBe(200);
    expect(sandbox.world.state.transactions).toHaveLength(before + 9);
    expect(await order('prune', { checkpoint: 170_000_000 })).toBe(200);
    expect(sandbox.world.state.firstKeptCheckpoint).toBe(170_000_000);
    expect(await order('pay', { to: friend, coinType: usdc, amount: '18446744073709551615' })).toBe(409);
    expect(await order('prune', { checkpoint: 900_000_000 })).toBe(409);
    expect(await order('payout', { recipients: [], coinType: sui, amountEach: '5' })).toBe(400);
  });
});
