import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createBotApi } from '../../src/telegram/send/bot-api.ts';
import { createGroupAdmins, type GroupAdmins } from '../../src/telegram/bot/group-admins.ts';

/** Who is an admin is asked of Telegram, seldom, and believed for 5 s (rulings R4). */
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
const isAdmin = (personId: number, speaker: 'person' | 'other' = 'person') =>
  admins.isAdmin({ chatId, personId, speaker });
const promote = (status: 'administrator' | 'member'): void =>
  telegram().setMember({ chatId, userId: another(), status });

test('one question answers for a crowd, whether it comes at once or bit by bit', async () => {
  expect(await Promise.all(people.map((userId) => isAdmin(userId)))).toEqual(
    people.map((userId) => userId === creator()),
  );
  for (const userId of people) {
    nowMs += 100;
    expect(await isAdmin(userId)).toBe(userId === creator());
  }
  expect(asked()).toBe(1);
});

test('a promotion or a demotion counts after 5 s, though Telegram does not tell of it', async () => {
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

test('who writes on behalf of another chat is no admin, and is not asked about', async () => {
  expect(await isAdmin(creator(), 'other')).toBe(false);
  expect(asked()).toBe(0);
});

test('while what Telegram says cannot be read, nobody knows, and it is asked once in 5 s', async () => {
  await sandbox.faults.set('telegram', { kind: 'wrong-types', operation: 'getChatAdministrators' });
  for (const userId of people) expect(await isAdmin(userId)).toBe(null);
  await sandbox.faults.clear('telegram');
  expect(asked()).toBeLessThanOrEqual(1);
  nowMs += 5_001;
  expect(await isAdmin(creator())).toBe(true);
});

test.each(['reset', 'malformed', '500'] as const)(
  'while Telegram is gone (%s) that is said, and the next one asks at once',
  async (kind) => {
    await sandbox.faults.set('telegram', { kind, operation: 'getChatAdministrators', times: 1 });
    await expect(isAdmin(creator())).rejects.toThrow('getChatAdministrators');
    expect(await isAdmin(creator())).toBe(true);
  },
);
