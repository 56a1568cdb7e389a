import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, startAuthWorld } from '../support/running-auth.ts';
import { addApp, giveFactor } from '../support/second-factors.ts';
import { until } from '../support/until.ts';

let world: AuthWorld;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
});

/** Tries this many wrong passwords, one after the other. */
const guess = async (browser: Browser, username: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) await browser.logIn(username, 'wrong');
};

describe('an address that has used up its attempts', () => {
  const countRows = async (table: 'login_attempts' | 'audit_entries'): Promise<number> => {
    const { rows } = await world.database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return rows[0]?.count ?? 0;
  };

  test('stores nothing with any further attempt, whatever the names, and is refused before its body is read', async () => {
    const attacker = world.browser();
    for (let count = 0; count < 31; count += 1) await attacker.logIn(`somebody${count}`, 'wrong');
    const before = [await countRows('login_attempts'), await countRows('audit_entries')];
    for (let count = 0; count < 40; count += 1) {
      expect((await attacker.logIn(`somebody else${count}`, 'wrong')).status).toBe(429);
    }
    expect([await countRows('login_attempts'), await countRows('audit_entries')]).toEqual(before);
    const askWithHalfABody = (browser: Browser) =>
      browser.ask('/api/auth/login', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
    expect((await askWithHalfABody(attacker)).status).toBe(429);
    expect((await askWithHalfABody(world.browser('198.51.100.9'))).status).toBe(400);
  });

  test('does not hold up a browser that has signed in there before', async () => {
    const owner = world.browser();
    await owner.logIn(chief.username, chief.password);
    for (let count = 0; count < 32; count += 1) await world.browser().logIn(`somebody${count}`, 'wrong');
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
    expect((await owner.logIn('somebody', 'wrong')).status).toBe(429);
  });
});

describe('an unknown name', () => {
  const typed = 'correct horse battery\u202e staple';

  test('is stored nowhere: the log has a mark of it and says that it is unknown', async () => {
    await guess(world.browser(), typed, 11);
    const { rows } = await world.database.pool.query<{ subject_id: string; row: string }>(
      'select subject_id, audit_entries::text as row from audit_entries',
    );
    expect(await world.audited()).toEqual(['login-throttled unknown name']);
    expect(rows[0]?.subject_id).toMatch(/^[\w-]{16}$/);
    expect(JSON.stringify(rows)).not.toMatch(/horse|\u202e/);
  });

  test('does not fill the log, however many addresses and names there are', async () => {
    for (let count = 0; count < 2; count += 1) await guess(world.browser(`10.0.0.${count}`), `nobody${count}`, 11);
    expect(await world.audited()).toEqual(['login-throttled unknown name']);
  });
});

test('a login of more than two kilobytes is refused unread', async () => {
  const { status, text } = await world.browser().logIn('chief', 'x'.repeat(3_000));
  expect([status, JSON.parse(text)]).toMatchObject([413, { code: 'body-too-large' }]);
  expect((await world.browser().logIn('𓀀'.repeat(32), '\u0001'.repeat(200))).status).toBe(401);
});

describe('a flood from everywhere', () => {
  let small: AuthWorld;
  let owner: Browser;
  beforeEach(async () => {
    small = await startAuthWorld({ hashLimits: { atOnce: 1, waiting: 10 } });
    owner = small.browser('203.0.113.5');
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
  });
  afterEach(() => small.end());

  /** Runs `work` while strangers get a 503, more than ten of them meanwhile. */
  async function underFlood(work: () => Promise<void>): Promise<void> {
    let [flooded, busy] = [0, 0];
    const flood = { isOver: false };
    const stranger = async (): Promise<void> => {
      while (!flood.isOver) {
        flooded += 1;
        const network = `2001:db8:${(flooded >> 8).toString(16)}:${((flooded & 255) << 8).toString(16)}::1`;
        if ((await small.browser(network).logIn('chief', 'wrong')).status === 503) busy += 1;
      }
    };
    const strangers = Array.from({ length: 24 }, stranger);
    await until('strangers get a 503', () => busy > 10);
    busy = 0;
    await work().finally(() => (flood.isOver = true));
    expect(busy).toBeGreaterThan(10);
    await Promise.all(strangers);
  }

  test('does not keep out a browser that has signed in before', () =>
    underFlood(async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1) {
        statuses.push((await owner.logIn(chief.username, chief.password)).status);
      }
      expect(statuses).toEqual(Array.from({ length: 12 }, () => 200));
    }));

  test('does not keep out a browser that adds a second factor and gives a recovery code', async () => {
    await underFlood(async () => {
      owner.cookies.delete('device');
      const { recoveryCodes } = await addApp(owner, chief.password, small.clock.now());
      for (const code of recoveryCodes?.slice(0, 6) ?? []) {
        expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
        expect((await giveFactor(owner, { kind: 'recovery-code', code })).status).toBe(200);
      }
    });
  });
});

test('a flood of logins gets a 503 with Retry-After instead of using up the memory', async () => {
  const small = await startAuthWorld({ hashLimits: { atOnce: 1, waiting: 2 } });
  try {
    const flood = Array.from({ length: 12 }, (_, count) => small.browser(`10.0.0.${count}`).logIn('chief', 'wrong'));
    const answers = await Promise.all(flood);
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 503 && status !== 401)).toEqual([]);
    expect([busy[0]?.headers['retry-after'], JSON.parse(busy[0]?.text ?? '')]).toMatchObject([
      '2',
      { code: 'sign-in-busy' },
    ]);
    expect((await small.browser('10.0.1.1').logIn(chief.username, chief.password)).status).toBe(200);
  } finally {
    await small.end();
  }
});
