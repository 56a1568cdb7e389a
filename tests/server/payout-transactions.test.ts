import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bytesOf, newestOf, type PayingScene, refusalOf, someHolders, startPayingScene } from '../support/paying-scene.ts';

const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
let scene: PayingScene;
beforeAll(async () => {
  scene = await startPayingScene();
}, 120_000);
afterAll(() => scene.end());

describe('a published payout is paid by the team, one transaction after the other', () => {
  test('555 holders are one transaction; its effects are the lines of the plan, and the chain pays exactly them', async () => {
    const holders = someHolders(555);
    const id = await scene.publish({ holders });
    const built = newestOf(await scene.build(id));
    expect(built).toMatchObject({ state: 'waiting', lines: 555, totalRaw: '555000000', problem: null });
    expect(built.effects?.received.map(({ address, raw }) => [address, raw])).toEqual(
      holders.map((address) => [address, '1000000']),
    );
    expect(built.effects).toMatchObject({ leavesRaw: '555000000', gasMist: built.gasMist });
    const told = scene.sandbox.chain.describe(bytesOf(built.bytes));
    expect(told.payments.map(({ address, amount }) => [address, amount])).toEqual(holders.map((each) => [each, 1_000_000n]));
    expect(String(told.gasMist)).toBe(built.gasMist);
    const paid = await scene.pay(id, built);
    expect(newestOf(paid)).toMatchObject({ digest: built.digest, state: 'executed', bytes: null, effects: null });
    expect(paid.open).toEqual({ lines: 0, raw: '0' });
    expect(await scene.page(id)).toMatchObject({ state: 'paid', lines: { paid: 555 }, strays: [] });
    expect(holders.filter((address) => scene.gotBy(address).join() !== '1000000')).toEqual([]);
    expect(await refusalOf(scene.build(id))).toMatchObject({ code: 'nothing-open' });
  }, 60_000);
});
