import { afterAll, beforeAll, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, startAuthWorld } from '../support/running-auth.ts';

let world: AuthWorld;
let browser: Browser;

beforeAll(async () => {
  world = await startAuthWorld();
  browser = world.browser();
  await browser.logIn(chief.username, chief.password);
});
afterAll(() => world.end());

const calls = [
  ['GET', '/api/auth/check'],
  ['POST', '/api/auth/login'],
  ['POST', '/api/auth/logout'],
  ['GET', '/api/audit'],
] as const;

const answers = () =>
  Promise.all(
    calls.map(async ([method, path]) => {
      const answer = await browser.ask(path, { method, ...(path.endsWith('login') ? { json: chief } : {}) });
      return { path, status: answer.status, code: (JSON.parse(answer.text) as { code?: string }).code };
    }),
  );

const unavailable = calls.map(([, path]) => ({ path, status: 503, code: 'database-unavailable' }));

test('while the database is gone every call is a 503, no one is told that they are signed out, and afterwards all is well', async () => {
  world.line.cut();
  expect(await answers()).toEqual(unavailable);
  expect((await browser.ask('/api/auth/check')).headers['retry-after']).toBe('5');
  await world.line.mend();
  expect(await browser.check()).toBe(200);
});

test('a database that does not answer is a 503 too, within seconds', async () => {
  expect(await browser.check()).toBe(200);
  world.line.silence();
  const startedAt = performance.now();
  const answer = await browser.ask('/api/auth/check');
  expect([answer.status, performance.now() - startedAt < 4_500]).toEqual([503, true]);
  expect((await browser.ask('/api/audit')).status).toBe(503);
  world.line.cut();
  await world.line.mend();
  expect(await browser.check()).toBe(200);
});

test('a browser without a cookie is told that it is not signed in, even without the database', async () => {
  world.line.cut();
  expect(await world.browser().check()).toBe(401);
  await world.line.mend();
});
