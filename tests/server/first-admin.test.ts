import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createAudit } from '../../src/audit/audit-log.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { createAuth } from '../../src/accounts/auth.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type AuthWorld, chief, guest, site, startAuthWorld } from '../support/running-auth.ts';

let world: AuthWorld;

beforeEach(async () => {
  world = await startAuthWorld();
});
afterEach(() => world.end());

/** One more start of the product on the same database. */
const start = (admin: { username: string; password: string } | null): Promise<void> => {
  const db = typedKysely(world.database.pool);
  const settings = { ...site, sessionSecret: 's'.repeat(32), admin };
  return createAuth({ db, audit: createAudit({ db }).trail, clock: world.clock, settings }).start();
};
const hashOf = async (key: string): Promise<unknown> => {
  const { rows } = await world.database.pool.query('select password_hash from users where username_key = $1', [key]);
  return rows;
};

describe('rulings R1: ADMIN_USERNAME and ADMIN_PASSWORD', () => {
  test('create that admin at the first start', async () => {
    const { status, text } = await world.browser().logIn(chief.username, chief.password);
    expect([status, JSON.parse(text)]).toEqual([200, { user: { username: 'Chief', isAdmin: true, rights: 'admin' } }]);
    expect(await world.audited()).toEqual(['user-added Chief', 'user-added guest', 'logged-in Chief']);
  });

  test('change nothing at the next start, and no one is signed out', async () => {
    const browser = world.browser();
    await browser.logIn(chief.username, chief.password);
    const before = await hashOf('chief');
    await start({ ...chief, username: 'CHIEF' });
    expect([await hashOf('chief'), await browser.check()]).toEqual([before, 200]);
    expect(await world.audited()).toEqual(['user-added Chief', 'user-added guest', 'logged-in Chief']);
  });

  test('a changed password is valid from then on and ends the sessions', async () => {
    const browser = world.browser();
    await browser.logIn(chief.username, chief.password);
    await start({ ...chief, password: 'changed-for-good' });
    expect(await browser.check()).toBe(401);
    expect((await browser.logIn(chief.username, chief.password)).status).toBe(401);
    expect((await browser.logIn(chief.username, 'changed-for-good')).status).toBe(200);
    expect(await world.audited()).toContain('password-set Chief');
  });

  test('make an existing account an admin', async () => {
    const browser = world.browser();
    await browser.logIn(guest.username, guest.password);
    await start(guest);
    expect((await browser.ask('/api/audit')).status).toBe(200);
    expect(await world.audited()).toContain('rights-changed guest');
  });

  test('the password is stored as argon2id with the costs that OWASP advises, never in plain text', async () => {
    const [kept] = (await hashOf('chief')) as { password_hash: string }[];
    expect(kept?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('unset, they leave every account alone', async () => {
    await start(null);
    expect((await world.browser().logIn(chief.username, chief.password)).status).toBe(200);
  });

  test('several copies that start at the same moment make one account', async () => {
    const second = { username: 'Second', password: 'cave-of-wonders' };
    await Promise.all([start(second), start(second), start(second)]);
    expect((await world.accounts.list()).map(({ username }) => username)).toEqual(['Chief', 'guest', 'Second']);
    expect((await world.browser().logIn('second', 'cave-of-wonders')).status).toBe(200);
  });

  test('a name that is not allowed is refused with a sentence', async () => {
    await expect(start({ username: 'chi\u200bef', password: 'cave' })).rejects.toThrow(
      'ADMIN_USERNAME: Username must not contain invisible characters.',
    );
  });

  test('a guessable password is refused with a sentence; one that was good enough before still works', async () => {
    await expect(start({ username: 'Second', password: 'Password2026' })).rejects.toThrow(
      'ADMIN_PASSWORD: This password is one of the first that attackers try.',
    );
    const old = { username: 'Old', password: 'club' };
    await world.database.pool.query(
      `insert into users (username, username_key, password_hash, rights, created_at, updated_at)
       select $1, $2, $3, 'admin', now(), now()`,
      [old.username, 'old', await createPasswords().hash(old.password)],
    );
    await start(old);
    expect((await world.browser().logIn(old.username, old.password)).status).toBe(200);
  });
});
