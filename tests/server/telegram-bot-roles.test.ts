import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  configurationOf,
  handled,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
} from '../support/telegram-world.ts';

let world: TelegramWorld;
let creator: number;
let member: number;
let chatId: number;

const telegram = () => world.sandbox.telegram;
const type = (text: string, userId = creator): number => telegram().type({ chatId, userId, text }).messageId;
const said = (words: RegExp | string, afterId = 0) => saidIn(world, chatId, words, afterId);
const press = (messageId: number, button: string, userId = creator) =>
  telegram().press({ chatId, messageId, userId, button });
const ofBot = () =>
  telegram()
    .history(chatId)
    .filter(({ from, service }) => from.is_bot && service === null && from.id === telegram().bot.id);
const setUp = (id = chatId) => setUpGroup(world, id, world.sandbox.facts.collectionType, creator);

beforeAll(async () => {
  world = await startTelegramWorld();
  await world.activeCopy();
  creator = telegram().createUser({ firstName: 'Cleo', username: 'cleo' }).id;
  member = telegram().createUser({ firstName: 'Moe' }).id;
});
afterAll(() => world.end());
beforeEach(() => {
  const members = [{ userId: creator, status: 'creator' as const }, { userId: member }];
  chatId = telegram().createChat({ kind: 'supergroup', title: 'Rock Group', members }).id;
});

describe('who may do what', () => {
  test('commands are registered with scopes: private chats, groups, group admins', () => {
    const names = Object.fromEntries(
      Object.entries(telegram().commands()).map(([scope, list]) => [scope, list.map(({ command }) => command)]),
    );
    const anyone = ['start', 'help', 'floor', 'summary', 'status'];
    expect(names).toEqual({
      'all_private_chats/': ['start', 'help'],
      'all_group_chats/': anyone,
      'all_chat_administrators/': [...anyone, 'setup', 'tracking', 'test', 'remove'],
    });
    expect(telegram().descriptions().shortDescription).toMatch(/mints, sales, listings and bids/);
  });

  test.each(['setup 0x2', 'tracking', 'remove', 'test'])(
    '/%s is for group admins: anybody else is told so once, then not again',
    async (command) => {
      const first = type(`/${command}`, member);
      await said('for group admins', first);
      type(`/${command}`, member);
      type('/remove', member);
      await handled(world);
      expect(ofBot()).toHaveLength(1);
    },
  );

  test.each(['floor', 'summary', 'status', 'start', 'help'])('/%s answers anyone', async (command) => {
    await setUp();
    const id = type(`/${command}`, member);
    await said(/./, id);
  });

  test('commands for another bot are ignored', async () => {
    telegram().setBot({ chatId, status: 'administrator' });
    type('/help@another_bot');
    type('/help@sui_rocks_sandbox_bot');
    await said('What I understand');
    await handled(world);
    expect(ofBot()).toHaveLength(1);
  });

  test('in a private chat group commands say where they belong', async () => {
    telegram().type({ chatId: creator, userId: creator, text: '/tracking' });
    await saidIn(world, creator, '/tracking belongs in a group');
  });

  test('somebody promoted may act at once, somebody demoted no more, where Telegram tells of it', async () => {
    telegram().setBot({ chatId, status: 'administrator' });
    await setUp();
    type('/tracking', member);
    await said('for group admins');
    telegram().setMember({ chatId, userId: member, status: 'administrator' });
    await handled(world);
    const menu = await said('What this group is told', type('/tracking', member));
    telegram().setMember({ chatId, userId: member, status: 'member' });
    await handled(world);
    press(menu.messageId, '✅ Bids on', member);
    await handled(world);
    expect(await configurationOf(world, chatId)).toMatchObject({ track_bids: true });
    expect(telegram().callbackAnswers().at(-1)).toMatchObject({
      showAlert: true,
      text: 'Only group admins can change this.',
    });
  });

  test('where the bot may not ask about one member, the list of admins decides', async () => {
    await world.sandbox.faults.set('telegram', { kind: 'malformed', operation: 'getChatMember', times: 1 });
    await said('Telegram does not say', type('/tracking'));
    await said('No collection is configured', type('/tracking'));
  });
});

describe('facts', () => {
  test('/floor and /summary say what the marketplace says; /status how it fares; /test posts the latest real sale', async () => {
    await setUp();
    await said(/Sui Rocks: floor [\d.,]+ SUI/i, type('/floor', member));
    const summary = await said(/Last 24 hours/, type('/summary', member));
    // What was stored before the group was set up is none of its history.
    expect(summary.text).not.toMatch(/Since/);
    const status = await said(/Last check/, type('/status', member));
    expect(status.text).toMatch(/Permissions: messages and photos allowed/);
    expect(status.text).toMatch(/the group itself/);
    await said(/sample: the latest real sale/, type('/test'));
  });
});
