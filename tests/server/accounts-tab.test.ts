import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, guest, startAuthWorld } from '../support/running-auth.ts';
import { addApp, giveFactor } from '../support/second-factors.ts';

const minuteMs = 60_000;
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' };
let world: AuthWorld;
let browser: Browser;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
  await world.accounts.setRights('chief', 'admin');
  await world.accounts.setRights('guest', null);
  browser = world.browser();
  await browser.logIn(chief.username, chief.password);
});

interface Own {
  readonly factors: readonly { readonly name: string }[];
  readonly recoveryCodesLeft: number;
  readonly sessions: readonly { readonly id: string; readonly browser: string | null; readonly isThisOne: boolean }[];
}
interface Account {
  readonly id: string;
  readonly username: string;
  readonly rights: string | null;
  readonly changedAt: string;
  readonly factors: readonly { readonly id: string }[];
}
const dataAt = async (path: string, by = browser): Promise<unknown> =>
  (JSON.parse((await by.ask(path)).text) as { data: unknown }).data;
const own = (by = browser) => dataAt('/api/auth/account', by) as Promise<Own>;
const accountOf = async (name: string): Promise<Account> => {
  const all = (await dataAt('/api/admin/accounts')) as readonly Account[];
  return all.find(({ username }) => username === name) ?? expect.fail(`no account ${name}`);
};
const codeIn = ({ text }: { text: string }): unknown => (JSON.parse(text) as { code?: string }).code;

describe('ASVS 7.5.2: one’s own sessions', () => {
  test('are shown with their browser in words, their start and last use, and which one is this one', async () => {
    world.clock.advance(minuteMs);
    const other = world.browser();
    const json = { username: chief.username, password: chief.password };
    await other.ask('/api/auth/login', { method: 'POST', json, headers: firefox });
    const at = world.clock.now().toISOString();
    expect((await own()).sessions).toMatchObject([
      { isThisOne: true, browser: null },
      { isThisOne: false, browser: 'Firefox on Linux', begunAt: at, lastUsedAt: at },
    ]);
  });

  test('can be ended one by one', async () => {
    const other = world.browser();
    await other.logIn(chief.username, chief.password);
    const theirs = (await own()).sessions.find(({ isThisOne }) => !isThisOne);
    const { status } = await browser.ask(`/api/auth/sessions/${theirs?.id}`, { method: 'DELETE' });
    expect([status, await other.check(), await browser.check()]).toEqual([200, 401, 200]);
    expect((await browser.ask(`/api/auth/sessions/${theirs?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await world.audited()).toContain('session-ended Chief');
  });

  test('can all be ended except this one', async () => {
    const others = [world.browser(), world.browser()];
    for (const each of others) await each.logIn(chief.username, chief.password);
    const { text } = await browser.ask('/api/auth/sessions', { method: 'DELETE' });
    expect(JSON.parse(text)).toEqual({ data: { ended: 2 } });
    expect(await Promise.all([browser, ...others].map((each) => each.check()))).toEqual([200, 401, 401]);
  });

  test('except this one end when the first second factor is added, which they have not proven, but not when another is added', async () => {
    const others = [world.browser(), world.browser()];
    for (const each of others) await each.logIn(chief.username, chief.password);
    const app = await addApp(browser, chief.password, world.clock.now());
    expect(await Promise.all([browser, ...others].map((each) => each.check()))).toEqual([200, 401, 401]);
    expect((await world.audited()).slice(-2)).toEqual(['second-factor-added Chief', 'sessions-ended Chief']);
    const [other = browser] = others;
    world.clock.advance(minuteMs);
    await other.logIn(chief.username, chief.password);
    await giveFactor(other, { kind: 'code', code: app.codeAt(world.clock.now()) });
    await addApp(browser, chief.password, world.clock.now(), 'My tablet');
    expect(await other.check()).toBe(200);
  });

  test('cannot be ended by anyone else without the right', async () => {
    await world.accounts.setRights('guest', 'operator');
    const other = world.browser();
    await other.logIn(guest.username, guest.password);
    const [mine] = (await own()).sessions;
    expect((await other.ask(`/api/auth/sessions/${mine?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await browser.check()).toBe(200);
  });
});

describe('rights', () => {
  const give = (account: Account, rights: string | null, version = account.changedAt) =>
    browser.ask(`/api/admin/accounts/${account.id}/rights`, {
      method: 'PUT',
      json: { rights },
      headers: { 'if-match': `"${Date.parse(version)}"` },
    });

  test('take effect on the next call, and a refusal names the missing one', async () => {
    const other = world.browser();
    await other.logIn(guest.username, guest.password);
    expect(codeIn(await other.ask('/api/audit'))).toBe('not-an-admin');
    expect((await give(await accountOf('guest'), 'treasurer')).status).toBe(200);
    expect((await other.ask('/api/audit')).status).toBe(200);
    const refusal = await other.ask('/api/admin/accounts');
    expect([refusal.status, JSON.parse(refusal.text)]).toEqual([
      403,
      { message: "This needs the right 'admin'. Ask an admin to change your account's right.", code: 'right-missing' },
    ]);
    world.clock.advance(1_000);
    expect((await give(await accountOf('guest'), null)).status).toBe(200);
    expect(await other.check()).toBe(401);
    const { rows } = await world.database.pool.query(
      "select actor_name, before, after from audit_entries where action = 'rights-changed' order by id desc limit 2",
    );
    expect(rows).toEqual([
      { actor_name: 'Chief', before: { rights: 'treasurer' }, after: { rights: null } },
      { actor_name: 'Chief', before: { rights: null }, after: { rights: 'treasurer' } },
    ]);
  });

  test('of the last admin cannot be taken away', async () => {
    const answer = await give(await accountOf('Chief'), 'operator');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      403,
      { message: 'Chief is the last admin: make somebody else an admin first.', code: 'last-admin' },
    ]);
  });

  test('changed by two admins at once: the second is shown what the first saved', async () => {
    const seen = await accountOf('guest');
    world.clock.advance(1_000);
    expect((await give(seen, 'operator')).status).toBe(200);
    const late = await give(seen, 'treasurer');
    expect([late.status, JSON.parse(late.text)]).toMatchObject([
      409,
      { code: 'stale', current: { username: 'guest', rights: 'operator' } },
    ]);
    const again = await accountOf('guest');
    expect((await give(again, 'treasurer')).status).toBe(200);
  });
});

describe('an admin', () => {
  test("sees every account's rights, second factors and last sign-in", async () => {
    const other = world.browser();
    await other.logIn(guest.username, guest.password);
    expect(await dataAt('/api/admin/accounts')).toMatchObject([
      { username: 'Chief', rights: 'admin', factors: [], isYou: true },
      {
        username: 'guest',
        rights: null,
        isYou: false,
        lastSignedInAt: world.clock.now().toISOString(),
      },
    ]);
  });

  test('can remove a factor that someone lost, and end their sessions', async () => {
    await world.accounts.setRights('guest', 'operator');
    const other = world.browser();
    await other.logIn(guest.username, guest.password);
    await addApp(other, guest.password, world.clock.now());
    const { id, factors } = await accountOf('guest');
    const [factor] = factors;
    const removed = await browser.ask(`/api/admin/accounts/${id}/factors/${factor?.id}`, { method: 'DELETE' });
    expect(JSON.parse(removed.text)).toMatchObject({ data: { factors: [] } });
    expect((await own(other)).recoveryCodesLeft).toBe(0);
    const ended = await browser.ask(`/api/admin/accounts/${id}/sessions`, { method: 'DELETE' });
    expect(JSON.parse(ended.text)).toMatchObject({ data: { username: 'guest' } });
    expect(await other.check()).toBe(401);
    expect((await world.audited()).slice(-2)).toEqual(['second-factor-removed guest', 'sessions-ended guest']);
  });

  test('cannot remove their own second factor this way, which asks for no password', async () => {
    const { id: factorId } = await addApp(browser, chief.password, world.clock.now());
    const { id, factors } = await accountOf('Chief');
    const answer = await browser.ask(`/api/admin/accounts/${id}/factors/${factorId}`, { method: 'DELETE' });
    expect([answer.status, codeIn(answer)]).toEqual([409, 'own-factor']);
    expect(await accountOf('Chief')).toMatchObject({ factors });
  });

  test('with a second factor is asked for it again before any of this', async () => {
    await addApp(browser, chief.password, world.clock.now());
    const { id } = await accountOf('guest');
    world.clock.advance(10 * minuteMs);
    const account = `/api/admin/accounts/${id}`;
    const answers = [
      await browser.ask(`${account}/rights`, { method: 'PUT', json: { rights: 'operator' } }),
      await browser.ask(`${account}/sessions`, { method: 'DELETE' }),
      await browser.ask(`${account}/factors/1`, { method: 'DELETE' }),
    ];
    expect(answers.map(codeIn)).toEqual(Array.from({ length: 3 }, () => 'second-factor-required'));
  });
});
