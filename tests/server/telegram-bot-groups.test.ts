import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  configurationOf,
  handled,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
  watchers,
} from '../support/telegram-world.ts';
import type { TelegramCopy } from '../support/telegram-copy.ts';
import { until } from '../support/until.ts';

let world: TelegramWorld;
let copy: TelegramCopy;
let creator: number;
let member: number;
let chatId: number;

const telegram = () => world.sandbox.telegram;
const type = (text: string, userId = creator): number => telegram().type({ chatId, userId, text }).messageId;
const said = (words: RegExp | string, afterId = 0) => saidIn(world, chatId, words, afterId);
const ofBot = () =>
  telegram()
    .history(chatId)
    .filter(({ from, service }) => from.is_bot && service === null && from.id === telegram().bot.id);
const chatRow = async (id = chatId): Promise<Record<string, unknown> | undefined> =>
  (await world.database.pool.query<Record<string, unknown>>('select * from telegram_chats where chat_id = $1', [id]))
    .rows[0];
const setUp = (id = chatId) => setUpGroup(world, id, world.sandbox.facts.collectionType, creator);

beforeAll(async () => {
  world = await startTelegramWorld();
  copy = await world.activeCopy();
  creator = telegram().createUser({ firstName: 'Cleo', username: 'cleo' }).id;
  member = telegram().createUser({ firstName: 'Moe' }).id;
});
afterAll(() => world.end());
beforeEach(() => {
  const members = [{ userId: creator, status: 'creator' as const }, { userId: member }];
  chatId = telegram().createChat({ kind: 'supergroup', title: 'Rock Group', members }).id;
});

describe('life in groups', () => {
  test('a group that adds the bot is welcomed once', async () => {
    telegram().setBot({ chatId, status: 'kicked' });
    await handled(world);
    telegram().setBot({ chatId, status: 'member' });
    await said('/setup with the collection address');
    telegram().setBot({ chatId, status: 'administrator' });
    await handled(world);
    expect(ofBot().filter(({ text }) => text?.includes('Hello') === true)).toHaveLength(1);
  });

  test('a kicked bot keeps the configuration for 30 days, stops reading for it, and is back with a word when it is added again', async () => {
    const id = await setUp();
    telegram().setBot({ chatId, status: 'kicked' });
    await until('it is known', async () => (await chatRow())?.['removed_at'] !== null);
    expect(await watchers(world)).not.toContain(id);
    expect((await configurationOf(world, chatId))?.['id']).toBe(id);
    const [listed] = (
      (await copy.call('GET', '/api/telegram/configs')).body.data as {
        id: string;
        chatState: string;
        purgeAt: string;
      }[]
    ).filter((each) => each.id === id);
    expect(listed?.chatState).toBe('removed');
    expect(Math.round((Date.parse(listed?.purgeAt ?? '') - Date.now()) / 86_400_000)).toBe(30);
    telegram().setBot({ chatId, status: 'member' });
    await said('I am back, and so is the configuration: Sui Rocks');
    expect(await watchers(world)).toContain(id);
    expect(await chatRow()).toMatchObject({ removed_at: null, bot_status: 'member' });
  });

  test('after 30 days it is a new beginning', async () => {
    await setUp();
    telegram().setBot({ chatId, status: 'left' });
    await until('it is known', async () => (await chatRow())?.['removed_at'] !== null);
    await world.database.pool.query(
      "update telegram_chats set removed_at = clock_timestamp() - interval '31 days' where chat_id = $1",
      [chatId],
    );
    const before = telegram().history(chatId).at(-1)?.messageId ?? 0;
    telegram().setBot({ chatId, status: 'member' });
    await said('/setup with the collection address', before);
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test.each([false, true])(
    'a group that becomes a supergroup takes its configuration along (told as leaving and joining, too: %s)',
    async (tellsMembership) => {
      chatId = telegram().createChat({
        kind: 'group',
        title: 'Small',
        members: [{ userId: creator, status: 'creator' }],
      }).id;
      const id = await setUp();
      const { id: newId } = telegram().migrateGroup({ chatId, tellsMembership });
      await until('it moved', async () => (await configurationOf(world, newId))?.['id'] === id);
      await handled(world);
      expect(await configurationOf(world, chatId)).toBeUndefined();
      expect(await chatRow(newId)).toMatchObject({ kind: 'supergroup', removed_at: null });
      expect(await watchers(world)).toContain(id);
      expect(
        telegram()
          .history(newId)
          .some(({ text }) => text?.includes('Hello') === true),
      ).toBe(false);
      const menu = telegram().type({ chatId: newId, userId: creator, text: '/tracking' }).messageId;
      await saidIn(world, newId, 'What this group is told of Sui Rocks', menu);
    },
  );

  test('narrowed rights are kept, shown in the dashboard, and cured when they come back', async () => {
    await setUp();
    telegram().setBot({
      chatId,
      status: 'restricted',
      permissions: { can_send_messages: false, can_send_photos: false },
    });
    await until('it is known', async () => (await chatRow())?.['can_send_messages'] === false);
    const state = async () =>
      ((await copy.call('GET', '/api/telegram/configs')).body.data as { chatId: string; chatState: string }[]).find(
        (each) => each.chatId === String(chatId),
      )?.chatState;
    expect(await state()).toBe('trouble');
    telegram().setBot({ chatId, status: 'member' });
    await until('it is cured', async () => (await chatRow())?.['can_send_messages'] === true);
    expect(await state()).toBe('ok');
  });

  test('a new title is kept', async () => {
    await setUp();
    telegram().postService({ chatId, userId: creator, service: { new_chat_title: 'Boulders' } });
    type('/start');
    await handled(world);
    expect((await chatRow())?.['title']).toBe(telegram().chat(chatId).title);
  });

  test('a closed topic is trouble until it is opened again', async () => {
    const { forumId, topics, adminId } = telegram().seeded;
    const { messageId } = telegram().type({
      chatId: forumId,
      userId: adminId,
      threadId: topics.sales,
      text: `/setup ${world.sandbox.facts.collectionType}`,
    });
    const asked = await saidIn(world, forumId, 'maximum supply', messageId);
    telegram().press({ chatId: forumId, messageId: asked.messageId, userId: adminId, button: 'Use 555' });
    await handled(world);
    telegram().setTopic({ chatId: forumId, threadId: topics.sales, isClosed: true });
    await until(
      'it is known',
      async () => (await chatRow(forumId))?.['trouble'] === 'The topic to which notifications go is closed',
    );
    telegram().setTopic({ chatId: forumId, threadId: topics.sales, isClosed: false });
    await until('it is over', async () => (await chatRow(forumId))?.['trouble'] === null);
  });

  test('a fault here is told to the chat once, and the log names the update, never the token', async () => {
    await world.database.pool.query('alter table telegram_setups rename to telegram_setups_away');
    try {
      await said('the fault is mine', type(`/setup ${world.sandbox.facts.collectionType}`));
    } finally {
      await world.database.pool.query('alter table telegram_setups_away rename to telegram_setups');
    }
    await handled(world);
    expect(ofBot()).toHaveLength(1);
    expect(world.log()).toMatch(/"updateId":\d+/);
    expect(world.log()).not.toContain(world.sandbox.facts.telegramBotToken);
  });

  test('foreign text is shown as text: a title or a name makes no markup and no link', async () => {
    const sneaky = telegram().createUser({ firstName: '<b>Eve</b>', username: 'eve_x' }).id;
    telegram().setMember({ chatId, userId: sneaky, status: 'administrator' });
    const answer = await said('no Sui contract address', type('/setup <a href="https://evil.example">x</a>', sneaky));
    expect(answer.text).not.toContain('evil.example');
  });
});
