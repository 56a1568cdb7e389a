import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { testDatabase } from '../support/database.ts';
import { killPayer } from '../support/killed-payer.ts';

/** Of planning, building, signing and sending; beyond that the test is wrong. */
const callsMax = 80;

test('killed before each of its calls to the node, from the first look to the last, nobody is paid twice and nobody forgotten', async () => {
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
