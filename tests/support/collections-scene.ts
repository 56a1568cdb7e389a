import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { type Collections, createCollections } from '../../src/market/collections.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { type TestDatabase, testDatabase } from './database.ts';

interface Making {
  readonly limits?: Partial<CallLimits>;
  readonly refreshMs?: number;
  readonly now?: () => Date;
  readonly world?: Sandbox;
  readonly collectionType?: string;
  readonly onWarning?: (message: string) => void;
}

/** The product's collections on one sandbox a test file and one database a test. */
export function collectionsScene() {
  let sandbox: Sandbox;
  let database: TestDatabase;
  const running: Collections[] = [];
  const subscribers = new Set<() => void>();
  /** Of all copies of a test. */
  const changes = {
    publish: async () => subscribers.forEach((run) => run()),
    subscribe: (_topic: string, run: () => void) => {
      subscribers.add(run);
      return () => subscribers.delete(run);
    },
  };
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    await sandbox.faults.clear();
    await Promise.all(running.splice(0).map((each) => each.stop()));
    await database.drop();
  });

  /** A copy of the product's collections, on this test's database and the sandbox. */
  function open(making: Making = {}) {
    const { limits = { retries: 0 }, refreshMs = 60_000, now = () => new Date(), world = sandbox } = making;
    const { marketUser: user, marketKey: key } = world.facts;
    const log = { info: () => {}, warn: (_details: object, message: string) => onWarning(message) };
    const jobs = createJobs({ url: database.url, log });
    const { collectionType = world.facts.collectionType, onWarning = () => {} } = making;
    const sui = createSuiClient({ network: 'mainnet', baseUrl: world.urls.sui, limits });
    const copy = createCollections({
      settings: { network: 'mainnet', collectionType, refreshMs },
      sui,
      backgroundSui: sui,
      marketplace: createMarketCall({ url: world.urls.market, user, key, limits }),
      database: typedKysely(database.pool),
      changes,
      jobs,
      clock: { ...systemClock, now },
      log,
    });
    const started: Collections = {
      ...copy,
      start: async () => {
        await copy.start();
        await jobs.start();
      },
      stop: async () => {
        await jobs.stop();
        await copy.stop();
      },
    };
    running.push(started);
    return started;
  }
  return {
    sandbox: () => sandbox,
    open,
    owner: () => sandbox.facts.treasuryAddress,
    typeOf: (key: string): string => sandbox.world.state.collections.get(key)?.nftType ?? '',
  };
}
