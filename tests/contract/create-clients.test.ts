import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { readConfig } from '../../src/config.ts';
import type { AttemptReport } from '../../src/sources/call-policy.ts';
import { createClients } from '../../src/sources/create-clients.ts';

test('at a public node, visitors and the reading of the past share one limit: no call is refused, the next one waits', async () => {
  const sandbox = await startSandbox({ rateLimits: true });
  const { urls, facts } = sandbox;
  const attempts: AttemptReport[] = [];
  const reading = readConfig({
    SUI_GRPC_URL: urls.sui,
    SUI_ARCHIVE_URL: urls.archive,
    TREASURY_ADDRESS: facts.treasuryAddress,
    COLLECTION_TYPE: facts.collectionType,
  });
  if (!reading.ok) throw new Error(reading.message);
  const { sui, backgroundSui } = createClients(reading.config, (attempt) => attempts.push(attempt));
  const each = [sui, backgroundSui];
  await Promise.all(each.flatMap((client) => Array.from({ length: 45 }, () => client.readKeptCheckpoints())));
  const soon = AbortSignal.timeout(1_000);
  const further = await Promise.allSettled(
    each.flatMap((client) => Array.from({ length: 55 }, () => client.readKeptCheckpoints(soon))),
  );
  expect(further.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(attempts.filter(({ outcome }) => outcome === 'rate-limited')).toEqual([]);
  expect(sandbox.requests.of('sui').count).toBe(90);
  await sandbox.stop();
});
