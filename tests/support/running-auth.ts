import { createAudit } from '../../src/audit/audit-log.ts';
import { type Accounts, createAccounts } from '../../src/accounts/accounts.ts';
import { createPasswords, type HashLimits } from '../../src/accounts/passwords.ts';
import { createUserStore } from '../../src/accounts/account-store.ts';
import { createFactorStore } from '../../src/accounts/factors/factor-store.ts';
import { createSessionStore } from '../../src/accounts/session-store.ts';
import { type Auth, createAuth } from '../../src/accounts/auth.ts';
import { createPool, typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { type AskOptions, startTestServer, type TestServer } from './test-server.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { databaseLine, type DatabaseLine } from './database-line.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

type Answer = Awaited<ReturnType<TestServer['ask']>>;

/** A browser: it keeps its cookies and calls from one address, through a proxy on this machine. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** `body` is sent as JSON. */
  ask(path: string, options?: AskOptions & { readonly json?: unknown }): Promise<Answer>;
  logIn(username: string, password: string): Promise<Answer>;
  /** The status of the check. */
  check(): Promise<number>;
}

/** Accounts, sessions and the audit log as in production, on their own database; time stands still. */
export interface AuthWorld {
  readonly database: TestDatabase;
  /** The proxy between the server and its database. */
  readonly line: DatabaseLine;
  readonly clock: ManualClock;
  readonly app: TestServer;
  readonly auth: Auth;
  /** Changes accounts as `npm run user` does. */
  readonly accounts: Accounts;
  browser(address?: string): Browser;
  /** `action subject` of all entries of the audit log, oldest first. */
  audited(): Promise<readonly string[]>;
  /** Deletes all traces of logins: the accounts stay, without their second factors. */
  forgetLogins(): Promise<void>;
  end(): Promise<void>;
}

export interface AuthWorldOptions {
  readonly publicUrl?: string;
  readonly admin?: { readonly username: string; readonly password: string };
  readonly hashLimits?: HashLimits;
}

/** The product's address and name, as authenticators see them. */
export const site = { publicUrl: 'http://localhost:3000', productName: 'Sui Rocks' } as const;

export const chief = { username: 'Chief', password: 'cave-painting' };
export const guest = { username: 'guest', password: 'just-looking' };

export async function startAuthWorld(options: AuthWorldOptions = {}): Promise<AuthWorld> {
  const database = await testDatabase();
  const line = await databaseLine(database.url);
  const pool = createPool(line.url, silentLog);
  const db = typedKysely(pool);
  const clock = createManualClock();
  const audit = createAudit({ db });
  const { hashLimits, admin = chief, publicUrl = site.publicUrl } = options;
  const common = { ...site, publicUrl, sessionSecret: 's'.repeat(32), admin };
  const settings = { ...common, ...(hashLimits === undefined ? {} : { hashLimits }) };
  const auth = createAuth({ db, audit: audit.trail, clock, settings });
  await auth.start();
  const stores = { users: createUserStore(db), sessions: createSessionStore(db), factors: createFactorStore(db) };
  const accountDeps = { db, ...stores, passwords: createPasswords(), audit: audit.trail, clock };
  const accounts = createAccounts(accountDeps, { kind: 'command', name: 'ogg' });
  await accounts.add({ ...guest, rights: null });
  const app = await startTestServer({
    publicUrl,
    routes: [...auth.routes, ...audit.routes],
    authorize: auth.authorize,
  });
  return {
    database,
    line,
    clock,
    app,
    auth,
    accounts,
    browser: (address = '192.0.2.1') => createBrowser(app, address),
    audited: async () => {
      const { rows } = await database.pool.query<{ line: string }>(
        `select action || ' ' || subject_label as line from audit_entries order by id`,
      );
      return rows.map(({ line }) => line);
    },
    forgetLogins: async () => {
      const tables = 'sessions, login_attempts, audit_entries, second_factors, recovery_codes, factor_challenges';
      await database.pool.query(`truncate ${tables}`);
    },
    end: async () => {
      await app.server.stop();
      await pool.end();
      await line.end();
      await database.drop();
    },
  };
}

function createBrowser(app: TestServer, address: string): Browser {
  const cookies = new Map<string, string>();
  const ask: Browser['ask'] = async (path, { json, headers, ...options } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.ask(path, {
      ...options,
      headers: {
        'x-forwarded-for': address,
        ...(cookie === '' ? {} : { cookie }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) keepCookie(cookies, line);
    return answer;
  };
  return {
    cookies,
    ask,
    logIn: (username, password) => ask('/api/auth/login', { method: 'POST', json: { username, password } }),
    check: async () => (await ask('/api/auth/check')).status,
  };
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}
