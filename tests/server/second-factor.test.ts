import { Secret } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, startAuthWorld } from '../support/running-auth.ts';
import { addApp, giveFactor, type SetUpApp } from '../support/second-factors.ts';

const minuteMs = 60_000;
let world: AuthWorld;
let app: SetUpApp;
let browser: Browser;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
  const owner = world.browser('198.51.100.1');
  await owner.logIn(chief.username, chief.password);
  app = await addApp(owner, chief.password, world.clock.now());
  // The code that proved the app is used up.
  world.clock.advance(minuteMs);
  await world.database.pool.query('truncate sessions, audit_entries');
  browser = world.browser();
});

const now = () => world.clock.now();
const code = (at = now()) => ({ kind: 'code', code: app.codeAt(at) });
const recovery = (index: number) => ({ kind: 'recovery-code', code: app.recoveryCodes?.[index] ?? '' });
const codeOf = ({ text }: { text: string }): unknown => (JSON.parse(text) as { code?: string }).code;

describe('an account with an authenticator app', () => {
  test('is asked for its code after the password, and is not signed in until then', async () => {
    const { status, text, headers } = await browser.logIn(chief.username, chief.password);
    const expiresAt = new Date(now().getTime() + 5 * minuteMs).toISOString();
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { user: null, secondFactor: { passkey: null, code: true, hasDeadApp: false, expiresAt } },
    ]);
    const cookies = [headers['set-cookie'] ?? []].flat();
    expect(cookies).toEqual([
      expect.stringMatching(/^challenge=[\w-]{43}; Path=\/api\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await browser.check()).toBe(401);
    expect((await browser.ask('/api/audit')).status).toBe(401);
  });

  test('is signed in by the code, and the log says by which factor', async () => {
    await browser.logIn(chief.username, chief.password);
    const { status, text } = await giveFactor(browser, code());
    expect([status, JSON.parse(text)]).toEqual([200, { user: { username: 'Chief', isAdmin: true, rights: 'admin' } }]);
    expect(await browser.check()).toBe(200);
    expect(browser.cookies.has('challenge')).toBe(false);
    const { rows } = await world.database.pool.query('select action, after from audit_entries');
    expect(rows).toEqual([{ action: 'logged-in', after: { secondFactor: 'code' } }]);
  });

  test('reveals nothing of its second factor after a wrong password', async () => {
    const { status, text } = await browser.logIn(chief.username, 'wrong');
    expect([status, codeOf({ text })]).toEqual([401, 'wrong-credentials']);
  });

  test.each([
    ['from the 30 seconds before', -30_000, 200],
    ['from the 30 seconds after', 30_000, 200],
    ['from a minute ago', -60_000, 401],
    ['from a minute ahead', 60_000, 401],
  ])('a code %s', async (_, shiftMs, wanted) => {
    await browser.logIn(chief.username, chief.password);
    expect((await giveFactor(browser, code(new Date(now().getTime() + shiftMs)))).status).toBe(wanted);
  });

  test('a code works once across all browsers, and an older one never after it', async () => {
    const other = world.browser('192.0.2.9');
    for (const each of [browser, other]) await each.logIn(chief.username, chief.password);
    expect((await giveFactor(browser, code())).status).toBe(200);
    const replayed = await giveFactor(other, code());
    expect([replayed.status, codeOf(replayed)]).toEqual([401, 'wrong-second-factor']);
    const older = await giveFactor(other, code(new Date(now().getTime() - 30_000)));
    expect([older.status, older.text]).toEqual([401, replayed.text]);
    world.clock.advance(30_000);
    expect((await giveFactor(other, code())).status).toBe(200);
  });

  test('of two browsers with the same code at the same moment, one is signed in', async () => {
    const other = world.browser('192.0.2.9');
    for (const each of [browser, other]) await each.logIn(chief.username, chief.password);
    const answers = await Promise.all([giveFactor(browser, code()), giveFactor(other, code())]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  test('the code that added an app does not also sign in', async () => {
    const owner = world.browser();
    await owner.logIn(chief.username, chief.password);
    await giveFactor(owner, code());
    const second = await addApp(owner, chief.password, now(), 'My tablet');
    await browser.logIn(chief.username, chief.password);
    expect((await giveFactor(browser, { kind: 'code', code: second.codeAt(now()) })).status).toBe(401);
    world.clock.advance(30_000);
    expect((await giveFactor(browser, { kind: 'code', code: second.codeAt(now()) })).status).toBe(200);
  });
});

describe('an app whose secret the server can no longer read, as under another SESSION_SECRET,', () => {
  test('is not asked for, and said to be dead where it is listed and where it would be asked for', async () => {
    await world.database.pool.query(`update second_factors set sealed_secret = '\\x00'::bytea || sealed_secret`);
    const { text } = await browser.logIn(chief.username, chief.password);
    expect(JSON.parse(text)).toMatchObject({ secondFactor: { code: false, hasDeadApp: true } });
    await giveFactor(browser, recovery(0));
    for (const path of ['/api/auth/account', '/api/admin/accounts']) {
      expect((await browser.ask(path)).text).toMatch(/"name":"My phone"[^}]*"isDead":true/);
    }
  });
});

describe('the question after the password', () => {
  test('stays open for five minutes', async () => {
    await browser.logIn(chief.username, chief.password);
    world.clock.advance(5 * minuteMs);
    const answer = await giveFactor(browser, code());
    expect([answer.status, codeOf(answer)]).toEqual([401, 'login-over']);
    expect(await browser.check()).toBe(401);
  });

  test('can be answered once', async () => {
    await browser.logIn(chief.username, chief.password);
    const challenge = browser.cookies.get('challenge') ?? '';
    expect((await giveFactor(browser, code())).status).toBe(200);
    world.clock.advance(minuteMs);
    const other = world.browser();
    other.cookies.set('challenge', challenge);
    expect(codeOf(await giveFactor(other, code()))).toBe('login-over');
  });

  test('ends after five wrong answers, even for the right one', async () => {
    await browser.logIn(chief.username, chief.password);
    for (let count = 0; count < 5; count += 1) {
      expect(codeOf(await giveFactor(browser, { kind: 'code', code: '000000' }))).toBe('wrong-second-factor');
    }
    expect(codeOf(await giveFactor(browser, code()))).toBe('login-over');
  });

  test('is only for that browser', async () => {
    await browser.logIn(chief.username, chief.password);
    const other = world.browser();
    expect(codeOf(await giveFactor(other, code()))).toBe('login-over');
    other.cookies.set('challenge', 'A'.repeat(43));
    expect(codeOf(await giveFactor(other, code()))).toBe('login-over');
  });

  test('ends when someone removes the lost factor: the password is then enough', async () => {
    await browser.logIn(chief.username, chief.password);
    await world.accounts.removeFactors('chief');
    expect(codeOf(await giveFactor(browser, code()))).toBe('login-over');
    expect(await world.audited()).not.toContain('second-factor-refused Chief');
    expect(codeOf(await browser.logIn(chief.username, chief.password))).toBeUndefined();
    expect(await browser.check()).toBe(200);
  });

  test('ends when the password changes', async () => {
    await browser.logIn(chief.username, chief.password);
    await world.accounts.setPassword('chief', 'another-cave');
    await world.accounts.setPassword('chief', chief.password);
    expect(codeOf(await giveFactor(browser, code()))).toBe('login-over');
  });
});

describe('recovery codes', () => {
  test('are ten, made with the first second factor, and stored as hashes like a password', async () => {
    expect(app.recoveryCodes).toHaveLength(10);
    expect(new Set(app.recoveryCodes).size).toBe(10);
    for (const each of app.recoveryCodes ?? [])
      expect(each).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const { rows } = await world.database.pool.query<{ row: string }>('select r::text as row from recovery_codes r');
    expect(rows).toHaveLength(10);
    for (const { row } of rows) expect(row).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    for (const each of app.recoveryCodes ?? []) expect(JSON.stringify(rows)).not.toContain(each.slice(5));
  });

  test('sign in once each, however they are typed, and the log says how many are left', async () => {
    await browser.logIn(chief.username, chief.password);
    const typed = ` ${recovery(3).code.toUpperCase().replaceAll('-', ' ')} `;
    expect((await giveFactor(browser, { kind: 'recovery-code', code: typed })).status).toBe(200);
    const other = world.browser();
    await other.logIn(chief.username, chief.password);
    const again = await giveFactor(other, recovery(3));
    expect([again.status, codeOf(again)]).toEqual([401, 'wrong-second-factor']);
    expect((await giveFactor(other, recovery(4))).status).toBe(200);
    const { rows } = await world.database.pool.query(
      "select after from audit_entries where action = 'recovery-code-used' order by id",
    );
    expect(rows).toEqual([{ after: { left: 9 } }, { after: { left: 8 } }]);
  });

  test.each(['', 'abcd', 'zzzz-zzzz-zzzz-zzzz', 'not a code at all'])('%j is not a recovery code', async (typed) => {
    await browser.logIn(chief.username, chief.password);
    const answer = await giveFactor(browser, { kind: 'recovery-code', code: typed });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'wrong-second-factor']);
  });
});

describe('a copy of the database', () => {
  test('contains no readable secret of an authenticator app', async () => {
    const owner = world.browser();
    await owner.logIn(chief.username, chief.password);
    await giveFactor(owner, code());
    const json = { password: chief.password };
    const begun = await owner.ask('/api/auth/authenticators/begin', { method: 'POST', json });
    const { secret } = (JSON.parse(begun.text) as { data: { secret: string } }).data;
    const { rows } = await world.database.pool.query<{ row: string }>(
      'select c::text as row from factor_challenges c union all select f::text from second_factors f',
    );
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(Secret.fromBase32(secret).hex.toLowerCase());
  });

  test('is useless with another account: a secret is sealed for its owner', async () => {
    const { pool } = world.database;
    await pool.query(`update second_factors set user_id = (select id from users where username = 'guest')`);
    await pool.query(`update users set rights = 'admin' where username = 'guest'`);
    await browser.logIn('guest', 'just-looking');
    expect((await giveFactor(browser, code())).status).toBe(401);
    await pool.query(`update users set rights = null where username = 'guest'`);
  });
});
