import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createBotApi } from '../../src/telegram/send/bot-api.ts';
import { createGroupAdmins, type GroupAdmins } from '../../src/telegram/bot/group-admins.ts';

/** Telegram is asked who is an admin; its answer counts for 5 s (rulings R4). */
let sandbox: Sandbox;
let admins: GroupAdmins;
let nowMs: number;
let chatId: number;
let people: readonly number[];
const telegram = () => sandbox.telegram;
const creator = (): number => people[0]!;
const another = (): number => people[1]!;
const asked = (): number => telegram().counters().methods['getChatAdministrators'] ?? 0;

beforeAll(async () => void (sandbox = await startSandbox({ telegramLimits: false })));
afterAll(() => sandbox.stop());
beforeEach(() => {
  const { api } = createBotApi({ token: sandbox.facts.telegramBotToken, apiUrl: sandbox.urls.telegram });
  nowMs = 1_000_000;
  admins = createGroupAdmins(api, { now: () => new Date(nowMs) });
  people = Array.from({ length: 41 }, (_none, index) => telegram().createUser({ firstName: `Moe ${index}` }).id);
  const members = people.map((userId) => ({ userId, ...(userId === people[0] && { status: 'creator' as const }) }));
  ({ id: chatId } = telegram().createChat({ kind: 'supergroup', title: 'Rocks', members }));
  telegram().resetCounters();
});
const isAdmin = (personId: number, author: 'person' | 'other' = 'person') =>
  admins.isAdmin({ chatId, personId, author });
const promote = (status: 'administrator' | 'member'): void =>
  telegram().setMember({ chatId, userId: another(), status });

test('one request serves a crowd, whether its people write at once or one after the other', async () => {
  expect(await Promise.all(people.map((userId) => isAdmin(userId)))).toEqual(
    people.map((userId) => userId === creator()),
  );
  for (const userId of people) {
    nowMs += 100;
    expect(await isAdmin(userId)).toBe(userId === creator());
  }
  expect(asked()).toBe(1);
});

test('a promotion or a demotion counts after 5 s, though Telegram does not report it', async () => {
  expect(await isAdmin(another())).toBe(false);
  for (const [status, isOne] of [
    ['administrator', true],
    ['member', false],
  ] as const) {
    promote(status);
    nowMs += 4_900;
    expect(await isAdmin(another())).toBe(!isOne);
    nowMs += 101;
    expect(await isAdmin(another())).toBe(isOne);
  }
});

test('a person who writes on behalf of another chat is not an admin, and Telegram is not asked', async () => {
  expect(await isAdmin(creator(), 'other')).toBe(false);
  expect(asked()).toBe(0);
});

test('while the answer of Telegram cannot be read, it is unknown who is an admin, and Telegram is asked once a second', async () => {
  await sandbox.faults.set('telegram', { kind: 'wrong-types', operation: 'getChatAdministrators' });
  for (const userId of people) expect(await isAdmin(userId)).toBe(null);
  await sandbox.faults.clear('telegram');
  expect(asked()).toBeLessThanOrEqual(1);
  nowMs += 1_001;
  expect(await isAdmin(creator())).toBe(true);
});

test.each(['reset', 'malformed', '500'] as const)(
  'while Telegram is away (%s) the check fails, and the next one asks at once',
  async (kind) => {
    await sandbox.faults.set('telegram', { kind, operation: 'getChatAdministrators', times: 1 });
    await expect(isAdmin(creator())).rejects.toThrow('getChatAdministrators');
    expect(await isAdmin(creator())).toBe(true);
  },
);
