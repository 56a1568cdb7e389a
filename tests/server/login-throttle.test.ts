import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createAttemptStore } from '../../src/accounts/account-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type AuthWorld, type Browser, chief, guest, startAuthWorld } from '../support/running-auth.ts';
import { until } from '../support/until.ts';

const minuteMs = 60_000;
let world: AuthWorld;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
});

const madeUpMark = `${'A'.repeat(22)}.${'A'.repeat(43)}.${'A'.repeat(43)}`;

/** Tries this many wrong passwords, one after the other; returns the statuses. */
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
  test('the eleventh attempt at one account from one address has to wait, even with the right password', async () => {
    const attacker = world.browser('198.51.100.7');
    expect(await guess(attacker, 'chief', 11)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const { status, headers, text } = await attacker.logIn(chief.username, chief.password);
    expect([status, headers['retry-after']]).toEqual([429, '900']);
    expect(JSON.parse(text)).toEqual({
      message: 'Too many attempts to log in. Try again in 15 minutes.',
      code: 'too-many-logins',
    });
  });

  test('a name that does not exist is throttled in the same way', async () => {
    expect((await guess(world.browser(), 'nobody', 11)).at(-1)).toBe(429);
  });

  test('after the clock was set back no one waits longer than the limit says', async () => {
    const owner = world.browser();
    expect((await guess(owner, 'chief', 11)).at(-1)).toBe(429);
    // As if counted while the clock was a year ahead: this test's clock only goes forward.
    const { pool } = world.database;
    await pool.query("update login_attempts set window_ends_at = window_ends_at + interval '365 days'");
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('attempts at the same moment all count', async () => {
    const attacker = world.browser();
    const answers = await Promise.all(Array.from({ length: 30 }, () => attacker.logIn('chief', 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  test('one address has thirty attempts, whatever the names', async () => {
    const attacker = world.browser();
    for (let count = 0; count < 30; count += 1) {
      expect((await attacker.logIn(`somebody${count}`, 'wrong')).status).toBe(401);
    }
    expect((await attacker.logIn('chief', 'wrong')).status).toBe(429);
    expect((await world.browser('198.51.100.9').logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('all addresses of one IPv6 customer count as one', async () => {
    for (let count = 0; count < 10; count += 1)
      await guess(world.browser(`2001:db8:0:1${count}::${count}`), 'chief', 1);
    expect(await guess(world.browser('2001:db8:0:1a::1'), 'chief', 1)).toEqual([429]);
  });

  test('an address that the caller made up does not count, only the one that a proxy on this machine adds', async () => {
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

  test('after the window, attempts are counted from zero', async () => {
    const browser = world.browser();
    await guess(browser, 'chief', 11);
    world.clock.advance(15 * minuteMs - 1);
    const late = await browser.logIn(chief.username, chief.password);
    expect([late.status, late.headers['retry-after']]).toEqual([429, '1']);
    world.clock.advance(1);
    expect((await browser.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('successful logins use up no attempts', async () => {
    for (let count = 0; count < 40; count += 1) {
      expect((await world.browser().logIn(chief.username, chief.password)).status).toBe(200);
    }
  });

  test('the log says so once per window, without any password', async () => {
    await guess(world.browser(), 'chief', 14);
    expect(await world.audited()).toEqual(['login-throttled Chief']);
    const { rows } = await world.database.pool.query<{ row: string }>(
      'select audit_entries::text as row from audit_entries',
    );
    expect(JSON.stringify(rows)).not.toContain('wrong');
  });
});

describe('no one can lock an admin out', () => {
  test('by guessing from elsewhere: the owner signs in from their own address', async () => {
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

  test('guessing gets slow after the thirtieth attempt by strangers within an hour, and no sooner', async () => {
    await attack('chief', 27);
    // These are the next three of the thirty.
    expect(await guess(world.browser('203.0.113.6'), 'chief', 4)).toEqual([401, 401, 401, 429]);
    world.clock.advance(60 * minuteMs);
    expect(await guess(world.browser('203.0.113.7'), 'chief', 3)).toEqual([401, 401, 401]);
  });

  test('even from the very same address: a browser that has signed in before is not counted with strangers', async () => {
    const owner = world.browser();
    await owner.logIn(chief.username, chief.password);
    await owner.ask('/api/auth/logout', { method: 'POST' });
    await guess(world.browser(), 'chief', 40);
    expect((await world.browser().logIn(chief.username, chief.password)).status).toBe(429);
    expect((await owner.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('a known browser has its own limit, and is known only to its own account', async () => {
    const browser = world.browser();
    await browser.logIn(guest.username, guest.password);
    expect(await guess(browser, 'guest', 11)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const attacker = world.browser('198.51.100.7');
    attacker.cookies.set('device', browser.cookies.get('device') ?? '');
    expect((await guess(attacker, 'chief', 11)).at(-1)).toBe(429);
    expect((await world.browser('198.51.100.7').logIn(chief.username, chief.password)).status).toBe(429);
  });

  test('a made-up mark is ignored', async () => {
    await guess(world.browser(), 'chief', 11);
    const attacker = world.browser();
    attacker.cookies.set('device', madeUpMark);
    expect((await attacker.logIn(chief.username, chief.password)).status).toBe(429);
  });

  test('an invalid mark is replaced at the next login', async () => {
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

test('two people who sign in at the same moment do not wait for each other’s counters', async () => {
  const { pool } = world.database;
  const attempts = createAttemptStore(typedKysely(pool));
  const [first, last] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
  // They are in the table in the other order.
  for (const key of [last, first]) await attempts.count(key, minuteMs, new Date());
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
