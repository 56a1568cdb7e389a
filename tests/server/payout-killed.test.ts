import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { startChild } from '../support/child.ts';
import type { DoomedPayer } from '../support/paying-copy-process.ts';
import { newestOf, refusalOf, someHolders, startPayingScene } from '../support/paying-scene.ts';

const copyScript = fileURLToPath(new URL('../support/paying-copy-process.ts', import.meta.url));
/** Of building, signing and sending; beyond that the test is wrong. */
const callsMax = 60;

test('killed before each of its calls to the node, from the first look to the last, nobody is paid twice and nobody forgotten', async () => {
  const scene = await startPayingScene();
  const { urls, facts } = scene.sandbox;
  const seen = new Set<string>();
  let calls = 1;
  for (let code: number | null = null; code === null; calls += 1) {
    expect(calls).toBeLessThan(callsMax);
    const holders = someHolders(4, calls * 0x1000);
    const payout = await scene.publish({ holders });
    const doomed: DoomedPayer = { urls, facts, databaseUrl: scene.database.url, payout, calls };
    const copy = startChild(copyScript, [JSON.stringify(doomed)], {});
    code = await copy.exited;
    const [left] = (await scene.list(payout)).transactions;
    seen.add(left?.state ?? 'none');
    // Somebody comes back and goes on.
    const rest = await refusalOf(scene.build(payout).then((data) => scene.pay(payout, newestOf(data))));
    expect(['not refused', 'nothing-open'], `${calls}: ${copy.output()}`).toContain(rest.code);
    expect(holders.map((address) => scene.gotBy(address).join())).toEqual(holders.map(() => '1000000'));
    expect(await scene.page(payout)).toMatchObject({ state: 'paid', lines: { paid: 4 }, strays: [] });
    expect((await scene.list(payout)).transactions.map(({ state }) => state)).toEqual(['executed']);
  }
  expect(calls).toBeGreaterThan(15);
  expect([...seen].sort()).toEqual(['executed', 'none', 'waiting']);
  await scene.end();
}, 300_000);
