import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { treasurySnapshot } from '../../src/treasury/contract.ts';
import { amountOfSlice } from '../../src/treasury/ledger-contract.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { addUser } from '../support/user-command.ts';

const password = 'rock-solid-password';
const by = 'Flint';
const amounts = '/api/admin/treasury/amounts';
const operations = `${amounts}/operations`;
const trading = `${amounts}/leveraged-trading`;

let database: TestDatabase;
let product: Product;
const cookies = { anybody: '', pebble: '', [by]: '' };
beforeAll(async () => {
  database = await testDatabase();
  const place = { DATABASE_URL: database.url, SESSION_SECRET: 's'.repeat(32) };
  product = await startProduct({ env: { ...place, ADMIN_USERNAME: by, ADMIN_PASSWORD: password } });
  await addUser(place, { username: 'pebble', password });
  for (const username of ['pebble', by] as const) {
    const { headers } = await call('POST', '/api/auth/login', { body: { username, password }, as: 'anybody' });
    cookies[username] = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  }
  await until('the treasury is read', async () => (await call('GET', '/api/treasury/balance')).ok);
});
afterAll(async () => {
  await product.stop();
  await database.drop();
});

interface How {
  readonly body?: object;
  readonly as?: keyof typeof cookies;
  readonly ifMatch?: number;
}

const call = (method: string, path: string, { body, as = by, ifMatch }: How = {}): Promise<Response> =>
  fetch(product.url + path, {
    method,
    headers: {
      cookie: cookies[as],
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const declare = (path: string, usd: unknown, ifMatch?: number) =>
  call('PUT', path, { body: { usd }, ...(ifMatch !== undefined && { ifMatch }) });
const saved = async (answer: Response) => amountOfSlice.parse((await answer.json()).data).declared;
const refusal = async (answer: Response) => {
  const { message } = (await answer.json()) as { readonly message: string };
  return [answer.status, message];
};

const balance = async () => treasurySnapshot.parse((await (await call('GET', '/api/treasury/balance')).json()).data);
const shownOf = async (name: string) => (await balance()).allocation.find((row) => row.name === name)?.declared;
const shows = (name: string, usd: number | null) =>
  until(`${name} is ${usd}`, async () => ((await shownOf(name))?.usd ?? null) === usd);
const logOf = (action: string) =>
  database.rows<{ actor_name: string; subject_label: string; before: unknown; after: unknown }>(
    'select actor_name, subject_label, before, after from audit_entries where action = $1 order by id',
    [action],
  );

describe('an amount that the team declares for what is not visible on chain (rulings R3)', () => {
  test('is shown beside the actual shares with its author and time, in the answer and both downloads, and is in no total or percentage', async () => {
    const before = await balance();
    expect(before.allocation.map(({ declared }) => declared)).toEqual([null, null, null, null, null]);
    const at = (await saved(await declare(operations, '12000.50')))?.at ?? '';
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    await shows('Operations', 12_000.5);
    expect(await shownOf('Operations')).toEqual({ usd: 12_000.5, at, by });
    expect(await shownOf('Leveraged Trading')).toBeNull();
    const after = await balance();
    const figuresOf = ({ totalUsdValue, valuePerRock, allocation }: typeof before) => [
      totalUsdValue,
      valuePerRock?.usd,
      allocation.map(({ actualPercent, actualUsd }) => [actualPercent, actualUsd]),
    ];
    expect(figuresOf(after)).toEqual(figuresOf(before));
    const csv = await (await call('GET', '/api/treasury/export.csv')).text();
    expect(csv).toContain(
      `declared,Operations,,,,,,,declared by the team (Flint),,12000.5,,no: declared by the team,,${at},`,
    );
    expect(await (await call('GET', '/api/treasury/export.json')).json()).toMatchObject({
      data: { allocation: after.allocation },
    });
    await call('DELETE', operations);
    await shows('Operations', null);
  });

  test('is logged in USD, and so is its deletion; saving the same amount again is not a change', async () => {
    expect(await saved(await declare(trading, '012.50'))).toMatchObject({ usd: '12.5', by });
    expect(await saved(await declare(trading, '12.5'))).toMatchObject({ usd: '12.5' });
    expect(await saved(await declare(trading, '0'))).toMatchObject({ usd: '0' });
    await shows('Leveraged Trading', 0);
    expect(await saved(await call('DELETE', trading))).toBeNull();
    expect(await refusal(await call('DELETE', trading))).toEqual([
      404,
      'No amount is declared for this. Refresh the page.',
    ]);
    const about = { actor_name: by, subject_label: 'Leveraged Trading' };
    expect((await logOf('treasury-amount-saved')).filter(({ subject_label: of }) => of !== 'Operations')).toEqual([
      { ...about, before: null, after: { usd: '12.5' } },
      { ...about, before: { usd: '12.5' }, after: { usd: '0' } },
    ]);
    expect((await logOf('treasury-amount-deleted')).at(-1)).toEqual({ ...about, before: { usd: '0' }, after: null });
  });

  test('is saved for the first of two admins at once; the second sees that version and may then save over it', async () => {
    const first = await saved(await declare(trading, '5000', 0));
    const second = await declare(trading, '6000', 0);
    const current = { slice: 'leveraged-trading', declared: first };
    expect([second.status, await second.json()]).toMatchObject([409, { code: 'stale', current }]);
    const list = { data: [current, { slice: 'operations', declared: null }] };
    expect(await (await call('GET', amounts)).json()).toEqual(list);
    expect(await saved(await declare(trading, '6000', Date.parse(first?.at ?? '')))).toMatchObject({ usd: '6000' });
  });

  test.each(['-5', '1,000', '1e5', '1.005', '1000000000', '', ' 5', 5])(
    'of %j is refused in one sentence',
    async (usd) => {
      const [status, message] = await refusal(await declare(operations, usd));
      expect(status).toBe(400);
      expect(message).toMatch(
        typeof usd === 'string' ? /^An amount is digits with at most two decimals, as in 12000\.50\.$/ : /"usd"/,
      );
    },
  );

  test('is possible only for what is not visible on chain, and only for people who may speak for the treasury', async () => {
    expect((await declare(`${amounts}/degen-plays`, '5')).status).toBe(400);
    const calls = [
      ['GET', amounts],
      ['PUT', operations],
      ['DELETE', operations],
    ] as const;
    for (const [method, path] of calls) {
      const body = method === 'PUT' ? { body: { usd: '5' } } : {};
      expect((await call(method, path, { ...body, as: 'anybody' })).status, `${method} ${path}`).toBe(401);
      expect((await call(method, path, { ...body, as: 'pebble' })).status, `${method} ${path}`).toBe(403);
    }
  });
});
