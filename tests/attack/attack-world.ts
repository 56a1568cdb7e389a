import type { Pool } from 'pg';

import { type Product, startProduct } from '../support/product.ts';
import { addUser } from '../support/user-command.ts';
import { until } from '../support/until.ts';
import { type DescribedCall, readDescribedCalls } from './described-calls.ts';
import type { KnownValues, Role } from './generated-requests.ts';
import { createSender, type Sender, type WireAnswer } from './send-request.ts';

/** Secrets that no answer may contain; each is unlike any other text. */
const sessionSecret = 'session-secret-of-the-attacked-product-1';
export const metricsToken = 'metrics-token-of-the-attacked-product';

const accounts = {
  user: { username: 'pebble', password: 'just-looking-around' },
  admin: { username: 'chief', password: 'paints-the-cave-blue' },
} as const;

/** The account that calls about other accounts use. */
export const spareAccount = { username: 'spare', password: 'waits-in-the-cave', rights: 'operator' } as const;
/** The password of the admin who makes those calls. */
export const adminPassword = accounts.admin.password;

type ToAsk = Parameters<Sender['send']>[0];

/** The whole product as installed, with data for every call. */
export interface AttackWorld {
  readonly product: Product;
  readonly pool: Pool;
  readonly calls: readonly DescribedCall[];
  readonly secrets: readonly string[];
  /** Secrets given to a single person so far: sessions, /verify links with their receipts, signatures, recovery codes. */
  handedOut(): readonly string[];
  /** Sends a request in that role; a role that was signed out signs in again first. */
  ask(request: ToAsk, role: Role): Promise<WireAnswer>;
  /** Values for generated requests; `learn` adds to them. */
  knownValues(): KnownValues;
  learn(name: string, value: string): void;
  stop(): Promise<void>;
}

export async function startAttackWorld(database: { readonly url: string; readonly pool: Pool }): Promise<AttackWorld> {
  const place = { DATABASE_URL: database.url, SESSION_SECRET: sessionSecret };
  const { username: ADMIN_USERNAME, password: ADMIN_PASSWORD } = accounts.admin;
  const product = await startProduct({
    env: { ...place, ADMIN_USERNAME, ADMIN_PASSWORD, METRICS_TOKEN: metricsToken, LOG_LEVEL: 'debug' },
  });
  const sender = createSender(product.url);
  const stop = async (): Promise<void> => {
    sender.end();
    await product.stop();
  };
  try {
    await addUser(place, accounts.user);
    await addUser(place, spareAccount);
    await until('the treasury was read', async () => (await fetch(`${product.url}/api/treasury/balance`)).ok);
    await until('the rocks were read', async () => (await fetch(`${product.url}/api/rocks/1`)).ok);
    const { marketKey, telegramBotToken, discordBotToken } = product.sandbox.facts;
    const passwords = Object.values(accounts).map(({ password }) => password);
    const known = new Map<string, Set<string>>();
    const cookies = new Set<string>();
    const world: AttackWorld = {
      product,
      pool: database.pool,
      calls: readDescribedCalls(await (await fetch(`${product.url}/api/openapi.json`)).json()),
      secrets: [sessionSecret, metricsToken, ...passwords, marketKey, telegramBotToken, discordBotToken],
      handedOut: () => [
        ...cookies,
        ...['token', 'receipt', 'signature', 'recoveryCode'].flatMap((name) => [...(known.get(name) ?? [])]),
      ],
      ask: createAsk(sender, cookies, database.pool),
      knownValues: () => Object.fromEntries([...known].map(([name, values]) => [name, [...values]])),
      learn: (name, value) => void known.set(name, new Set([...(known.get(name) ?? []), value])),
      stop,
    };
    for (const account of Object.values(accounts)) {
      world.learn('username', account.username);
      world.learn('password', account.password);
    }
    return world;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Keeps each role's cookies as a browser does; `seen` collects every value they ever had. */
function createAsk(sender: Sender, seen: Set<string>, pool: Pool): AttackWorld['ask'] {
  const jars = new Map<Role, Map<string, string>>();
  const jarOf = (role: Role): Map<string, string> => {
    const jar = jars.get(role) ?? new Map<string, string>();
    jars.set(role, jar);
    return jar;
  };
  const send = async (request: ToAsk, role: Role): Promise<WireAnswer> => {
    const jar = jarOf(role);
    const answer = await sender.send(request, [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    if (role !== 'anonymous') for (const line of answer.headers['set-cookie'] ?? []) keep(jar, line);
    for (const value of jar.values()) seen.add(value);
    // A call has ended the role's session: the next request signs in again.
    if (answer.status === 401 && answer.text.includes('"not-signed-in"')) jar.delete('session');
    return answer;
  };
  const signingIn = new Map<Role, Promise<unknown>>();
  const signIn = async (role: 'user' | 'admin'): Promise<void> => {
    // The requests contain wrong passwords. The login throttle has its own tests; here it must not stop the role.
    await pool.query('delete from login_attempts');
    const headers = [['Content-Type', 'application/json']] as const;
    const body = Buffer.from(JSON.stringify(accounts[role]));
    await until(`${role} is signed in`, async () => {
      const { status, text } = await send({ method: 'POST', target: '/api/auth/login', headers, body }, role);
      if (status === 200) return true;
      // The requests may fill the queue of passwords for a moment.
      if (text.includes('"sign-in-busy"')) return false;
      throw new Error(`${role} cannot sign in: ${status} ${text}`);
    });
  };
  return async (request, role) => {
    if (role !== 'anonymous' && !jarOf(role).has('session')) {
      // With many requests at once, only one signs in.
      const begun = signingIn.get(role) ?? signIn(role).finally(() => signingIn.delete(role));
      signingIn.set(role, begun);
      await begun;
    }
    return send(request, role);
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') jar.delete(name);
  else jar.set(name, value);
}
