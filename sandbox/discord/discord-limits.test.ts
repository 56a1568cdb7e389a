import { REST } from 'discord.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { discordCaller } from './discord-caller.ts';
import { createRestLimits } from './rest-limits.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof discordCaller>;
beforeAll(async () => {
  sandbox = await startSandbox();
  call = discordCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  sandbox.discord.reset();
  sandbox.discord.setLimits(null);
});

const times = <T>(count: number, run: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => run(index));
const rolePath = (index: number): string => {
  const { guildId, memberIds, roles } = sandbox.discord.seeded;
  return `/guilds/${guildId}/members/${memberIds[index % 6]}/roles/${roles.holder}`;
};

test('an answer says how much of its bucket is left and when it resets', async () => {
  const { headers } = await call('PUT', rolePath(0));
  expect(headers.get('x-ratelimit-limit')).toBe('10');
  expect(headers.get('x-ratelimit-remaining')).toBe('9');
  expect(Number(headers.get('x-ratelimit-reset-after'))).toBeGreaterThan(9);
  expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 + 8);
  expect(headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/);
});

test('giving and taking roles share ten calls in ten seconds per server; the eleventh is refused', async () => {
  const { low } = sandbox.discord.seeded;
  for (const index of times(10, (each) => each)) {
    expect((await call(index % 2 ? 'DELETE' : 'PUT', rolePath(index))).status).toBe(204);
  }
  const { status, headers, body } = await call('PUT', rolePath(0));
  expect(status).toBe(429);
  expect(body).toMatchObject({ message: 'You are being rate limited.', global: false });
  expect(Number(body['retry_after'])).toBeGreaterThan(5);
  expect(headers.get('x-ratelimit-scope')).toBe('user');
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(body['retry_after']));
  const elsewhere = await call('PUT', `/guilds/${low.guildId}/members/1/roles/1`);
  expect(elsewhere.status).toBe(404);
  expect(sandbox.discord.counters()).toMatchObject({ overLimit: { global: 0, bucket: 1 }, statuses: { 429: 1 } });
});

test('all calls share fifty per second; interaction callbacks are not counted', async () => {
  sandbox.discord.setLimits({ othersPerSecond: 1000, globalPerSecond: 5 });
  const answers = await Promise.all(times(6, () => call('GET', '/users/@me')));
  const refused = answers.find(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(refused?.body).toMatchObject({ global: true });
  expect(refused?.headers.get('x-ratelimit-global')).toBe('true');
  expect(refused?.headers.get('x-ratelimit-scope')).toBe('global');
  const callback = await call('POST', '/interactions/1/x/callback', { body: { type: 5 }, token: null });
  expect(callback.body['code']).toBe(10062);
});

test("exceeding the global limit refuses all the bot's calls for the stated time, but no callbacks", async () => {
  sandbox.discord.limitGlobally({ milliseconds: 400 });
  const { status, headers, body } = await call('PUT', rolePath(0));
  expect([status, body['global'], headers.get('x-ratelimit-global')]).toEqual([429, true, 'true']);
  expect(Number(body['retry_after'])).toBeGreaterThan(0.1);
  expect((await call('GET', '/users/@me')).status).toBe(429);
  expect((await call('POST', '/interactions/1/x/callback', { body: { type: 5 }, token: null })).body['code']).toBe(
    10062,
  );
  await until('the limit has ended', async () => (await call('GET', '/users/@me')).status === 200);
  expect(sandbox.discord.roleChanges()).toEqual([]);
});

test('with limits off, nothing is refused and no limit headers are sent', async () => {
  sandbox.discord.setLimits({ enforced: false });
  const answers = await Promise.all(times(60, () => call('PUT', rolePath(0))));
  expect(answers.every(({ status }) => status === 204)).toBe(true);
  expect(answers[0]?.headers.get('x-ratelimit-limit')).toBeNull();
  expect(sandbox.discord.counters()).toMatchObject({
    routes: { 'PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}': 60 },
    overLimit: { global: 0, bucket: 0 },
  });
});

test("discord.js's own queue stays within the limits", async () => {
  const rest = new REST({ api: `${sandbox.urls.discord}/api` }).setToken(sandbox.facts.discordBotToken);
  const { guildId, memberIds } = sandbox.discord.seeded;
  await Promise.all(times(25, (index) => rest.get(`/guilds/${guildId}/members/${memberIds[index % 6]}`)));
  expect(sandbox.discord.counters()).toMatchObject({ overLimit: { global: 0, bucket: 0 }, statuses: {} });
});

test('ten thousand refusals in ten minutes ban the address, with an answer that is not JSON', async () => {
  let nowMs = 0;
  const limits = createRestLimits(() => nowMs);
  for (const _ of times(9999, () => null)) limits.countInvalid();
  nowMs = 599_999;
  limits.countInvalid();
  expect(limits.invalidRequests()).toBe(10_000);
  nowMs = 600_000;
  expect(limits.invalidRequests()).toBe(1);
  sandbox.discord.setLimits({ invalidPer10Minutes: 2 });
  for (const status of [401, 401, 429]) expect((await call('GET', '/users/@me', { token: 'x' })).status).toBe(status);
  expect((await call('GET', '/users/@me')).body).toEqual({ text: 'error code: 1015' });
});
