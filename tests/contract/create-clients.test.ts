import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { readConfig } from '../../src/config.ts';
import type { AttemptReport } from '../../src/sources/call-policy.ts';
import { createClients } from '../../src/sources/create-clients.ts';

let sandbox: Sandbox;
let attempts: AttemptReport[];
beforeEach(async () => {
  sandbox = await startSandbox({ rateLimits: true });
  attempts = [];
});
afterEach(() => sandbox.stop());

function clients() {
  const { urls, facts } = sandbox;
  const reading = readConfig({
    SUI_GRPC_URL: urls.sui,
    SUI_ARCHIVE_URL: urls.archive,
    TREASURY_ADDRESS: facts.treasuryAddress,
    COLLECTION_TYPE: facts.collectionType,
  });
  if (!reading.ok) throw new Error(reading.message);
  return createClients(reading.config, (attempt) => attempts.push(attempt));
}

test('at a public node, visitors and the reading of the past share one limit: no call is refused, the next one waits', async () => {
  const { sui, backgroundSui } = clients();
  const each = [sui, backgroundSui];
  await Promise.all(each.flatMap((client) => Array.from({ length: 45 }, () => client.readKeptCheckpoints())));
  const soon = AbortSignal.timeout(1_000);
  const further = await Promise.allSettled(
    each.flatMap((client) => Array.from({ length: 55 }, () => client.readKeptCheckpoints(soon))),
  );
  expect(further.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(attempts.filter(({ outcome }) => outcome === 'rate-limited')).toEqual([]);
  expect(sandbox.requests.of('sui').count).toBe(90);
});

test('calls to the archive are counted and reported as its own, not as those of the full node', async () => {
  const { sui, archive } = clients();
  await sui.readKeptCheckpoints();
  await archive?.readKeptCheckpoints();
  expect(attempts.map(({ upstream }) => upstream)).toEqual(['The Sui full node', 'The Sui archive']);
  await sandbox.faults.set('archive', { kind: 'refused' });
  await expect(archive?.readKeptCheckpoints(AbortSignal.timeout(1_000))).rejects.toThrow(/^The Sui archive /);
});
