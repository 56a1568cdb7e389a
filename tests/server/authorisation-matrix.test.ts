import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { createAudit } from '../../src/audit/audit-log.ts';
import { createAuth } from '../../src/accounts/auth.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { site } from '../support/running-auth.ts';
import { type Product, startProduct } from '../support/product.ts';

const restricted = ['dashboard', 'operator', 'treasurer', 'admin'] as const;

/** What GET /api/openapi.json says of a call, as far as it matters here. */
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.object({ session: z.tuple([z.enum(restricted)]) })).max(1),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()),
});
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

interface Call {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly access: 'public' | (typeof restricted)[number];
  readonly hasBody: boolean;
  /** Statuses to which the call gives its own meaning. */
  readonly ownStatuses: readonly string[];
}

const accounts = {
  anonymous: null,
  user: { username: 'guest', password: 'just-looking' },
  operator: { username: 'Ogga', password: 'pulls-the-levers' },
  treasurer: { username: 'Tonk', password: 'counts-the-pebbles' },
  admin: { username: 'Chief', password: 'cave-painting' },
} as const;
type Role = keyof typeof accounts;

let database: TestDatabase;
let product: Product;
let calls: readonly Call[];

beforeAll(async () => {
  database = await testDatabase();
  await addUsers();
  product = await startProduct({
    env: {
      DATABASE_URL: database.url,
      SESSION_SECRET: 's'.repeat(32),
      ADMIN_USERNAME: accounts.admin.username,
      ADMIN_PASSWORD: accounts.admin.password,
    },
  });
  calls = await readCalls();
});
afterAll(async () => {
  await product.stop();
  await database.drop();
});

/** All but the admin, who comes from the environment. */
async function addUsers(): Promise<void> {
  const db = typedKysely(database.pool);
  for (const [admin, rights] of [
    [accounts.user, null],
    [accounts.operator, 'operator'],
    [accounts.treasurer, 'treasurer'],
  ] as const) {
    const settings = { ...site, sessionSecret: 'x'.repeat(32), admin };
    await createAuth({ db, audit: createAudit({ db }).trail, clock: systemClock, settings }).start();
    await database.pool.query('update users set rights = $1 where username = $2', [rights, admin.username]);
  }
}

async function readCalls(): Promise<readonly Call[]> {
  const { paths } = description.parse(await (await fetch(`${product.url}/api/openapi.json`)).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, requestBody, responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      access: security[0]?.session[0] ?? 'public',
      hasBody: requestBody !== undefined,
      ownStatuses: Object.keys(responses).filter((status) => status !== 'default' && status !== '200'),
    })),
  );
}

const sessions = new Map<Role, string>();

/** Signs in once for all calls of a role: each login costs a password hash. */
async function cookieOf(role: Role): Promise<string> {
  const cookie = sessions.get(role) ?? (await logIn(role));
  sessions.set(role, cookie);
  return cookie;
}

async function logIn(role: Role): Promise<string> {
  const account = accounts[role];
  if (account === null) return '';
  const answer = await post('/api/auth/login', account);
  expect([role, answer.status]).toEqual([role, 200]);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1).join(''))
    .join('; ');
}

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** An earlier call, such as the logout, may have ended the session: a 401 counts only if a new session gets it too. */
async function inSession(role: Role, askOnce: (cookie: string) => ReturnType<typeof ask>): ReturnType<typeof ask> {
  const answer = await askOnce(await cookieOf(role));
  if (answer.status !== 401 || role === 'anonymous') return answer;
  sessions.delete(role);
  return askOnce(await cookieOf(role));
}

const statusOf = async (call: Call, role: Role, headers: Record<string, string> = {}): Promise<number> =>
  (await inSession(role, (cookie) => ask(call, cookie, headers))).status;

async function ask({ method, path, hasBody }: Call, cookie: string, headers: Record<string, string> = {}) {
  const answer = await fetch(product.url + path.replaceAll(/\{\w+\}/g, '1'), {
    method,
    redirect: 'manual',
    headers: { ...(cookie === '' ? {} : { cookie }), 'content-type': 'application/json', ...headers },
    ...(hasBody ? { body: '{}' } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

const isLetIn = (status: number, { ownStatuses }: Call): boolean =>
  ownStatuses.includes(String(status)) || ![401, 403, 500].includes(status);

const verdictOn = async (call: Call, role: Role): Promise<string> => {
  const status = await statusOf(call, role);
  return isLetIn(status, call) ? 'let in' : String(status);
};

const expected: Readonly<Record<Call['access'], Readonly<Record<Role, string>>>> = {
  public: { anonymous: 'let in', user: 'let in', operator: 'let in', treasurer: 'let in', admin: 'let in' },
  dashboard: { anonymous: '401', user: '403', operator: 'let in', treasurer: 'let in', admin: 'let in' },
  operator: { anonymous: '401', user: '403', operator: 'let in', treasurer: '403', admin: 'let in' },
  treasurer: { anonymous: '401', user: '403', operator: '403', treasurer: 'let in', admin: 'let in' },
  admin: { anonymous: '401', user: '403', operator: '403', treasurer: '403', admin: 'let in' },
};

describe('specification 6: who may call what, for every call of the product', () => {
  test.each([
    ['telegram', ['operator']],
    ['discord', ['operator']],
    ['admin/treasury', ['treasurer']],
    ['admin/payouts', ['treasurer']],
    ['admin/accounts', ['admin']],
    ['audit', ['dashboard']],
  ])('everything under /api/%s needs %j, except what the messenger itself calls', (under, needed) => {
    const found = calls.filter(({ path }) => path.startsWith(`/api/${under}`) && !path.includes('/webhook'));
    expect([...new Set(found.map(({ access }) => access))]).toEqual(needed);
  });

  test('each call has a name of its own for generated clients', () => {
    const names = calls.map(({ operationId }) => operationId);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toContain('getTreasuryBalance');
  });

  test('nothing under /api/telegram, /api/discord, /api/audit and /api/admin is open to those who may not enter the admin area', () => {
    const open = calls.filter(
      ({ path, access }) => /^\/api\/(telegram|discord|audit|admin)/.test(path) && access === 'public',
    );
    expect(open.map(({ path }) => path).filter((path) => !path.startsWith('/api/telegram/webhook'))).toEqual([]);
  });

  test('the calls of specification 7 for signing in are public, and so is the treasury', () => {
    const open = calls.filter(({ access }) => access === 'public').map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual(
      expect.arrayContaining([
        'GET /api/auth/check',
        'POST /api/auth/login',
        'POST /api/auth/logout',
        'GET /api/treasury/balance',
      ]),
    );
  });

  test.each(['anonymous', 'user', 'operator', 'treasurer', 'admin'] as const)(
    '%s gets in where allowed and nowhere else',
    async (role) => {
      const found: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const call of calls) {
        const name = `${call.access}: ${call.method} ${call.path}`;
        found[name] = await verdictOn(call, role);
        wanted[name] = expected[call.access][role];
      }
      expect(found).toEqual(wanted);
    },
  );

  test('exactly these calls ask for a second factor that was not given in this session', async () => {
    const asking: string[] = [];
    for (const call of calls.filter(({ method, access }) => method !== 'GET' && access !== 'public')) {
      const answer = await inSession('admin', async (cookie) => {
        await database.pool
          .query(`insert into second_factors (user_id, kind, name, created_at, sealed_secret, last_step)
          select id, 'authenticator', 'My phone', now(), '', 0 from users where username = 'Chief'`);
        const asked = await ask(call, cookie);
        await database.pool.query('delete from second_factors');
        return asked;
      });
      if (answer.text.includes('"second-factor-required"')) asking.push(`${call.method} ${call.path}`);
    }
    expect(asking.toSorted()).toEqual([
      'DELETE /api/admin/accounts/{accountId}/factors/{factorId}',
      'DELETE /api/admin/accounts/{accountId}/sessions',
      'DELETE /api/auth/factors/{factorId}',
      'POST /api/admin/payouts/{id}/publish',
      'POST /api/admin/payouts/{id}/transactions',
      'POST /api/admin/payouts/{id}/transactions/{digest}/send',
      'POST /api/admin/payouts/{id}/withdraw',
      'POST /api/auth/authenticators/begin',
      'POST /api/auth/passkeys/begin',
      'POST /api/auth/recovery-codes',
      'PUT /api/admin/accounts/{accountId}/rights',
    ]);
  });

  test('every call that changes something refuses a foreign Origin, even from an admin', async () => {
    const changing = calls.filter(({ method }) => method !== 'GET');
    expect(changing.length).toBeGreaterThan(1);
    for (const call of changing) {
      const status = await statusOf(call, 'admin', { origin: 'https://evil.example' });
      expect([call.method, call.path, status]).toEqual([call.method, call.path, 403]);
    }
  });
});
