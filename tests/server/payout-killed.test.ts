import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { testDatabase } from '../support/database.ts';
import { killPayer } from '../support/killed-payer.ts';

/** More than planning, building, signing and sending take: with as many calls, the test is wrong. */
const callsMax = 80;

test('nobody is paid twice and nobody left out, whichever of its calls to the node the product is killed before', async () => {
  const ground = { sandbox: await startSandbox(), database: await testDatabase() };
  const seen = new Set<string>();
  let calls = 1;
  for (let code: number | null = null; code === null; calls += 1) {
    expect(calls).toBeLessThan(callsMax);
    const { exitCode, left, problems } = await killPayer(ground, calls, { beforeCall: calls });
    expect(problems).toEqual([]);
    code = exitCode;
    seen.add(left);
  }
  expect(calls).toBeGreaterThan(15);
  expect([...seen].sort()).toEqual(['draft', 'executed', 'published', 'waiting']);
  await ground.sandbox.stop();
  await ground.database.drop();
}, 300_000);
