import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, startAuthWorld } from '../support/running-auth.ts';
import { addApp, addPasskey, confirm, giveFactor, type SetUpApp } from '../support/second-factors.ts';
import { softwarePasskey } from '../support/software-passkey.ts';

const minuteMs = 60_000;
let world: AuthWorld;
let browser: Browser;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
  browser = world.browser();
  await browser.logIn(chief.username, chief.password);
});

const now = () => world.clock.now();
/** A call that asks again. */
const renew = async (): Promise<readonly [number, string | undefined]> => {
  const { status, text } = await browser.ask('/api/auth/recovery-codes', { method: 'POST' });
  return [status, (JSON.parse(text) as { code?: string }).code];
};
const refused = [403, 'second-factor-required'];
const passed = [200, undefined];
const code = (app: SetUpApp) => ({ kind: 'code', code: app.codeAt(now()) });

describe('a call that asks again', () => {
  test('passes for an account without a second factor', async () => {
    // The call itself then finds nothing to renew.
    expect(await renew()).toEqual([409, 'no-second-factor']);
  });

  test('passes for ten minutes after the login with a second factor, and not a moment longer', async () => {
    const app = await addApp(browser, chief.password, now());
    world.clock.advance(minuteMs);
    await browser.logIn(chief.username, chief.password);
    await giveFactor(browser, code(app));
    world.clock.advance(10 * minuteMs - 1);
    expect(await renew()).toEqual(passed);
    world.clock.advance(1);
    expect(await renew()).toEqual(refused);
    // Every other call still passes.
    expect((await browser.ask('/api/audit')).status).toBe(200);
  });

  test('passes again once the second factor is given, only in that session', async () => {
    const app = await addApp(browser, chief.password, now());
    world.clock.advance(minuteMs);
    const other = world.browser();
    await other.logIn(chief.username, chief.password);
    await giveFactor(other, code(app));
    world.clock.advance(10 * minuteMs);
    expect(await renew()).toEqual(refused);
    const { status, text } = await confirm(browser, () => code(app));
    const confirmedUntil = new Date(now().getTime() + 10 * minuteMs).toISOString();
    expect([status, JSON.parse(text)]).toEqual([200, { data: { confirmedUntil } }]);
    expect(await renew()).toEqual(passed);
    expect((await other.ask('/api/auth/recovery-codes', { method: 'POST' })).status).toBe(403);
  });

  test('accepts a passkey or a recovery code, too', async () => {
    const passkey = softwarePasskey();
    const { recoveryCodes } = await addPasskey(browser, chief.password, passkey);
    world.clock.advance(10 * minuteMs);
    const byPasskey = await confirm(browser, ({ passkey: asked }) => ({
      kind: 'passkey',
      response: passkey.get(asked?.challenge ?? ''),
    }));
    expect(byPasskey.status).toBe(200);
    world.clock.advance(10 * minuteMs);
    expect(await renew()).toEqual(refused);
    const recovery = { kind: 'recovery-code', code: recoveryCodes?.[0] ?? '' };
    expect((await confirm(browser, () => recovery)).status).toBe(200);
    expect((await confirm(browser, () => recovery)).status).toBe(403);
    expect(await world.audited()).toContain('recovery-code-used Chief');
  });

  test.each([
    ['a wrong code', () => '000000'],
    ['an expired code', (app: SetUpApp) => app.codeAt(new Date(now().getTime() - 90_000))],
  ])('%s confirms nothing', async (_, typed) => {
    const app = await addApp(browser, chief.password, now());
    world.clock.advance(10 * minuteMs);
    const { status, text } = await confirm(browser, () => ({ kind: 'code', code: typed(app) }));
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: 'wrong-second-factor' }]);
    expect(await renew()).toEqual(refused);
  });

  test('passes once someone has removed the lost factor, and the open question is over', async () => {
    const app = await addApp(browser, chief.password, now());
    world.clock.advance(10 * minuteMs);
    await browser.ask('/api/auth/confirm/begin', { method: 'POST' });
    await world.accounts.removeFactors('chief');
    const { status, text } = await browser.ask('/api/auth/confirm', { method: 'POST', json: code(app) });
    expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'challenge-over' }]);
    expect(await renew()).toEqual([409, 'no-second-factor']);
  });

  test('is refused before its body is read', async () => {
    await addApp(browser, chief.password, now());
    world.clock.advance(10 * minuteMs);
    const answer = await browser.ask('/api/auth/passkeys/begin', { method: 'POST', json: { nonsense: true } });
    expect(JSON.parse(answer.text)).toEqual({
      message: 'This needs your second factor again: confirm that it is you.',
      code: 'second-factor-required',
    });
  });
});

describe('the last second factor', () => {
  const removal = (id: string, password: string | null) =>
    browser.ask(`/api/auth/factors/${id}`, { method: 'DELETE', json: { password } });

  test('is removed only with the password, and takes the recovery codes with it', async () => {
    const app = await addApp(browser, chief.password, now());
    const without = await removal(app.id, null);
    expect([without.status, JSON.parse(without.text)]).toMatchObject([403, { code: 'password-required' }]);
    expect((await removal(app.id, 'wrong')).status).toBe(403);
    expect((await removal(app.id, chief.password)).status).toBe(200);
    const { rows } = await world.database.pool.query(
      'select 1 from recovery_codes union all select 1 from second_factors',
    );
    expect(rows).toEqual([]);
    const next = await world.browser().logIn(chief.username, chief.password);
    expect(JSON.parse(next.text)).toMatchObject({ user: { username: 'Chief' } });
    expect(await world.audited()).toContain('second-factor-removed Chief');
  });

  test('is the only one that needs it: one of two is removed without the password, and the recovery codes stay', async () => {
    const app = await addApp(browser, chief.password, now());
    await addPasskey(browser, chief.password, softwarePasskey());
    expect((await removal(app.id, null)).status).toBe(200);
    const { rows } = await world.database.pool.query('select 1 from recovery_codes');
    expect(rows).toHaveLength(10);
  });

  test('cannot be removed by anyone else', async () => {
    const app = await addApp(browser, chief.password, now());
    await world.accounts.setRights('guest', 'operator');
    const other = world.browser('192.0.2.9');
    await other.logIn('guest', 'just-looking');
    const json = { password: 'just-looking' };
    expect((await other.ask(`/api/auth/factors/${app.id}`, { method: 'DELETE', json })).status).toBe(404);
    await world.accounts.setRights('guest', null);
  });
});
