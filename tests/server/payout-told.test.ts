import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { PaidPayout } from '../../src/payouts/payouts-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { someHolders } from '../support/treasurer-calls.ts';

/** docs/decisions/0043: what goes to the members who asked to be told of their payments, from the chain alone. */
let scene: PayingScene;
const told: PaidPayout[] = [];
beforeAll(async () => {
  scene = await startPayingScene({ notifyPaid: async (payout) => void told.push(payout) });
}, 120_000);
afterAll(() => scene.end());
beforeEach(() => void told.splice(0));

const pay = (to: string, amount = 1_000_000n) => scene.sandbox.world.pay({ to, coinType: suiCoinType, amount });
const addressesOf = (payout: PaidPayout | undefined) => payout?.paid.map(({ address }) => address);

describe('A message about a payment', () => {
  test('is due for a line that is paid while another one is paid again', async () => {
    const [first = '', second = ''] = someHolders(2, 0x2000);
    const id = await scene.publish({ holders: [first, second] });
    pay(first);
    await scene.checkChain(id, null);
    expect(told.map(addressesOf)).toEqual([[first]]);
    pay(first);
    pay(second);
    await scene.checkChain(id, null);
    expect(told.map(addressesOf)).toEqual([[first], [first, second]]);
    await scene.checkChain(id, null);
    expect(told).toHaveLength(2);
  });

  test('is due for a line that was paid twice before anyone looked, and names the planned payment', async () => {
    const [holder = '', other = ''] = someHolders(2, 0x3000);
    const id = await scene.publish({ holders: [holder, other] });
    pay(holder, 7n);
    const { digest } = pay(holder);
    await scene.checkChain(id, null);
    expect(told.at(-1)?.paid).toMatchObject([{ address: holder, amount: '0.001 SUI' }]);
    expect(told.at(-1)?.paid[0]?.transactionUrl).toContain(digest);
    expect([...(told.at(-1)?.openAddresses ?? [])]).toEqual([other]);
  });

  test('does not say of a withdrawn payout that anything of it is still to be paid', async () => {
    const [holder = '', other = ''] = someHolders(2, 0x4000);
    const id = await scene.publish({ holders: [holder, other] });
    await scene.withdraw(id);
    pay(holder);
    await scene.checkChain(id, null);
    expect(told.map(addressesOf)).toEqual([[holder]]);
    expect(told[0]?.openAddresses.size).toBe(0);
  });
});
