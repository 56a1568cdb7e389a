import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, guest, startAuthWorld } from '../support/running-auth.ts';

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

const json = (text: string): unknown => JSON.parse(text);

describe('specification 7: the auth calls', () => {
  test('POST /api/auth/login returns the user, and so does the check from then on', async () => {
    const answer = await browser.logIn(chief.username, chief.password);
    expect([answer.status, json(answer.text)]).toEqual([
      200,
      { user: { username: 'Chief', isAdmin: true, rights: 'admin' } },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const check = await browser.ask('/api/auth/check');
    expect([check.status, json(check.text)]).toEqual([
      200,
      { user: { username: 'Chief', isAdmin: true, rights: 'admin' } },
    ]);
    expect(await world.audited()).toEqual(['logged-in Chief']);
  });

  test('a user without isAdmin can sign in too', async () => {
    const { status, text } = await browser.logIn(guest.username, guest.password);
    expect([status, json(text)]).toEqual([200, { user: { username: 'guest', isAdmin: false } }]);
  });

  test('GET /api/auth/check answers 401 with a user of null when no one is signed in, and is never cached', async () => {
    const { status, text, headers } = await browser.ask('/api/auth/check');
    expect([status, json(text)]).toEqual([401, { user: null, message: 'You are not signed in.' }]);
    await browser.logIn(chief.username, chief.password);
    const signedIn = await browser.ask('/api/auth/check');
    for (const answer of [headers, signedIn.headers]) expect(answer['cache-control']).toBe('no-store');
    expect(signedIn.headers.etag).toBeUndefined();
  });

  test('POST /api/auth/logout ends the session, also for a copy of its cookie, and is harmless twice', async () => {
    await browser.logIn(chief.username, chief.password);
    const thief = world.browser('198.51.100.1');
    thief.cookies.set('session', browser.cookies.get('session') ?? '');
    expect(await thief.check()).toBe(200);
    const answer = await browser.ask('/api/auth/logout', { method: 'POST' });
    expect([answer.status, json(answer.text)]).toEqual([200, { user: null }]);
    expect(browser.cookies.has('session')).toBe(false);
    expect([await browser.check(), await thief.check()]).toEqual([401, 401]);
    expect((await browser.ask('/api/auth/logout', { method: 'POST' })).status).toBe(200);
    expect(await world.audited()).toEqual(['logged-in Chief', 'logged-out Chief']);
  });

  test('names are the same in any case and width; passwords are not', async () => {
    for (const name of ['chief', 'CHIEF', ' ｃｈｉｅｆ ']) {
      expect([name, (await browser.logIn(name, chief.password)).status]).toEqual([name, 200]);
    }
    expect((await browser.logIn('chief', chief.password.toUpperCase())).status).toBe(401);
  });
});

describe('a login that is refused', () => {
  const refusalOf = async (body: unknown): Promise<readonly [number, string]> => {
    const { status, text } = await browser.ask('/api/auth/login', { method: 'POST', json: body });
    return [status, (json(text) as { message: string }).message];
  };

  test.each([
    [{ username: 'x', password: 'cave' }, 'Username must be at least 2 characters.'],
    [{ username: '', password: '' }, 'Username must be at least 2 characters.'],
    [{ username: 'ogg', password: 'abc' }, 'Password must be at least 4 characters.'],
    [{ username: 'x'.repeat(65), password: 'cave' }, 'Username must be at most 64 characters.'],
    [{ username: 'ogg', password: 'x'.repeat(201) }, 'Password must be at most 200 characters.'],
    [{ username: 'ogg', password: 'cave', remember: true }, 'The field "remember" of the body is not known.'],
    [{ username: 'ogg' }, 'The field "password" of the body is not valid: a text is expected.'],
    [{ username: 7, password: 'cave' }, 'The field "username" of the body is not valid: a text is expected.'],
    [{ username: ['ogg'], password: {} }, 'The field "username" of the body is not valid: a text is expected.'],
    [[], 'The body is not valid: an object is expected.'],
  ])('%j is a 400: %s', async (body, message) => {
    expect(await refusalOf(body)).toEqual([400, message]);
  });

  test('an oversized body is a 413, and one that is not JSON a 400', async () => {
    expect((await refusalOf({ username: 'ogg', password: 'x'.repeat(70_000) }))[0]).toBe(413);
    const headers = { 'content-type': 'application/json' };
    const broken = await browser.ask('/api/auth/login', { method: 'POST', body: '{"username"', headers });
    expect(broken.status).toBe(400);
  });

  test('a wrong name and a wrong password get the very same answer', async () => {
    const wrongName = await browser.logIn('nobody', chief.password);
    const wrongPassword = await browser.logIn('chief', 'painting');
    expect([wrongName.status, wrongName.text]).toEqual([wrongPassword.status, wrongPassword.text]);
    expect(json(wrongName.text)).toEqual({
      message: 'The username or the password is wrong.',
      code: 'wrong-credentials',
    });
    const shown = ({ headers: { date: _date, 'x-request-id': _id, ...rest } }: typeof wrongName) => rest;
    expect(shown(wrongName)).toEqual(shown(wrongPassword));
  });

  test('a wrong name takes as long as a wrong password', async () => {
    const took: Record<'name' | 'password', number[]> = { name: [], password: [] };
    // In turns, so that other load on the machine affects both.
    for (let round = 0; round < 12; round += 1) {
      const attempts = { name: `nobody${round}`, password: 'chief' } as const;
      for (const kind of ['name', 'password'] as const) {
        const startedAt = performance.now();
        expect((await world.browser(`203.0.113.${round}`).logIn(attempts[kind], 'wrong')).status).toBe(401);
        took[kind].push(performance.now() - startedAt);
      }
    }
    // A busy machine can only add to the time, so the quickest of each are compared.
    const [name, password] = [Math.min(...took.name), Math.min(...took.password)];
    // Without the dummy hash a wrong name would be answered many times as fast.
    expect(name).toBeGreaterThan(password / 2);
    expect(name).toBeLessThan(password * 2);
  });

  test('a name with impossible characters finds no account', async () => {
    for (const username of ['a\0b', 'chief\0', '\ud800\ud800', "' or 1=1 --", '%%']) {
      expect([username, (await browser.logIn(username, chief.password)).status]).toEqual([username, 401]);
    }
  });

  test('a foreign Origin is refused before anything else is checked', async () => {
    for (const path of ['/api/auth/login', '/api/auth/logout']) {
      const headers = { origin: 'https://evil.example' };
      const { status } = await browser.ask(path, { method: 'POST', json: chief, headers });
      expect([path, status]).toEqual([path, 403]);
    }
    expect(browser.cookies.size).toBe(0);
  });
});
