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
  admins = createGroupAdmins(api, () => nowMs);
  people = Array.from({ length: 41 }, (_none, index) => telegram().createUser({ firstName: `Moe ${index}` }).id);
  const members = people.map((userId) => ({ userId, ...(userId === people[0] && { status: 'creator' as const }) }));
  ({ id: chatId } = telegram().createChat({ kind: 'supergroup', title: 'Rocks', members }));
  telegram().resetCounters();
});
const promote = (status: 'administrator' | 'member'): void =>
  telegram().setMember({ chatId, userId: another(), status });

test('one question answers for a crowd that comes at once', async () => {
  expect(await Promise.all(people.map((userId) => admins.wasAdmin(chatId, userId, nowMs)))).toEqual(
    people.map((userId) => userId === creator()),
  );
  expect(asked()).toBe(1);
});

test('and four in five seconds for one that comes bit by bit', async () => {
  for (const userId of people) {
    nowMs += 100;
    expect(await admins.isAdmin(chatId, userId)).toBe(userId === creator());
  }
  expect(asked()).toBe(4);
  expect(admins.roleOf(chatId, creator())).toBe('admin');
  expect(admins.roleOf(chatId, another())).toBe('member');
});

test('somebody promoted may act as soon as they try, although the list was asked for a moment before', async () => {
  expect(await admins.isAdmin(chatId, creator())).toBe(true);
  promote('administrator');
  expect(await admins.isAdmin(chatId, another())).toBe(true);
});

test('of somebody demoted where Telegram does not tell, a decision knows at once, every other change after 5 s, and who goes first after five minutes', async () => {
  promote('administrator');
  expect(await admins.isAdmin(chatId, another())).toBe(true);
  promote('member');
  nowMs += 4_900;
  expect(await admins.isAdmin(chatId, another())).toBe(true);
  nowMs += 4.5 * 60_000;
  expect(admins.roleOf(chatId, another())).toBe('admin');
  nowMs += 31_000;
  expect(admins.roleOf(chatId, another())).toBe('unknown');
  expect(await admins.isAdmin(chatId, another())).toBe(false);
  promote('administrator');
  nowMs += 30_001;
  expect(await admins.isAdmin(chatId, another())).toBe(true);
  promote('member');
  expect(await admins.isAdmin(chatId, another(), true)).toBe(false);
});

test('in a crowd, too, nobody changes anything by an answer older than 5 s', async () => {
  promote('administrator');
  expect(await admins.isAdmin(chatId, another())).toBe(true);
  promote('member');
  for (const userId of people.slice(2, 8)) expect(await admins.isAdmin(chatId, userId)).toBe(false);
  nowMs += 5_001;
  for (const userId of people.slice(8, 30)) void admins.isAdmin(chatId, userId);
  expect(await admins.isAdmin(chatId, another())).toBe(false);
});

test.each([
  ['does not say', 'malformed'],
  ['says what cannot be read', 'wrong-types'],
] as const)('while Telegram %s, nobody knows, and it is not asked without end', async (_how, kind) => {
  await sandbox.faults.set('telegram', { kind, operation: 'getChatAdministrators' });
  for (const userId of people) expect(await admins.isAdmin(chatId, userId)).toBe(null);
  await sandbox.faults.clear('telegram');
  expect(asked()).toBeLessThanOrEqual(4);
  expect(admins.roleOf(chatId, another())).toBe('unknown');
  nowMs += 1_001;
  expect(await admins.isAdmin(chatId, creator())).toBe(true);
});
