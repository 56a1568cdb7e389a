import { afterEach, beforeEach, expect, test } from 'vitest';

import { gwen, startVerifying, type Verifying, walletOf } from '../support/verifying.ts';

/** Many wallets and kiosks take minutes at a public node, and neither a proxy nor the page waits that long. */
const wallet = walletOf(1);
let world: Verifying;
let check: PromiseWithResolvers<never>;
beforeEach(async () => {
  check = Promise.withResolvers<never>();
  world = await startVerifying({ checkAndExplain: () => check.promise, checkWithinMs: 20 });
});
afterEach(() => world.end());

test('a check that takes long keeps nobody waiting: the wallet is linked, and the state so far is answered', async () => {
  world.says.answer = null;
  const token = await world.linkFor();
  const message = String((await world.message(token, wallet.address)).data?.['message']);
  const linked = await world.redeem(token, wallet.address, await wallet.sign(message));
  expect(linked).toMatchObject({ status: 200, data: { outcome: 'unknown', wallet: wallet.address } });
  expect(world.owners.get(wallet.address)).toBe(gwen.userId);
  // Nobody waits for the check any more: its failure ends nothing.
  check.reject(new Error('the database is gone'));
  world.says.answer = 'holds';
  world.says.hasRole = true;
  expect(await world.outcome(token, linked.data?.['receipt'])).toMatchObject({ status: 200, data: { isGiven: true } });
});

test('a wallet that its member unlinks again during the first check is not called linked', async () => {
  const unlinking: Verifying = await startVerifying({
    checkAndExplain: async () => {
      unlinking.owners.clear();
      return null;
    },
  });
  const token = await unlinking.linkFor();
  const message = String((await unlinking.message(token, wallet.address)).data?.['message']);
  const answer = await unlinking.redeem(token, wallet.address, await wallet.sign(message));
  expect(answer).toMatchObject({ status: 410, code: 'link-used' });
  await unlinking.end();
});
