import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, guest, startAuthWorld } from '../support/running-auth.ts';
import { until } from '../support/until.ts';

const hourMs = 3_600_000;
let world: AuthWorld;
let browser: Browser;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
  browser = world.browser();
});

const sessionCount = async (): Promise<number> => {
  const { rows } = await world.database.pool.query<{ count: number }>('select count(*)::int as count from sessions');
  return rows[0]?.count ?? -1;
};

describe('rulings R2: sessions are opaque, server-side and revocable', () => {
  test('a token that someone else chose is never accepted', async () => {
    const planted = 'A'.repeat(43);
    browser.cookies.set('session', planted);
    await browser.logIn(chief.username, chief.password);
    expect(browser.cookies.get('session')).not.toBe(planted);
    const planter = world.browser();
    planter.cookies.set('session', planted);
    expect(await planter.check()).toBe(401);
  });

  test('every login begins a new session and ends the previous one, whoever it belonged to', async () => {
    await browser.logIn(guest.username, guest.password);
    const first = browser.cookies.get('session') ?? '';
    await browser.logIn(chief.username, chief.password);
    expect(browser.cookies.get('session')).not.toBe(first);
    expect(await sessionCount()).toBe(1);
    const other = world.browser();
    other.cookies.set('session', first);
    expect(await other.check()).toBe(401);
  });

  test('a refused login leaves the session as it is', async () => {
    await browser.logIn(chief.username, chief.password);
    await browser.logIn(chief.username, 'wrong');
    expect(await browser.check()).toBe(200);
  });

  test('the table contains no usable token', async () => {
    await browser.logIn(chief.username, chief.password);
    const token = browser.cookies.get('session') ?? '';
    const { rows } = await world.database.pool.query<{ row: string; hash: Buffer }>(
      'select s::text as row, token_hash as hash from sessions s',
    );
    const [{ row, hash } = { row: token, hash: Buffer.from(token) }] = rows;
    for (const bytes of [Buffer.from(token), Buffer.from(token, 'base64url')]) {
      expect(row).not.toContain(bytes.toString('hex'));
    }
    expect(row).not.toContain(token);
    const thief = world.browser();
    for (const encoding of ['base64url', 'hex', 'latin1'] as const) {
      thief.cookies.set('session', encodeURIComponent(hash.toString(encoding)));
      expect(await thief.check()).toBe(401);
    }
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(400), '%00', "'; drop table sessions"])(
    'an invalid token (%j) signs no one in',
    async (token) => {
      browser.cookies.set('session', token);
      expect(await browser.check()).toBe(401);
    },
  );
});

describe('a session ends', () => {
  test('after a day without use', async () => {
    await browser.logIn(chief.username, chief.password);
    world.clock.advance(24 * hourMs - 1);
    expect(await browser.check()).toBe(200);
    world.clock.advance(24 * hourMs - 1);
    expect(await browser.check()).toBe(200);
    world.clock.advance(24 * hourMs);
    expect(await browser.check()).toBe(401);
  });

  test('after a week, however much it is used', async () => {
    await browser.logIn(chief.username, chief.password);
    for (let day = 1; day < 7; day += 1) {
      world.clock.advance(23 * hourMs);
      expect(await browser.check()).toBe(200);
    }
    world.clock.advance(7 * hourMs * 24 - 6 * 23 * hourMs);
    expect(await browser.check()).toBe(401);
  });

  test('in every browser when the password changes, and the log says so', async () => {
    const other = world.browser();
    await browser.logIn(guest.username, guest.password);
    await other.logIn(guest.username, guest.password);
    await world.accounts.setPassword('GUEST', 'another-cave');
    expect([await browser.check(), await other.check()]).toEqual([401, 401]);
    expect((await browser.logIn(guest.username, guest.password)).status).toBe(401);
    expect((await browser.logIn(guest.username, 'another-cave')).status).toBe(200);
    await world.accounts.setPassword(guest.username, guest.password);
    expect(await world.audited()).toContain('password-set guest');
  });

  test('before it begins, when the password changes while the old one is being checked', async () => {
    const elsewhere = await world.database.pool.connect();
    await elsewhere.query('begin');
    await elsewhere.query(`update users set password_hash = password_hash || 'x' where username_key = 'guest'`);
    const login = browser.logIn(guest.username, guest.password);
    await until('the login waits for that change', async () => {
      const { rows } = await world.database.pool.query('select 1 from pg_locks where not granted');
      return rows.length > 0;
    });
    await elsewhere.query('commit');
    elsewhere.release();
    expect([(await login).status, await sessionCount()]).toEqual([401, 0]);
    await world.accounts.setPassword(guest.username, guest.password);
  });

  test('when the account is removed', async () => {
    await world.accounts.add({ username: 'Ogg', password: 'club-and-spear', rights: null });
    await browser.logIn('ogg', 'club-and-spear');
    await world.accounts.remove('ogg');
    expect(await browser.check()).toBe(401);
    expect((await browser.logIn('ogg', 'club-and-spear')).status).toBe(401);
    expect(await world.audited()).toEqual(['user-added Ogg', 'logged-in Ogg', 'user-removed Ogg']);
  });

  test('when the account loses isAdmin; gaining it takes effect at once', async () => {
    await browser.logIn(guest.username, guest.password);
    expect((await browser.ask('/api/audit')).status).toBe(403);
    await world.accounts.setRights('guest', 'admin');
    expect((await browser.ask('/api/audit')).status).toBe(200);
    await world.accounts.setRights('guest', null);
    expect(await browser.check()).toBe(401);
    expect(await world.audited()).toEqual(['logged-in guest', 'rights-changed guest', 'rights-changed guest']);
  });
});

describe('the last admin', () => {
  test('can be neither removed nor made an ordinary user', async () => {
    await expect(world.accounts.remove('chief')).rejects.toThrow('Chief is the last admin');
    await expect(world.accounts.setRights('chief', null)).rejects.toThrow('Chief is the last admin');
    expect((await browser.logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('stays when the last two admins are removed at the same moment', async () => {
    await world.accounts.add({ username: 'Second', password: 'cave-of-wonders', rights: 'admin' });
    const results = await Promise.allSettled([world.accounts.remove('chief'), world.accounts.remove('second')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = await world.accounts.list();
    expect(left.filter(({ rights }) => rights === 'admin')).toHaveLength(1);
    if (left.every(({ username }) => username !== 'Chief')) {
      await world.accounts.add({ ...chief, rights: 'admin' });
      await world.accounts.remove('second');
    }
  });
});

describe('the cookie', () => {
  const cookieLines = async (publicUrl: string): Promise<readonly string[]> => {
    const site = await startAuthWorld({ publicUrl });
    try {
      const { headers } = await site.browser().logIn(chief.username, chief.password);
      return [headers['set-cookie'] ?? []].flat();
    } finally {
      await site.end();
    }
  };

  test('cannot be read by scripts, is sent only to this site and, on https, only encrypted', async () => {
    const [session, device] = await cookieLines('https://sui.rocks');
    const expires = 'Expires=Fri, 27 Nov 2026 12:00:00 GMT';
    expect(session).toMatch(
      new RegExp(`^__Host-session=[\\w-]{43}; Path=/; ${expires}; HttpOnly; Secure; SameSite=Lax$`),
    );
    expect(device).toMatch(
      /^__Secure-device=[\w.-]+; Path=\/api\/auth; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('works on plain http, as on this machine', async () => {
    for (const line of await cookieLines('http://localhost:3000')) expect(line).not.toContain('Secure');
  });

  test('is deleted at logout', async () => {
    await browser.logIn(chief.username, chief.password);
    const { headers } = await browser.ask('/api/auth/logout', { method: 'POST' });
    expect(headers['set-cookie']).toEqual([
      'session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ]);
  });
});
