import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import { typedKysely } from '../../src/db/connect.ts';
import type { JobDefinition } from '../../src/jobs/define-job.ts';
import { createCollections } from '../../src/market/collections.ts';
import { createPastPrices } from '../../src/sources/prices/past-prices.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import type { LedgerAnswer } from '../../src/treasury/ledger-contract.ts';
import { createLedger, type Ledger, type LedgerDeps } from '../../src/treasury/ledger/ledger.ts';
import { createSuiCoinReader } from '../../src/treasury/treasury.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { askRoute } from './route-request.ts';

/** The ledger with its real readers, against a sandbox and a database of its own. Its jobs run when a test says so. */
export interface LedgerScene {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly ledger: Ledger;
  /** Reads the treasury's balances, then its transactions, until there is nothing newer. */
  read(): Promise<void>;
  /** One run of the job that reads transactions. */
  readOnce(): Promise<void>;
  /** Asks for past prices until every movement has been asked for. */
  price(): Promise<void>;
  page(query?: Readonly<Record<string, unknown>>): Promise<LedgerAnswer['data']>;
  /** All pages, newest first. */
  entries(query?: Readonly<Record<string, unknown>>): Promise<LedgerAnswer['data']['entries']>;
  csv(): Promise<string>;
  /** The body of any of its calls. */
  ask(path: string, query?: Readonly<Record<string, unknown>>): Promise<unknown>;
  end(): Promise<void>;
}

export interface LedgerSceneOptions {
  readonly sandbox?: SandboxOptions;
  readonly on?: { readonly sandbox: Sandbox; readonly database: TestDatabase };
  /** True when left out. */
  readonly hasArchive?: boolean;
  /** Stands between the ledger and its node. */
  readonly node?: (node: LedgerDeps['node']) => LedgerDeps['node'];
}

export async function startLedgerScene(options: LedgerSceneOptions = {}): Promise<LedgerScene> {
  const sandbox = options.on?.sandbox ?? (await startSandbox(options.sandbox));
  const database = options.on?.database ?? (await testDatabase());
  const { urls, facts } = sandbox;
  const { network, treasuryAddress, collectionType } = facts;
  const clock = { now: () => new Date(), after: () => () => {} };
  const log = { info: () => {}, warn: () => {} };
  const limits = { retries: 0, breakerFailures: 1_000 };
  const sui = createSuiClient({ network, baseUrl: urls.sui, limits });
  const archive = createSuiClient({ network, baseUrl: urls.archive, limits });
  const db = typedKysely(database.pool);
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
  const settings = { network, collectionType };
  const collections = createCollections({
    settings,
    sui,
    backgroundSui: sui,
    marketplace,
    database: db,
    changes,
    jobs,
    clock,
    log,
  });
  const coins = createSuiCoinReader(sui);
  const added = new Map<string, JobDefinition<object>>();
  let treasury: ReturnType<LedgerDeps['treasury']> = null;
  const ledger = createLedger({
    settings: { network, treasuryAddress, explorerUrl: 'https://suiscan.xyz/mainnet', refreshMs: 60_000 },
    types: collections,
    node: options.node?.(sui) ?? sui,
    archive: options.hasArchive === false ? null : archive,
    readKiosksOfCaps: collections.readKiosksOfCaps,
    readKiosksOf: collections.readKiosksOf,
    treasury: () => treasury,
    whoIs: () => null,
    coins,
    pastPrices: createPastPrices({ baseUrl: urls.prices, limits }),
    database: db,
    changes,
    jobs: { add: (job) => added.set(job.name, job as unknown as JobDefinition<object>) },
    clock,
    log,
  });
  await ledger.start();
  const run = async (name: string): Promise<Date | null> => {
    const again = await added.get(name)?.run({}, new AbortController().signal);
    return again?.againAt ?? null;
  };
  const isDue = (at: Date | null): boolean => at !== null && at.getTime() <= Date.now();
  const route = (path: string) => {
    const found = ledger.routes.find((each) => each.path === path);
    if (found === undefined) throw new Error(`There is no ${path}`);
    return found;
  };
  const scene: Omit<LedgerScene, 'sandbox' | 'database' | 'ledger'> = {
    readOnce: async () => void (await run('treasury-ledger')),
    read: async () => {
      const balances = await coins.readBalances(treasuryAddress);
      treasury = { ...balances, chainReadAt: new Date(), prices: new Map(), market: null };
      for (let at = await run('treasury-ledger'); isDue(at);) at = await run('treasury-ledger');
      await ledger.start();
    },
    price: async () => {
      for (let at = await run('treasury-ledger-prices'); isDue(at);) at = await run('treasury-ledger-prices');
    },
    page: async (query = {}) => {
      return ((await scene.ask('/api/treasury/ledger', query)) as LedgerAnswer).data;
    },
    entries: async (query = {}) => {
      const all: LedgerAnswer['data']['entries'][number][] = [];
      for (let page = 1; ; page += 1) {
        const { entries, total } = await scene.page({ ...query, page: String(page) });
        all.push(...entries);
        if (entries.length === 0 || all.length >= total) return all;
      }
    },
    ask: async (path, query = {}) => {
      const answer = await askRoute(route(path), { query });
      return (answer as { readonly body: unknown }).body;
    },
    csv: async () => {
      const answer = await askRoute(route('/api/treasury/ledger.csv'), {});
      let text = '';
      for await (const part of (answer as { download: { parts: AsyncIterable<string> } }).download.parts) text += part;
      return text;
    },
    end: async () => {
      await ledger.stop();
      if (options.on !== undefined) return;
      await sandbox.stop();
      await database.drop();
    },
  };
  return { sandbox, database, ledger, ...scene };
}
