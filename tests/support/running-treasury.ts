import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import { typedKysely } from '../../src/db/connect.ts';
import type { JobDefinition } from '../../src/jobs/jobs.ts';
import { createCollections } from '../../src/market/collections.ts';
import { createGeckoPrices } from '../../src/sources/prices/gecko-prices.ts';
import { createLlamaPrices } from '../../src/sources/prices/llama-prices.ts';
import { createPricesWithFallback } from '../../src/sources/create-clients.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import type { TreasurySnapshot } from '../../src/treasury/contract.ts';
import { createTreasury, type Treasury } from '../../src/treasury/treasury.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { until } from './until.ts';

export const refreshMs = 60_000;

/** The treasury as in production, with its real readers, against its own sandbox and database; time stands still. */
export interface TreasuryWorld {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  /** One more copy of the product on the same database; not started. */
  copy(): Treasury;
  /** Waits until no refresh is running and the first one has ended. */
  settled(): Promise<void>;
  /** Moves time on, by default by one refresh, and waits until a copy has refreshed, successfully or not. */
  refresh(treasury: Treasury, afterMs?: number): Promise<TreasurySnapshot>;
  /** Sentences logged as warnings so far. */
  readonly warnings: string[];
  end(): Promise<void>;
}

/** Short limits, so that a hanging upstream costs a test a second. */
const limits = { attemptTimeoutMs: 1_000, totalTimeoutMs: 1_200, retries: 0 };
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
  const engine = createEngine(clock);
  const listeners = new Set<() => void>();
  const changes = {
    publish: async () => listeners.forEach((run) => run()),
    subscribe: (_topic: string, run: () => void) => {
      listeners.add(run);
      return () => listeners.delete(run);
    },
  };

  const copy = (): Treasury => {
    const { network, treasuryAddress, collectionType } = facts;
    const sui = createSuiClient({ network, baseUrl: urls.sui, limits: callLimits });
    const jobs = { add: () => {}, send: () => Promise.resolve() };
    const collections = createCollections({
      config: {
        SUI_NETWORK: network,
        COLLECTION_TYPE: collectionType,
        TRACKER_POLL_MIN_MS: 30_000,
        TRACKER_POLL_MAX_MS: 45_000,
      },
      sui,
      backgroundSui: sui,
      marketplace: createMarketCall({
        url: urls.market,
        user: facts.marketUser,
        key: facts.marketKey,
        limits: callLimits,
      }),
      database: typedKysely(database.pool),
      jobs,
      clock,
      log,
    });
    const prices = createPricesWithFallback(
      createLlamaPrices({ baseUrl: urls.prices, limits: callLimits }),
      createGeckoPrices({ baseUrl: urls.pricesFallback, limits: callLimits }, now),
    );
    let job: JobDefinition<object> | null = null;
    const treasury = createTreasury({
      settings: { network, treasuryAddress, collectionType, explorerUrl: 'https://suiscan.xyz/mainnet', refreshMs },
      readers: { sui, collections, prices },
      database: typedKysely(database.pool),
      changes,
      jobs: { add: (added) => (job = added as unknown as JobDefinition<object>) },
      clock,
      log,
      ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
    });
    const running: Treasury = {
      ...treasury,
      start: async () => {
        await treasury.start();
        if (job !== null) engine.add(job);
      },
      stop: async () => {
        if (job !== null) await engine.remove(job);
        await treasury.stop();
      },
    };
    started.push(running);
    return running;
  };

  const settled = (): Promise<void> => until('no refresh is running', () => engine.ranAtMs() !== null);

  const refresh = async (treasury: Treasury, afterMs = refreshMs): Promise<TreasurySnapshot> => {
    clock.advance(afterMs);
    const expectedMs = clock.now().getTime();
    await until('the refresh is over', () => {
      clock.advance(0);
      return engine.ranAtMs() === expectedMs;
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

/** A minimal job engine on the clock that tests move: one job for all copies, run by the first, again at the time it returns. */
function createEngine(clock: ManualClock) {
  const copies = new Map<JobDefinition<object>, AbortController>();
  let running: { readonly job: JobDefinition<object>; readonly over: Promise<void> } | null = null;
  let begunAtMs: number | null = null;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  const run = async (job: JobDefinition<object>, stop: AbortSignal): Promise<void> => {
    // Time may move on before it really begins.
    await Promise.resolve();
    begunAtMs = clock.now().getTime();
    const again = await job.run({}, stop).catch(() => undefined);
    dueAtMs = begunAtMs + Math.round((again?.againInMs ?? 0) / 100) * 100;
    running = null;
    clock.after(Math.max(0, dueAtMs - clock.now().getTime()), runDue);
  };
  const runDue = (): void => {
    const [first] = copies;
    if (first === undefined || running !== null || clock.now().getTime() < dueAtMs) return;
    const [job, { signal }] = first;
    running = { job, over: run(job, signal) };
  };
  return {
    add: (job: JobDefinition<object>): void => {
      copies.set(job, new AbortController());
      runDue();
    },
    remove: async (job: JobDefinition<object>): Promise<void> => {
      copies.get(job)?.abort(new Error('The product is stopping'));
      copies.delete(job);
      if (running?.job === job) await running.over;
    },
    /** When the last run began; null while one is running. */
    ranAtMs: (): number | null => (running === null ? begunAtMs : null),
  };
}
