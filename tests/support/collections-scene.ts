import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { createCollections } from '../../src/market/collections.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { type TestDatabase, testDatabase } from './database.ts';

interface Making {
  readonly limits?: Partial<CallLimits>;
  readonly now?: () => Date;
  readonly world?: Sandbox;
  readonly collectionType?: string;
}

/** The product's collections, with one sandbox per test file and one database per test. */
export function collectionsScene() {
  let sandbox: Sandbox;
  let database: TestDatabase;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    await sandbox.faults.clear();
    await database.drop();
  });

  /** A copy of the product's collections, on this test's database and the sandbox. */
  function open(making: Making = {}) {
    const { limits = { retries: 0 }, now = () => new Date(), world = sandbox } = making;
    const { marketUser: user, marketKey: key } = world.facts;
    const { collectionType = world.facts.collectionType } = making;
    const sui = createSuiClient({ network: 'mainnet', baseUrl: world.urls.sui, limits });
    return createCollections({
      config: {
        SUI_NETWORK: 'mainnet',
        COLLECTION_TYPE: collectionType,
        TRACKER_POLL_MIN_MS: 30_000,
        TRACKER_POLL_MAX_MS: 45_000,
      },
      sui,
      backgroundSui: sui,
      marketplace: createMarketCall({ url: world.urls.market, user, key, limits }),
      database: typedKysely(database.pool),
      jobs: { add: () => {}, send: () => Promise.resolve() },
      clock: { ...systemClock, now },
      log: silentLog,
    });
  }
  return {
    sandbox: () => sandbox,
    open,
    owner: () => sandbox.facts.treasuryAddress,
    typeOf: (key: string): string => sandbox.world.state.collections.get(key)?.nftType ?? '',
  };
}
