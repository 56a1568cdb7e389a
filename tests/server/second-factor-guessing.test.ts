import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, startAuthWorld } from '../support/running-auth.ts';
import { addApp, confirm, giveFactor, type SetUpApp } from '../support/second-factors.ts';

const minuteMs = 60_000;
const earlierMarks = 4;
let world: AuthWorld;
let app: SetUpApp;
let owner: Browser;
/** Browsers of someone who has the password and signed in with it while it was enough. */
let thieves: readonly Browser[];

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
  thieves = Array.from({ length: earlierMarks }, (_, count) => world.browser(`203.0.113.${count}`));
  owner = world.browser('198.51.100.1');
  for (const each of [...thieves, owner]) await each.logIn(chief.username, chief.password);
  app = await addApp(owner, chief.password, world.clock.now());
  // The code that proved the app is used up.
  world.clock.advance(minuteMs);
});

const code = () => ({ kind: 'code', code: app.codeAt(world.clock.now()) });
const wrong = { kind: 'code', code: '000000' };

/** Takes both steps; returns the status of the last one taken. */
async function logIn(browser: Browser, proof: object): Promise<number> {
  const { status } = await browser.logIn(chief.username, chief.password);
  return status === 200 ? (await giveFactor(browser, proof)).status : status;
}

describe('guessing with the right password', () => {
  test('from many addresses stops after thirty codes an hour; a known browser continues', async () => {
    const stranger = (number: number) => world.browser(`192.0.2.${100 + number}`);
    for (let count = 0; count < 29; count += 1) expect(await logIn(stranger(count), wrong)).toBe(401);
    // The owner's login with a new browser takes back its own attempt, and none of theirs.
    expect(await logIn(world.browser(), code())).toBe(200);
    world.clock.advance(minuteMs);
    expect([await logIn(stranger(29), wrong), await logIn(stranger(30), code())]).toEqual([401, 429]);
    expect(await logIn(owner, code())).toBe(200);
    expect(String(await world.audited())).toMatch(/^(?!.*refused.*refused)(?=.*factor-refused Chief).*throttled Chief/);
  });

  test('from browsers that signed in before there was a second factor counts as guessing by strangers', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 32; count += 1)
      statuses.push(await logIn(thieves[count % earlierMarks] ?? owner, wrong));
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429]);
    // The browser that added it has also proven it.
    expect(await logIn(owner, code())).toBe(200);
  });

  test('stops after thirty codes an hour in known browsers, too, however many there are', async () => {
    const known = [owner, ...thieves];
    for (const each of known) {
      expect(await logIn(each, code())).toBe(200);
      world.clock.advance(minuteMs);
    }
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push(await logIn(known[count % known.length] ?? owner, wrong));
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
    expect(await logIn(world.browser(), code())).toBe(200);
  });

  test('with wrong codes uses up no password attempts, even under attack at a new address', async () => {
    for (let count = 0; count < 30; count += 1) await world.browser(`10.0.${count}.1`).logIn(chief.username, 'wrong');
    const fresh = world.browser();
    expect((await fresh.logIn(chief.username, 'mistyped')).status).toBe(401);
    expect([await logIn(fresh, wrong), await logIn(fresh, wrong), await logIn(fresh, code())]).toEqual([401, 401, 200]);
  });

  test('a login that passes both steps takes its attempts back', async () => {
    for (let count = 0; count < 12; count += 1) {
      expect(await logIn(world.browser(), code())).toBe(200);
      world.clock.advance(30_000);
    }
  });
});

describe('guessing with a stolen session, without the password', () => {
  /** Has the cookie `session` of the owner's browser, and its cookie `device` too. */
  const thief = () => {
    const browser = world.browser();
    for (const [name, value] of owner.cookies) browser.cookies.set(name, value);
    return browser;
  };

  test('stops after thirty codes an hour, and uses up no code of a login or of another session', async () => {
    const other = world.browser('198.51.100.2');
    expect(await logIn(other, code())).toBe(200);
    world.clock.advance(minuteMs);
    const stolen = thief();
    for (let count = 0; count < 30; count += 1) expect((await confirm(stolen, () => wrong)).status).toBe(403);
    const late = await confirm(stolen, code);
    expect([late.status, JSON.parse(late.text)]).toEqual([
      429,
      { message: 'Too many attempts. Try again in 60 minutes.', code: 'too-many-confirmations' },
    ]);
    expect((await world.audited()).at(-1)).toBe('confirmation-throttled Chief');
    for (const step of [
      () => logIn(world.browser(), code()),
      () => logIn(owner, code()),
      async () => (await confirm(other, code)).status,
    ]) {
      expect(await step()).toBe(200);
      world.clock.advance(minuteMs);
    }
  });

  test('stops after ten passwords, and uses up none of a login, not even of that browser', async () => {
    const stolen = thief();
    const json = { password: 'wrong' };
    const begin = () => stolen.ask('/api/auth/authenticators/begin', { method: 'POST', json });
    for (let count = 0; count < 10; count += 1) expect((await begin()).status).toBe(403);
    expect((await begin()).status).toBe(429);
    expect(await logIn(owner, code())).toBe(200);
  });
});
