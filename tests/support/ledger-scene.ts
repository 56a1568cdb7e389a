import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { ReadyAnswer } from '../../src/http/ready/ready-answer.ts';
import type { Route, RouteRequest } from '../../src/http/route.ts';
import { monthOf } from '../../src/shared/utc-month.ts';
import type { LedgerAnswer } from '../../src/treasury/ledger-contract.ts';
import type { Ledger } from '../../src/treasury/ledger/ledger.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { type LedgerGround, openLedger } from './open-ledger.ts';
import { askRoute } from './route-request.ts';

/** The first month without a statement: a month gets its statement when it has been over for an hour (docs/decisions/0037). */
export const monthWithoutStatement = (): string => monthOf(new Date(Date.now() - 3_600_000));

/** The ledger with its real readers, against its own sandbox and database. Its jobs run when a test says so. */
export interface LedgerScene {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly ledger: Ledger;
  /** Reads the treasury's balances, then its transactions, until there is nothing newer. */
  read(): Promise<void>;
  /** One run of the job that reads transactions. */
  readOnce(): Promise<void>;
  /** One run of the job that asks for prices of movements. Returns how soon it wants to run again, in ms; null: nothing to do for now. */
  priceOnce(): Promise<number | null>;
  /** Asks for past prices until every movement has been asked for. */
  price(): Promise<void>;
  feed(): Promise<ReadyAnswer>;
  /** One run of the job that makes statements. */
  makeStatements(): Promise<void>;
  /** The published bytes of a month's statement, or the message of the refusal. */
  statementFile(month: string): Promise<string>;
  /** One run of the job that asks what coins cost at the end of past days. Returns how soon it wants to run again, in ms; null: all are asked for. */
  priceDaysOnce(): Promise<number | null>;
  priceDays(): Promise<void>;
  /** Names of the jobs that the ledger has sent. */
  readonly sent: readonly string[];
  page(query?: Readonly<Record<string, unknown>>): Promise<LedgerAnswer>;
  /** All pages, newest first. */
  entries(query?: Readonly<Record<string, unknown>>): Promise<LedgerAnswer['entries']>;
  csv(): Promise<{ readonly fileName: string; readonly text: string }>;
  /** The body of any of its calls. */
  ask(path: string, query?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** A call of an admin; returns its body. */
  asAdmin(method: Route['method'], path: string, given?: Partial<RouteRequest>): Promise<unknown>;
  end(): Promise<void>;
}

export interface LedgerSceneOptions extends Omit<LedgerGround, 'urls' | 'facts' | 'pool'> {
  readonly sandbox?: SandboxOptions;
  readonly on?: { readonly sandbox: Sandbox; readonly database: TestDatabase };
}

export async function startLedgerScene(options: LedgerSceneOptions = {}): Promise<LedgerScene> {
  const sandbox = options.on?.sandbox ?? (await startSandbox(options.sandbox));
  const database = options.on?.database ?? (await testDatabase());
  const { urls, facts } = sandbox;
  const { sandbox: _options, on: _on, ...readers } = options;
  const { ledger, run, runOut, sent, readBalances } = await openLedger({
    urls,
    facts,
    pool: database.pool,
    ...readers,
  });
  const route = (path: string, method: Route['method'] = 'GET') => {
    const found = ledger.routes.find((each) => each.path === path && each.method === method);
    if (found === undefined) throw new Error(`There is no ${method} ${path}`);
    return found;
  };
  const scene: Omit<LedgerScene, 'sandbox' | 'database' | 'ledger'> = {
    sent,
    readOnce: async () => void (await run('treasury-ledger')),
    read: async () => {
      await readBalances();
      await runOut('treasury-ledger');
      await ledger.start();
    },
    priceOnce: () => run('treasury-ledger-prices'),
    price: () => runOut('treasury-ledger-prices'),
    feed: async () => ((await askRoute(route('/feed.atom'))) as { ready: ReadyAnswer }).ready,
    makeStatements: async () => {
      await run('treasury-statements');
      await ledger.start();
    },
    statementFile: async (month) => {
      const asked = askRoute(route('/statements/{month}.json'), { params: { month } });
      return asked.then(
        (answer) => (answer as { ready: ReadyAnswer }).ready.identity.toString(),
        (error: Error) => error.message,
      );
    },
    priceDaysOnce: () => run('treasury-day-prices'),
    priceDays: () => runOut('treasury-day-prices'),
    page: async (query = {}) => {
      return ((await scene.ask('/api/treasury/ledger', query)) as { data: LedgerAnswer }).data;
    },
    entries: async (query = {}) => {
      const all: LedgerAnswer['entries'][number][] = [];
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
      const { fileName, parts } = (answer as { download: { fileName: string; parts: AsyncIterable<string> } }).download;
      let text = '';
      for await (const part of parts) text += part;
      return { fileName, text };
    },
    asAdmin: async (method, path, given) => {
      const user = { id: '1', username: 'ogg', isAdmin: true, rights: 'treasurer' } as const;
      return ((await askRoute(route(path, method), { user, ...given })) as { body: unknown }).body;
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
