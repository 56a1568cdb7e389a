import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  handled,
  minuteUsed,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
} from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

/** Questions of a group are answered within Telegram's limits, which the sandbox enforces to the millisecond. */
let world: TelegramWorld;
let creator: number;
let members: readonly number[];
let chatId: number;
beforeEach(async () => {
  world = await startTelegramWorld({ telegramLimits: true });
  creator = telegram().createUser({ firstName: 'Cleo' }).id;
  members = Array.from({ length: 9 }, (_none, index) => telegram().createUser({ firstName: `Moe ${index}` }).id);
  await world.activeCopy();
  const people = [{ userId: creator, status: 'creator' as const }, ...members.map((userId) => ({ userId }))];
  chatId = telegram().createChat({ kind: 'supergroup', title: 'Rock Group', members: people }).id;
});
afterEach(() => world.end());

const telegram = () => world.sandbox.telegram;
const type = (text: string, userId: number): number => telegram().type({ chatId, userId, text }).messageId;
const isAnswered = (askedId: number): boolean =>
  telegram()
    .history(chatId)
    .some(({ from, replyToMessageId }) => from.is_bot && replyToMessageId === askedId);
const answered = (askedId: number, deadlineMs = 5_000) =>
  until(`message ${askedId} is answered`, () => isAnswered(askedId), deadlineMs);
const noneRefused = (): void => expect(telegram().counters().refusals).toEqual({});
const sql = (text: string) => world.database.pool.query(text, [chatId]);
describe('the limit of one message a second in a chat', () => {
  test.each([100, 400])('is kept when the answer to the first takes %i ms', async (delayMs) => {
    await world.sandbox.faults.set('telegram', { kind: 'slow', operation: 'sendMessage', times: 1, delayMs });
    const asked = [type('/help', members[0]!), type('/start', members[1]!), type('/tracking', creator)];
    for (const each of asked) await answered(each);
    noneRefused();
  });

  test('is kept by the cards that come after a slow answer, and they wait no longer', async () => {
    await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
    await world.sandbox.faults.set('telegram', { kind: 'slow', operation: 'sendMessage', times: 1, delayMs: 1_500 });
    const asked = type('/help', members[0]!);
    const [minted] = world.sandbox.world.burst({ collection: 'rocks', kind: 'mint', count: 1 });
    await saidIn(world, chatId, `#${minted!.number}`, asked, 5_000);
    expect(isAnswered(asked)).toBe(true);
    noneRefused();
  });
});

describe('the limit per minute of a group', () => {
  test('leaves room for a first setup: everything is answered, a repeated question too', async () => {
    const asked: number[] = [];
    const ask = async (text: string): Promise<void> => {
      const id = type(text, creator);
      asked.push(id);
      await answered(id);
    };
    await ask('/start');
    await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
    for (const text of ['/tracking', '/floor', '/floor', '/summary', '/status', '/help', '/tracking', '/help']) {
      await ask(text);
    }
    const sample = type('/test', creator);
    await saidIn(world, chatId, 'the latest real sale', sample);
    noneRefused();
  }, 60_000);

  test("leaves room for a newcomer's five commands while no cards wait, and then for another member's command", async () => {
    await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
    const facts = ['/floor', '/summary', '/status', '/help', '/start'];
    for (const text of facts) await answered(type(text, members[0]!));
    await minuteUsed(world, chatId, { replies: 6 });
    await answered(type('/tracking', members[8]!));
  });

  test('is not used up by cards: an admin is answered at once, though a card waits for its turn', async () => {
    await answered(type('/help', members[0]!));
    await minuteUsed(world, chatId, { replies: 0, cards: 18, cardWaits: true });
    await answered(type('/tracking', creator));
  });
});

describe('a chat in which the bot may not write', () => {
  test('has its trouble stored and gets no apology; the next message that arrives ends the trouble', async () => {
    await answered(type('/help', creator));
    telegram().setPermissions({ chatId, permissions: { can_send_messages: false } });
    for (const text of ['/start', '/floor', '/tracking']) {
      type(text, creator);
      await handled(world);
    }
    const trouble = async (): Promise<unknown> =>
      (await sql('select trouble from telegram_chats where chat_id = $1')).rows[0]?.['trouble'];
    expect(await trouble()).toContain('not enough rights');
    expect(telegram().counters().refusals).toEqual({ '400': 3 });
    expect(world.log()).not.toContain('could not be handled');
    telegram().setPermissions({ chatId, permissions: { can_send_messages: true } });
    await answered(type('/setup', creator));
    await until('the trouble is over', async () => (await trouble()) === null);
  });

  test('gets no apology either if Telegram no longer knows it', async () => {
    await answered(type('/help', creator));
    await world.sandbox.faults.set('telegram', { kind: 'slow', operation: 'getChatMember', times: 1, delayMs: 300 });
    type('/tracking', creator);
    telegram().deleteChat({ chatId });
    await handled(world);
    expect(world.log()).not.toContain('could not be handled');
  });
});

test('a person who blocked the bot, and writes to it again, is answered', async () => {
  const person = members[0]!;
  const help = () => telegram().type({ chatId: person, userId: person, text: '/help' }).messageId;
  const isHelped = (askedId: number) => () =>
    telegram()
      .history(person)
      .some(({ from, messageId }) => from.is_bot && messageId > askedId);
  await until('the person is answered', isHelped(help()), 5_000);
  const asked = help();
  telegram().setBlocked({ userId: person, isBlocked: true });
  await handled(world);
  expect(isHelped(asked)()).toBe(false);
  telegram().setBlocked({ userId: person, isBlocked: false });
  await until('the person is answered again', isHelped(help()), 5_000);
});
