import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createAttemptStore } from '../../src/auth/adapters/attempt-store.ts';
import type { AuthTables } from '../../src/auth/adapters/tables.ts';
import { kyselyOver } from '../../src/platform/database/connect.ts';
import { type AuthWorld, type Browser, chief, guest, startAuthWorld } from '../support/running-auth.ts';
import { until } from '../support/until.ts';

const minuteMs = 60_000;
let world: AuthWorld;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.database.pool.query('truncate sessions, login_attempts, audit_entries');
});

const madeUpMark = `${'A'.repeat(22)}.${'A'.repeat(43)}.${'A'.repeat(43)}`;

/** So many wrong passwords, one after the other; their statuses. */
const guess = async (browser: Browser, username: string, times: number): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push((await browser.logIn(username, 'wrong')).status);
  return statuses;
};

/** Wrong passwords from addresses all over the world. */
const attack = async (username: string, addresses: number): Promise<void> => {
  for (let count = 0; count < addresses; count += 1) {
    await world.browser(`10.${count >> 8}.${count & 255}.1`).logIn(username, 'wrong');
  }
};

describe('rulings R2: login is throttled by account and by address', () => {
  test('the eleventh attempt at one account from one address waits, the right password included', async () => {
    const attacker = world.browser('198.51.100.7');
    expect(await guess(attacker, 'chief', 11)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const { status, headers, text } = await attacker.logIn(chief.username, chief.password);
    expect([status, headers['retry-after']]).toEqual([429, '900']);
    expect(JSON.parse(text)).toEqual({
      message: 'Too many attempts to log in. Try again in 15 minutes.',
      code: 'too-many-logins',
    });
  });

  test('a name that does not exist is throttled alike', async () => {
    expect((await guess(world.browser(), 'nobody', 11)).at(-1)).toBe(429);
  });

  test('with a clock that was set back nobody waits for longer than the limit says', async () => {
    const owner = world.browser();
    expect((await guess(owner, 'chief', 11)).at(-1)).toBe(429);
    // A year ago by the clock of then: time in this world goes forward alone.
    const { pool } = world.database;
    await pool.query("update login_attempts set window_ends_at = window_ends_at + interval '365 days'");
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('attempts at the same moment count as many', async () => {
    const attacker = world.browser();
    const answers = await Promise.all(Array.from({ length: 30 }, () => attacker.logIn('chief', 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  test('one address tries thirty times, whatever the names', async () => {
    const attacker = world.browser();
    for (let count = 0; count < 30; count += 1) {
      expect((await attacker.logIn(`somebody${count}`, 'wrong')).status).toBe(401);
    }
    expect((await attacker.logIn('chief', 'wrong')).status).toBe(429);
    expect((await world.browser('198.51.100.9').logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('all addresses of one IPv6 customer are one', async () => {
    for (let count = 0; count < 10; count += 1)
      await guess(world.browser(`2001:db8:0:1${count}::${count}`), 'chief', 1);
    expect(await guess(world.browser('2001:db8:0:1a::1'), 'chief', 1)).toEqual([429]);
  });

  test('an address that the caller made up counts only from a proxy on this machine', async () => {
    const attacker = world.browser('198.51.100.7');
    // The proxy adds the caller's real address at the end of what it was given.
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${count}, 198.51.100.7` };
      const json = { username: 'chief', password: 'wrong' };
      statuses.push((await attacker.ask('/api/auth/login', { method: 'POST', json, headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test('after the window it goes on as if nothing had been', async () => {
    const browser = world.browser();
    await guess(browser, 'chief', 11);
    world.clock.advance(15 * minuteMs - 1);
    const late = await browser.logIn(chief.username, chief.password);
    expect([late.status, late.headers['retry-after']]).toEqual([429, '1']);
    world.clock.advance(1);
    expect((await browser.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('good logins use nothing up', async () => {
    for (let count = 0; count < 40; count += 1) {
      expect((await world.browser().logIn(chief.username, chief.password)).status).toBe(200);
    }
  });

  test('the log tells of it once a window, and of no password', async () => {
    await guess(world.browser(), 'chief', 14);
    expect(await world.audited()).toEqual(['login-throttled Chief']);
    const { rows } = await world.database.pool.query<{ row: string }>(
      'select audit_entries::text as row from audit_entries',
    );
    expect(JSON.stringify(rows)).not.toContain('wrong');
  });
});

describe('an address that has used up its attempts', () => {
  const countRows = async (table: 'login_attempts' | 'audit_entries'): Promise<number> => {
    const { rows } = await world.database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return rows[0]?.count ?? 0;
  };

  test('leaves nothing behind with any further attempt, whatever the names', async () => {
    const attacker = world.browser();
    for (let count = 0; count < 31; count += 1) await attacker.logIn(`somebody${count}`, 'wrong');
    const before = [await countRows('login_attempts'), await countRows('audit_entries')];
    for (let count = 0; count < 40; count += 1) {
      expect((await attacker.logIn(`somebody else${count}`, 'wrong')).status).toBe(429);
    }
    expect([await countRows('login_attempts'), await countRows('audit_entries')]).toEqual(before);
  });

  test('is told to wait before its body is read', async () => {
    const attacker = world.browser();
    for (let count = 0; count < 31; count += 1) await attacker.logIn(`somebody${count}`, 'wrong');
    const ask = (browser: Browser) =>
      browser.ask('/api/auth/login', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
    expect((await ask(attacker)).status).toBe(429);
    expect((await ask(world.browser('198.51.100.9'))).status).toBe(400);
  });

  test('does not keep a browser waiting that has signed in there before', async () => {
    const owner = world.browser();
    await owner.logIn(chief.username, chief.password);
    for (let count = 0; count < 32; count += 1) await world.browser().logIn(`somebody${count}`, 'wrong');
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
    expect((await owner.logIn('somebody', 'wrong')).status).toBe(429);
  });
});

describe('a name that is nobody’s', () => {
  const typed = 'correct horse battery\u202e staple';

  test('is kept nowhere: the log has a mark of it and says that it is unknown', async () => {
    await guess(world.browser(), typed, 11);
    const { rows } = await world.database.pool.query<{ subject_id: string; row: string }>(
      'select subject_id, audit_entries::text as row from audit_entries',
    );
    expect(await world.audited()).toEqual(['login-throttled unknown name']);
    expect(rows[0]?.subject_id).toMatch(/^[\w-]{16}$/);
    expect(JSON.stringify(rows)).not.toMatch(/horse|\u202e/);
  });

  test('fills no log, from however many addresses and however many names', async () => {
    for (let count = 0; count < 4; count += 1) await guess(world.browser(`10.0.0.${count}`), `nobody${count}`, 11);
    expect(await world.audited()).toEqual(['login-throttled unknown name']);
  });
});

test('a login of more than two kilobytes is refused unread', async () => {
  const { status, text } = await world.browser().logIn('chief', 'x'.repeat(3_000));
  expect([status, JSON.parse(text)]).toMatchObject([413, { code: 'body-too-large' }]);
  expect((await world.browser().logIn('𓀀'.repeat(32), '\u0001'.repeat(200))).status).toBe(401);
});

describe('nobody can lock an admin out', () => {
  test('by guessing from elsewhere: the owner signs in from an address of their own', async () => {
    await guess(world.browser('198.51.100.7'), 'chief', 40);
    expect((await world.browser('203.0.113.5').logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('by guessing from everywhere: each new address still has two attempts, and guessing gets slow', async () => {
    await attack('chief', 60);
    const owner = world.browser('203.0.113.5');
    expect((await owner.logIn(chief.username, 'mistyped')).status).toBe(401);
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
    expect(await guess(world.browser('203.0.113.6'), 'chief', 3)).toEqual([401, 401, 429]);
    expect(await guess(world.browser('203.0.113.6'), 'guest', 3)).toEqual([401, 401, 401]);
  });

  test('even from the very same address: a browser that has signed in before is not counted with strangers', async () => {
    const owner = world.browser();
    await owner.logIn(chief.username, chief.password);
    await owner.ask('/api/auth/logout', { method: 'POST' });
    await guess(world.browser(), 'chief', 40);
    expect((await world.browser().logIn(chief.username, chief.password)).status).toBe(429);
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('a known browser has its own limit, and is known to its own account alone', async () => {
    const browser = world.browser();
    await browser.logIn(guest.username, guest.password);
    expect((await guess(browser, 'guest', 11)).at(-1)).toBe(429);
    const attacker = world.browser('198.51.100.7');
    attacker.cookies.set('device', browser.cookies.get('device') ?? '');
    expect((await guess(attacker, 'chief', 11)).at(-1)).toBe(429);
    expect((await world.browser('198.51.100.7').logIn(chief.username, chief.password)).status).toBe(429);
  });

  test('a mark that was made up is worth nothing', async () => {
    await guess(world.browser(), 'chief', 11);
    const attacker = world.browser();
    attacker.cookies.set('device', madeUpMark);
    expect((await attacker.logIn(chief.username, chief.password)).status).toBe(429);
  });

  test('a mark that is worth nothing is replaced at the next login', async () => {
    const browser = world.browser();
    browser.cookies.set('device', madeUpMark);
    expect((await browser.logIn(chief.username, chief.password)).status).toBe(200);
    await guess(world.browser(), 'chief', 40);
    browser.cookies.delete('session');
    expect((await browser.logIn(chief.username, chief.password)).status).toBe(200);
  });
});

test('a new password forgets the browsers that signed in with the old one', async () => {
  const browser = world.browser();
  await browser.logIn(guest.username, guest.password);
  const changed = 'four blue rocks sing';
  await world.accounts.setPassword(guest.username, changed);
  await guess(world.browser(), guest.username, 10);
  expect((await browser.logIn(guest.username, changed)).status).toBe(429);
  await world.accounts.setPassword(guest.username, guest.password);
});

test('a flood from everywhere keeps no browser out that has signed in before', async () => {
  const small = await startAuthWorld({ hashLimits: { atOnce: 1, waiting: 2 } });
  let isOver = false;
  try {
    const owner = small.browser('203.0.113.5');
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
    let [flooded, busy] = [0, 0];
    const stranger = async (): Promise<void> => {
      while (!isOver) {
        flooded += 1;
        const network = `2001:db8:${(flooded >> 8).toString(16)}:${((flooded & 255) << 8).toString(16)}::1`;
        if ((await small.browser(network).logIn('chief', 'wrong')).status === 503) busy += 1;
      }
    };
    const flood = Array.from({ length: 12 }, stranger);
    await until('strangers are told to come back', () => busy > 10);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await owner.logIn(chief.username, chief.password)).status);
    }
    const floodedMeanwhile = busy;
    expect(statuses).toEqual(Array.from({ length: 12 }, () => 200));
    expect(floodedMeanwhile).toBeGreaterThan(10);
    isOver = true;
    await Promise.all(flood);
  } finally {
    isOver = true;
    await small.end();
  }
});

test('of two who sign in at the same moment, none waits for counters that wait for their own', async () => {
  const { pool } = world.database;
  const attempts = createAttemptStore(kyselyOver<AuthTables>(pool));
  const [first, last] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
  // They lie in the table in the other order.
  for (const key of [last, first]) await attempts.count([key], minuteMs, new Date());
  const other = await pool.connect();
  await other.query('begin');
  await other.query('update login_attempts set attempts = attempts + 1 where key = $1', [first]);
  const forgiven = attempts.forgive([last, first]);
  await until('the one waits for the other', async () => {
    const { rows } = await pool.query('select 1 from pg_locks where not granted');
    return rows.length > 0;
  });
  await other.query('select 1 from login_attempts where key = $1 for update nowait', [last]);
  await other.query('commit');
  other.release();
  await forgiven;
});

test('a flood of logins is told to come back instead of eating the memory', async () => {
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
