import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { LedgerAnswer } from '../../src/treasury/ledger-contract.ts';
import type { Ledger } from '../../src/treasury/ledger/ledger.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { type LedgerGround, openLedger } from './open-ledger.ts';
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

export interface LedgerSceneOptions extends Pick<LedgerGround, 'hasArchive' | 'node'> {
  readonly sandbox?: SandboxOptions;
  readonly on?: { readonly sandbox: Sandbox; readonly database: TestDatabase };
}

export async function startLedgerScene(options: LedgerSceneOptions = {}): Promise<LedgerScene> {
  const sandbox = options.on?.sandbox ?? (await startSandbox(options.sandbox));
  const database = options.on?.database ?? (await testDatabase());
  const { urls, facts } = sandbox;
  const { hasArchive, node } = options;
  const ground = { urls, facts, pool: database.pool, node, ...(hasArchive !== undefined && { hasArchive }) };
  const { ledger, run, runOut, readBalances } = await openLedger(ground);
  const route = (path: string) => {
    const found = ledger.routes.find((each) => each.path === path);
    if (found === undefined) throw new Error(`There is no ${path}`);
    return found;
  };
  const scene: Omit<LedgerScene, 'sandbox' | 'database' | 'ledger'> = {
    readOnce: async () => void (await run('treasury-ledger')),
    read: async () => {
      await readBalances();
      await runOut('treasury-ledger');
      await ledger.start();
    },
    price: () => runOut('treasury-ledger-prices'),
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
