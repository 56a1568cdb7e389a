import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { silentLog } from '../../src/db/outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { readPidFile } from '@sui-rocks/embedded-postgres/postmaster';
import { childEnv } from '../support/child.ts';
import { type AuthWorld, chief, guest, startAuthWorld } from '../support/running-auth.ts';
import { addApp } from '../support/second-factors.ts';
import { temporaryDataDir } from '../support/temporary-data-dir.ts';
import { until } from '../support/until.ts';

let world: AuthWorld;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
});

/** Runs `npm run user -- …` with a password piped in; returns its exit code and output. */
async function user(
  args: readonly string[],
  input = '',
  env: Record<string, string> = { DATABASE_URL: world.database.url },
): Promise<readonly [number | null, string]> {
  const child = spawn(process.execPath, ['scripts/user.ts', ...args], {
    env: { ...childEnv, ...env },
    stdio: 'pipe',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // A command that never asks for a password may end before it reads the input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, said.trim()];
}

describe('rulings R2: npm run user', () => {
  test('add makes an account that can sign in, with and without admin access, and the log says who did it', async () => {
    expect(await user(['add', 'Ogg', '--admin'], 'club-and-fire\n')).toEqual([0, 'Ogg can sign in as an admin.']);
    expect(await user(['add', 'Ugg'], 'c l u b  a x e\r\n')).toEqual([0, 'Ugg can sign in, without admin access.']);
    expect(JSON.parse((await world.browser().logIn('ogg', 'club-and-fire')).text)).toEqual({
      user: { username: 'Ogg', isAdmin: true, rights: 'admin' },
    });
    expect(JSON.parse((await world.browser().logIn('ugg', 'c l u b  a x e')).text)).toEqual({
      user: { username: 'Ugg', isAdmin: false },
    });
    const { rows } = await world.database.pool.query(
      `select actor_kind, actor_name <> '' as is_named, action, before, after from audit_entries order by id limit 1`,
    );
    expect(rows).toEqual([
      { actor_kind: 'command', is_named: true, action: 'user-added', before: null, after: { rights: 'admin' } },
    ]);
    expect((await user(['remove', 'ogg']))[0]).toBe(0);
    expect((await user(['remove', 'UGG']))[0]).toBe(0);
  });

  test('list shows names and rights, and no hash', async () => {
    const [code, said] = await user(['list']);
    expect([code, said.split('\n')]).toEqual([
      0,
      ['Chief  admin      since 2026-11-20', 'guest  user       since 2026-11-20'],
    ]);
  });

  test('set-password ends the sessions of a running product', async () => {
    const browser = world.browser();
    await browser.logIn(guest.username, guest.password);
    expect(await user(['set-password', 'guest'], 'another-cave\n')).toEqual([
      0,
      'guest has a new password and is signed out everywhere.',
    ]);
    expect(await browser.check()).toBe(401);
    expect((await browser.logIn('guest', 'another-cave')).status).toBe(200);
    await world.accounts.setPassword('guest', guest.password);
  });

  test('grant-admin and revoke-admin take effect on the next call', async () => {
    expect((await user(['grant-admin', 'guest']))[0]).toBe(0);
    const browser = world.browser();
    await browser.logIn(guest.username, guest.password);
    expect((await browser.ask('/api/audit')).status).toBe(200);
    expect((await user(['revoke-admin', 'guest']))[0]).toBe(0);
    expect(await browser.check()).toBe(401);
  });

  test('--rights makes treasurers and operators, and set-rights changes them at once', async () => {
    const added = await user(['add', 'Tonk', '--rights', 'treasurer'], 'counts-the-pebbles\n');
    expect(added).toEqual([0, 'Tonk can sign in as a treasurer.']);
    const browser = world.browser();
    await browser.logIn('tonk', 'counts-the-pebbles');
    const rights = async () => (JSON.parse((await browser.ask('/api/auth/check')).text) as { user: object }).user;
    expect(await rights()).toEqual({ username: 'Tonk', isAdmin: true, rights: 'treasurer' });
    expect(await user(['set-rights', 'tonk', '--rights', 'operator'])).toEqual([0, 'tonk is an operator.']);
    expect(await rights()).toMatchObject({ rights: 'operator' });
    expect(await world.audited()).toContain('rights-changed Tonk');
    expect((await user(['remove', 'tonk']))[0]).toBe(0);
  });

  test('remove-factors lets someone who lost their phone in with only the password, and the log says so', async () => {
    expect(await user(['remove-factors', 'chief'])).toEqual([0, 'chief has no second factor: nothing was changed.']);
    const browser = world.browser();
    await browser.logIn(chief.username, chief.password);
    await addApp(browser, chief.password, world.clock.now());
    expect(await user(['remove-factors', 'chief'])).toEqual([
      0,
      'chief has no second factor any more: the password is enough to sign in.',
    ]);
    expect(await world.database.rows('select 1 from recovery_codes')).toEqual([]);
    const other = world.browser();
    await other.logIn(chief.username, chief.password);
    expect(await other.check()).toBe(200);
    expect(await world.audited()).toContain('second-factor-removed Chief');
  });

  test.each<readonly [readonly string[], string, RegExp]>([
    [['remove', 'chief'], '', /^Chief is the last admin: make somebody else an admin first\.$/],
    [['revoke-admin', 'chief'], '', /^Chief is the last admin/],
    [['remove', 'nobody'], '', /^There is no user nobody\.$/],
    [['set-password', 'nobody'], 'cave-painting\n', /^There is no user nobody\.$/],
    [['add', 'CHIEF'], 'cave-painting\n', /^There is already a user CHIEF\.$/],
    [['add', 'x'], 'cave\n', /^Username must be at least 2 characters\.$/],
    [['add', 'ogg'], 'cave\n', /^A new password must be at least 10 characters\.$/],
    [['add', 'ogg'], 'Welcome2026\n', /^This password is one of the first that attackers try\./],
    [['set-password', 'guest'], 'guest-12345\n', /^This password is one of the first that attackers try\./],
    [['add', 'ogg'], `${'x'.repeat(201)}\n`, /^Password must be at most 200 characters\.$/],
    [['add', 'ogg'], '', /^No password was received/],
    [['add', 'ogg', 'club-and-fire'], '', /^Use one of:/],
    [['add', 'ogg', '--password=club'], '', /^Use one of:/],
    [['list', '--admin'], '', /^Use one of:/],
    [['set-rights', 'chief', '--rights', 'operator'], '', /^Chief is the last admin/],
    [['set-rights', 'guest'], '', /^Use one of:/],
    [['set-rights', 'guest', '--rights', 'king'], '', /^Use one of:/],
    [['add', 'ogg', '--admin', '--rights', 'operator'], '', /^Use one of:/],
    [['remove-factors', 'nobody'], '', /^There is no user nobody\.$/],
    [['rename', 'ogg'], '', /^Use one of:/],
    [[], '', /^Use one of:/],
  ])('%j with the input %j is refused with one sentence', async (args, input, sentence) => {
    const [code, said] = await user(args, input);
    expect([code, said]).toEqual([1, expect.stringMatching(sentence)]);
    expect((await world.accounts.list()).map(({ username }) => username)).toEqual(['Chief', 'guest']);
  });

  test('a missing database gives one sentence without its password', async () => {
    const [code, said] = await user(['list'], '', { DATABASE_URL: 'postgresql://me:s3cret@127.0.0.1:9/rocks' });
    expect([code, said.split('\n').length]).toEqual([1, 1]);
    expect(said).toContain('check DATABASE_URL');
    expect(said).not.toContain('s3cret');
  });

  test('an interrupted command leaves no server running', async () => {
    const dataDir = await temporaryDataDir();
    try {
      const child = spawn(process.execPath, ['scripts/user.ts', 'add', 'ogg'], {
        env: { ...childEnv, DATA_DIR: dataDir.path },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const isServing = () => readPidFile(join(dataDir.path, 'postgres')).then((found) => found !== null);
      await until('the server runs', isServing);
      child.kill('SIGTERM');
      await once(child, 'exit');
      expect(await isServing()).toBe(false);
    } finally {
      await dataDir.remove();
    }
  });

  test('works on the embedded database whether or not the product runs, and leaves it as it was; only the first account makes one', async () => {
    const dataDir = await temporaryDataDir();
    const env = { DATA_DIR: dataDir.path };
    try {
      const none = `There is no database in ${dataDir.path}: set DATA_DIR or DATABASE_URL to the product's.`;
      expect(await user(['list'], '', env)).toEqual([1, none]);
      expect(await readdir(dataDir.path)).toEqual([]);
      const [code, said] = await user(['add', chief.username, '--admin'], 'cave-painting\n', env);
      expect([code, said.split('\n').at(-1)]).toEqual([0, `A new database was created in ${dataDir.path}.`]);
      expect(await readPidFile(join(dataDir.path, 'postgres'))).toBeNull();
      const running = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: dataDir.path, log: silentLog });
      const pid = running.pid();
      expect((await user(['add', 'Ogg'], 'club-and-fire\n', env))[0]).toBe(0);
      expect(running.pid()).toBe(pid);
      expect((await user(['list'], '', env))[1].split('\n')).toHaveLength(2);
      await running.stop();
    } finally {
      await dataDir.remove();
    }
  });
});
