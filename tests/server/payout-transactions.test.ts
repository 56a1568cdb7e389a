import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { Unavailable } from '../../src/shared/failure.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { coinForms } from '../support/open-payouts.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { payingSteps } from '../support/paying-steps.ts';
import { bytesOf, newestOf, refusalOf } from '../support/treasurer-calls.ts';

const [, usdc = ''] = Object.keys(coinForms);
const dayMs = 86_400_000;

let scene: PayingScene;
let otherCopy: PayingScene;
let aheadMs = 0;
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { now: () => new Date(Date.now() + aheadMs) } });
  otherCopy = await startPayingScene({ on: scene });
}, 120_000);
afterAll(async () => {
  await otherCopy.end();
  await scene.end();
});
/** A transaction that a test leaves waiting expires within a few days. */
afterEach(() => void (aheadMs += 3 * dayMs));

const { handOut, differenceOf, oddlyPaid, newHolders, payByHand, coinsOf, firstCoin } = payingSteps(() => scene);

describe('a published payout is paid by the team, one transaction after the other', () => {
  test('555 holders are paid in one transaction, whose effects on chain are exactly the lines of the plan', async () => {
    const holders = newHolders(555);
    const { id, built } = await handOut(holders);
    expect(built).toMatchObject({ state: 'waiting', lines: 555, totalRaw: '555000000', problem: null });
    expect(built.received?.map(({ address, raw }) => [address, raw])).toEqual(
      holders.map((address) => [address, '1000000']),
    );
    expect(await differenceOf(id, built)).toBeNull();
    const told = scene.sandbox.chain.describe(bytesOf(built.bytes));
    expect(told.payments.map(({ address, amount }) => [address, amount])).toEqual(
      holders.map((each) => [each, 1_000_000n]),
    );
    expect(String(told.gasMist)).toBe(built.gasMist);
    const paid = await scene.pay(id, built);
    expect(newestOf(paid)).toMatchObject({ digest: built.digest, state: 'executed', bytes: null, received: null });
    expect(paid.open).toEqual({ lines: 0, raw: '0' });
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 555 }, strays: [] });
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
  }, 60_000);

  test('2,500 holders are paid in three transactions, each chained on the coin object that paid before', async () => {
    const holders = newHolders(2_500);
    const id = await scene.publish({ holders });
    const sizes: number[] = [];
    for (let open = 2_500; open > 0;) {
      const built = newestOf(await scene.build(id));
      expect(await differenceOf(id, built)).toBeNull();
      const paid = await scene.pay(id, built);
      sizes.push(newestOf(paid).lines);
      open = paid.open.lines;
    }
    expect(sizes).toEqual([1_000, 1_000, 500]);
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    const firstCoins = await scene.database.rows<{ first: string }>(
      `select distinct objects->0->>'objectId' first from payout_transactions where payout = ${id}`,
    );
    expect(firstCoins).toHaveLength(1);
  }, 120_000);

  test('a coin other than SUI is paid from its own coin objects, and gas from SUI', async () => {
    for (let count = 0; count < 3; count += 1) scene.sandbox.world.receive({ coinType: usdc, amount: 1_000_000_000n });
    const holders = newHolders(555);
    const { id, built } = await handOut(holders, usdc);
    expect(await differenceOf(id, built)).toBeNull();
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000', usdc)).toEqual([]);
    expect(await scene.page(id)).toMatchObject({ state: 'paid', paidRaw: '555000000' });
  });

  test('hundreds of small coin objects become one: as many as fit are used, and more storage is refunded than the payment takes', async () => {
    for (let count = 0; count < 300; count += 1) scene.sandbox.world.receive({ coinType: suiCoinType, amount: 1_000n });
    const before = (await coinsOf()).length;
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    expect(Number(built.gasMist)).toBeLessThan(0);
    expect(await differenceOf(id, built)).toBeNull();
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    expect(before - (await coinsOf()).length).toBe(255);
  });

  test('two tabs and two copies of the server at once get the same bytes', async () => {
    const holders = newHolders(3);
    const id = await scene.publish({ holders });
    const all = await Promise.all([scene.build(id), otherCopy.build(id), scene.build(id), otherCopy.build(id)]);
    expect(new Set(all.map((data) => newestOf(data).bytes)).size).toBe(1);
    expect(all.map(({ transactions }) => transactions.length)).toEqual([1, 1, 1, 1]);
    const sent = await Promise.all([
      scene.pay(id, newestOf(await scene.build(id))),
      otherCopy.pay(id, newestOf(await scene.build(id))),
    ]);
    expect(sent.map((data) => newestOf(data).state)).toEqual(['executed', 'executed']);
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('a transaction that was executed elsewhere is found by its digest, and never offered again', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    expect(await scene.checkChain(id, built.digest)).toMatchObject({ found: 'not-found' });
    const bytes = bytesOf(built.bytes);
    await scene.sandbox.chain.execute(bytes, [await scene.sign(bytes)]);
    const checked = await scene.checkChain(id, built.digest);
    expect(checked).toMatchObject({ found: 'executed', open: { lines: 0 } });
    expect(newestOf(checked)).toMatchObject({ state: 'executed', bytes: null });
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
    const foreign = scene.sandbox.world.state.transactions.find(
      ({ sender }) => sender !== scene.sandbox.facts.treasuryAddress,
    );
    expect((await scene.checkChain(id, foreign?.digest ?? '')).found).toBe('not-of-the-treasury');
    expect((await scene.checkChain(id, null)).found).toBeNull();
    const other = await scene.publish({ holders: newHolders(1) });
    expect((await scene.checkChain(other, built.digest)).found).toBe('pays-no-line');
  });

  test('more coin objects than can be read are refused with a sentence that says what to do', async () => {
    const unread = new Unavailable('too-many-pages', 'The Sui full node has more than 50 pages');
    const flooded = await startPayingScene({
      on: scene,
      chain: (node) => ({ ...node, listCoinObjects: () => Promise.reject(unread) }),
    });
    const { code, message } = await refusalOf(flooded.build(await flooded.publish({ holders: newHolders(2) })));
    await flooded.end();
    expect([code, message]).toEqual(['too-many-coins', expect.stringContaining('0x2::sui::SUI')]);
    expect(message).toContain('Merge the small ones in a wallet of the treasury');
  });

  test('the same signed bytes sent twice are one payment', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    await scene.pay(id, built);
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });
});

describe('no other transaction is built while one may still be executed', () => {
  test('once one of its coin objects is spent, the next one pays only the open lines', async () => {
    const holders = newHolders(10);
    const { id, built } = await handOut(holders);
    expect(newestOf(await scene.build(id)).digest).toBe(built.digest);
    await payByHand(await firstCoin(), holders[4] ?? '', 1_000_000n);
    const next = await scene.build(id);
    expect(next.transactions.map(({ state, lines }) => [state, lines])).toEqual([
      ['waiting', 9],
      ['spent', 10],
    ]);
    await scene.pay(id, newestOf(next));
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 10 } });
    const old = bytesOf(built.bytes);
    await expect(scene.sandbox.chain.execute(old, [await scene.sign(old)])).rejects.toThrow(
      /unavailable for consumption/,
    );
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({ code: 'transaction-over' });
  });

  test('once its last epoch is over, a new one is built, and the old one can no longer be sent', async () => {
    const { id, built } = await handOut(newHolders(3));
    aheadMs += dayMs;
    expect(newestOf(await scene.build(id)).digest).toBe(built.digest);
    aheadMs += dayMs;
    const next = await scene.build(id);
    expect(next.transactions.map(({ state }) => state)).toEqual(['waiting', 'expired']);
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({
      code: 'transaction-over',
      message: 'This transaction can no longer be executed. Build the next one.',
    });
    expect(newestOf(await scene.pay(id, newestOf(next))).state).toBe('executed');
  });

  test('it can be executed in the next epoch too, when gas costs more', async () => {
    const { id, built } = await handOut(newHolders(3));
    const { state } = scene.sandbox.world;
    const priceMist = state.referenceGasPriceMist;
    aheadMs += dayMs;
    state.referenceGasPriceMist = (priceMist * 3n) / 2n;
    expect(newestOf(await scene.pay(id, built)).state).toBe('executed');
    state.referenceGasPriceMist = priceMist;
  });

  test('after a line was paid from another coin object it must not be signed, and says so', async () => {
    const holders = newHolders(4);
    const { id, built } = await handOut(holders);
    // Received after the transaction was built, so it is not one of its coin objects.
    scene.sandbox.world.receive({ coinType: suiCoinType, amount: 900_000_000n });
    const coins = await coinsOf();
    const fresh = coins.find(({ balance }) => balance === '900000000');
    if (fresh === undefined) throw new Error('There is no coin');
    await payByHand(fresh, holders[1] ?? '', 1_000_000n);
    const checked = newestOf(await scene.checkChain(id, null));
    expect(checked).toMatchObject({ state: 'waiting', bytes: null });
    expect(checked.problem).toContain(`Do not sign this transaction: ${holders[1]} was already paid by another one`);
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({ code: 'paid-meanwhile' });
    aheadMs += 2 * dayMs;
    await scene.pay(id, newestOf(await scene.build(id)));
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('a line that was paid otherwise or twice is not paid again', async () => {
    const holders = newHolders(4);
    const id = await scene.publish({ holders });
    const byHand = (to: string | undefined, amount: bigint) =>
      scene.sandbox.world.pay({ to: to ?? '', coinType: suiCoinType, amount });
    byHand(holders[0], 999_999n);
    byHand(holders[1], 1_000_000n);
    byHand(holders[1], 1_000_000n);
    const built = newestOf(await scene.build(id));
    expect(built.received?.map(({ address }) => address)).toEqual(holders.slice(2));
    await scene.pay(id, built);
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 2, paidOtherwise: 1, paidTwice: 1 } });
    const problems = scene.copy.payouts.problems()?.filter(({ key }) => key.startsWith(`${id}-`));
    expect(problems?.map(({ what }) => what.replace(/transaction \S+/, 'transaction …'))).toEqual([
      `Payout ${id}, 'October': transaction … does not pay as planned. The payout's page says how.`,
      `Payout ${id}, 'October': transaction … does not pay as planned. The payout's page says how.`,
    ]);
  });

  test('building for another payout and withdrawing are refused until then', async () => {
    const { id, built } = await handOut(newHolders(2));
    const other = await scene.publish({ holders: newHolders(2) });
    expect(await refusalOf(scene.build(other))).toMatchObject({
      code: 'other-payout-waiting',
      message: `A transaction of payout ${id} was handed out and may still be executed. Send it if its page lets you; otherwise wait until epoch ${built.expiresEpoch} is over, or have the treasury send itself a little SUI.`,
    });
    expect(await refusalOf(scene.withdraw(id))).toMatchObject({
      code: 'transaction-waiting',
      message: expect.stringContaining(`epoch ${built.expiresEpoch} is over`),
    });
    aheadMs += 2 * dayMs;
    await scene.withdraw(id);
    expect((await scene.page(id)).state).toBe('withdrawn');
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'withdrawn' });
    expect(newestOf(await scene.build(other)).state).toBe('waiting');
  });
});
