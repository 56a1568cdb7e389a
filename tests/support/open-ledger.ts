import type { Pool } from 'pg';
import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { auditTrail } from '../../src/audit/audit-log.ts';
import { typedKysely } from '../../src/db/connect.ts';
import type { JobDefinition } from '../../src/jobs/jobs.ts';
import { createCollections } from '../../src/market/collections.ts';
import { createPastPrices } from '../../src/sources/prices/llama-prices.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createLedger } from '../../src/treasury/ledger/ledger.ts';
import type { TreasuryReading } from '../../src/treasury/core/reading.ts';
import type { LedgerDeps } from '../../src/treasury/ledger/ledger-parts.ts';
import { readBalances } from '../../src/treasury/read-treasury.ts';

export interface LedgerGround extends Pick<Sandbox, 'urls' | 'facts'> {
  readonly pool: Pool;
  /** True when left out. */
  readonly hasArchive?: boolean;
  /** Wraps the source of past prices. */
  readonly pastPrices?: (prices: LedgerDeps['pastPrices']) => LedgerDeps['pastPrices'];
  /** None when left out. */
  readonly mints?: Pick<LedgerDeps['rocks'], 'mintMilestones' | 'onChange'>;
  /** The name of every holder; left out: no address holds a rock. */
  readonly holderName?: string;
  /** Coins' metadata, prices and market data of the treasury, read beside its balances; what is left out: none. */
  readonly valued?: () => Partial<Pick<TreasuryReading, 'metadata' | 'prices' | 'market'>>;
  /** Wraps the ledger's node. */
  readonly node?: (node: LedgerDeps['sui']) => LedgerDeps['sui'];
}

/** A ledger with its real readers. Its jobs run through `run`, which returns how soon they want to run again. */
export async function openLedger({ urls, facts, pool, ...options }: LedgerGround) {
  const {
    hasArchive = true,
    node,
    mints = { mintMilestones: async () => [], onChange: () => {} },
    holderName = null,
  } = options;
  const { network, treasuryAddress, collectionType } = facts;
  const clock = { now: () => new Date(), after: () => () => {} };
  const log = { info: () => {}, warn: () => {} };
  const limits = { retries: 0 };
  const sui = createSuiClient({ network, baseUrl: urls.sui, limits });
  const archive = createSuiClient({ network, baseUrl: urls.archive, limits });
  const database = typedKysely(pool);
  const listeners = new Set<() => void>();
  const changes = {
    publish: async () => listeners.forEach((run) => run()),
    subscribe: (_topic: string, run: () => void) => {
      listeners.add(run);
      return () => listeners.delete(run);
    },
  };
  const jobs = { add: () => {}, send: () => Promise.resolve() };
  const marketplace = createMarketCall({ url: urls.market, user: facts.marketUser, key: facts.marketKey, limits });
  const shared = { database, changes, clock, log };
  const collections = createCollections({
    ...shared,
    config: {
      SUI_NETWORK: network,
      COLLECTION_TYPE: collectionType,
      TRACKER_POLL_MIN_MS: 30_000,
      TRACKER_POLL_MAX_MS: 45_000,
    },
    sui,
    backgroundSui: sui,
    marketplace,
    jobs,
  });
  const pastPrices = createPastPrices({ baseUrl: urls.prices, limits });
  const sent: string[] = [];
  const added = new Map<string, JobDefinition<object>>();
  let treasury: ReturnType<LedgerDeps['treasury']['reading']> = null;
  const ledger = createLedger({
    ...shared,
    settings: {
      productName: 'Sui Rocks',
      publicUrl: 'https://rocks.example',
      network,
      treasuryAddress,
      explorerUrl: 'https://suiscan.xyz/mainnet',
      refreshMs: 60_000,
    },
    sui: node?.(sui) ?? sui,
    backgroundSui: { ...sui, ...node?.(sui) },
    archive: hasArchive ? archive : null,
    collections,
    treasury: { reading: () => treasury },
    rocks: {
      ...mints,
      holder: () => ({ count: holderName === null ? 0 : 1, name: holderName }),
      reach: () => ({ percent: null, until: null, isComplete: false }),
    },
    audit: auditTrail,
    pastPrices: options.pastPrices?.(pastPrices) ?? pastPrices,
    jobs: {
      add: (job) => added.set(job.name, job as unknown as JobDefinition<object>),
      // The test says when movements are priced.
      send: async ({ name }) => (name === 'treasury-ledger' ? void (await run(name)) : void sent.push(name)),
    },
  });
  const run = async (name: string): Promise<number | null> => {
    const again = await added.get(name)?.run({}, new AbortController().signal);
    return again?.againInMs ?? null;
  };
  await ledger.start();
  return {
    ledger,
    run,
    /** Names of the jobs that the ledger has sent, in order. */
    sent,
    readBalances: async (): Promise<void> => {
      const balances = await readBalances(sui, treasuryAddress);
      treasury = { ...balances, metadata: new Map(), prices: new Map(), market: null, ...options.valued?.() };
    },
    /** Runs the job repeatedly, until it has nothing more to do for now. */
    runOut: async (name: string): Promise<void> => {
      while ((await run(name)) === 0) continue;
    },
  };
}
