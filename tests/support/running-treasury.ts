import { startSandbox } from '../../sandbox/start-sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/start-sandbox.ts';
import { createMarketplaceClient } from '../../src/sources/tradeport/marketplace-client.ts';
import { createGeckoPrices } from '../../src/sources/prices/gecko-prices.ts';
import { createLlamaPrices } from '../../src/sources/prices/llama-prices.ts';
import { createPricesWithFallback } from '../../src/sources/prices/prices-with-fallback.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import type { CollectionTables } from '../../src/market/adapters/tables.ts';
import { createCollections } from '../../src/market/collections.ts';
import { kyselyOver } from '../../src/db/connect.ts';
import { createLeases } from '../../src/platform/leases.ts';
import type { LeaseTables } from '../../src/platform/leases.ts';
import { createSuiCoinReader } from '../../src/treasury/adapters/sui-coin-reader.ts';
import type { TreasuryTables } from '../../src/treasury/adapters/tables.ts';
import type { TreasurySnapshot } from '../../src/treasury/contract.ts';
import { createTreasury } from '../../src/treasury/treasury.ts';
import type { Treasury } from '../../src/treasury/treasury.ts';
import { testDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import { until } from './until.ts';

export const refreshMs = 60_000;

/** The treasury as in production, with its real readers, against a sandbox and a database of its own; time stands still. */
export interface TreasuryWorld {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  /** One more copy of the product on the same database; not started. */
  copy(): Treasury;
  /** Waits until the first refresh and all that follows it is over. */
  settled(): Promise<void>;
  /** Moves time on, by one refresh unless said otherwise, and waits until some copy has refreshed, whatever came of it. */
  refresh(treasury: Treasury, afterMs?: number): Promise<TreasurySnapshot>;
  /** Sentences logged as warnings so far. */
  readonly warnings: string[];
  end(): Promise<void>;
}

/** Quick to give up, so that a hanging upstream costs a test a second. */
const limits = { attemptTimeoutMs: 1_000, totalTimeoutMs: 1_200, retries: 0, breakerFailures: 1_000 };
const generous = { ...limits, attemptTimeoutMs: 5_000, totalTimeoutMs: 6_000 };

export interface WorldOptions {
  readonly sandbox?: SandboxOptions;
  /** For tests of hanging upstreams; otherwise a busy machine must not look like an outage. */
  readonly impatient?: boolean;
  readonly deadlineMs?: number;
}

export async function startTreasuryWorld(options: WorldOptions = {}): Promise<TreasuryWorld> {
  const clock = createManualClock();
  const now = (): Date => clock.now();
  const sandbox = await startSandbox({ now, ...options.sandbox });
  const database = await testDatabase();
  const started: Treasury[] = [];
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_details: object, message: string) => warnings.push(message) };
  const { facts, urls } = sandbox;
  const callLimits = options.impatient === true ? limits : generous;
  const listeners = new Set<() => void>();

  const copy = (): Treasury => {
    const { network, treasuryAddress, collectionType } = facts;
    const sui = createSuiClient({ network, baseUrl: urls.sui, limits: callLimits });
    const leases = createLeases(kyselyOver<LeaseTables>(database.pool), { holder: `copy ${started.length}` });
    const collections = createCollections({
      settings: { network, collectionType },
      sui,
      marketplace: createMarketplaceClient({
        url: urls.market,
        user: facts.marketUser,
        key: facts.marketKey,
        limits: callLimits,
      }),
      db: kyselyOver<CollectionTables>(database.pool),
      leases,
      clock,
      log,
    });
    const prices = createPricesWithFallback({
      first: createLlamaPrices({ baseUrl: urls.prices, limits: callLimits }),
      fallback: createGeckoPrices({ baseUrl: urls.pricesFallback, limits: callLimits }, now),
      now,
    });
    const treasury = createTreasury({
      settings: { network, treasuryAddress, collectionType, explorerUrl: 'https://suiscan.xyz/mainnet', refreshMs },
      readers: { coins: createSuiCoinReader(sui), holdings: collections, market: collections, prices },
      db: kyselyOver<TreasuryTables>(database.pool),
      leases,
      changes: {
        publish: () => Promise.resolve(),
        subscribe: (_topic, run) => {
          listeners.add(run);
          return () => listeners.delete(run);
        },
      },
      clock,
      log,
      ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
    });
    started.push(treasury);
    return treasury;
  };

  /** When the last refresh began, once its turn is over. */
  const refreshedAt = async (): Promise<number | null> => {
    const { rows } = await database.pool.query<{ at: Date }>(
      `select attempted_at as at from treasury_last_good
       where not exists (select 1 from leases where name like 'treasury %' and expires_at > clock_timestamp())`,
    );
    return rows[0]?.at.getTime() ?? null;
  };

  const settled = (): Promise<void> => until('no refresh is going on', async () => (await refreshedAt()) !== null);

  const refresh = async (treasury: Treasury, afterMs = refreshMs): Promise<TreasurySnapshot> => {
    clock.advance(afterMs);
    const expectedMs = clock.now().getTime();
    await until('the refresh is over', async () => {
      clock.advance(0);
      return (await refreshedAt()) === expectedMs;
    });
    const snapshot = treasury.snapshot();
    if (snapshot === null) throw new Error('There is no snapshot after the refresh');
    return snapshot;
  };

  return {
    sandbox,
    database,
    clock,
    copy,
    settled,
    refresh,
    warnings,
    end: async () => {
      await Promise.all(started.map((treasury) => treasury.stop()));
      await sandbox.stop();
      await database.drop();
    },
  };
}
