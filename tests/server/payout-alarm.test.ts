import { afterAll, beforeAll, expect, test } from 'vitest';

import { suiCoinType } from '../../src/shared/sui-address.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startOwnerWatch } from '../support/owner-watch.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { someHolders } from '../support/treasurer-calls.ts';

/** The owner is notified of payments that are in no plan, from the chain to the message. */
const clock = createManualClock(new Date());
const copies: ReturnType<typeof startOwnerWatch>[] = [];
let scene: PayingScene;
let chatId: number;
let isExplained = false;
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { telegramLimits: false } });
  [chatId = 0] = scene.sandbox.telegram.createGroups({ count: 1 });
}, 120_000);
afterAll(async () => {
  await Promise.all(copies.map(({ end }) => end()));
  await scene.end();
});

const startCopy = (): void => {
  const { facts, urls } = scene.sandbox;
  const platform = { platform: 'telegram', token: facts.telegramBotToken, apiUrl: urls.telegram } as const;
  const settings = { ...platform, databaseUrl: scene.database.url, chatId: String(chatId) };
  const payoutProblems = () => (isExplained ? [] : scene.copy.payouts.problems());
  copies.push(startOwnerWatch(settings, { clock, payoutProblems }));
};
const minutes = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count * 2; passed += 1) {
    clock.advance(30_000);
    for (const { check } of copies) await check();
  }
};
const said = (): readonly string[] =>
  scene.sandbox.telegram.history(chatId).flatMap(({ from, text }) => (from.is_bot && text !== null ? [text] : []));

test('each payment that is in no plan is reported once, by all copies and after a restart, and once when it is explained', async () => {
  startCopy();
  startCopy();
  const [holder = '', other = ''] = someHolders(3);
  const id = await scene.publish({ holders: someHolders(3) });
  const pay = (to: string, amount: bigint) => scene.sandbox.world.pay({ to, coinType: suiCoinType, amount });
  pay(holder, 1_000_000n);
  await scene.checkChain(id, null);
  await minutes(5);
  expect(said()).toEqual([]);
  const twice = pay(holder, 1_000_000n);
  await scene.checkChain(id, null);
  await minutes(3);
  startCopy();
  await minutes(10);
  expect(said()).toEqual([
    expect.stringContaining(
      `Payout ${id}, 'October': transaction ${twice.digest} does not pay as planned. The payout's page says how.`,
    ),
  ]);
  const otherwise = pay(other, 999n);
  await scene.checkChain(id, null);
  await minutes(10);
  expect(said().slice(1)).toEqual([expect.stringContaining(`${otherwise.digest} does not pay as planned.`)]);
  isExplained = true;
  await minutes(10);
  expect(said().slice(2)).toEqual([
    expect.stringContaining('A payment outside every plan has been explained.'),
    expect.stringContaining('A payment outside every plan has been explained.'),
  ]);
});
