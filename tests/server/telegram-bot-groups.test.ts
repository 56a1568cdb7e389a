import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  buttonsOf,
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
const press = (messageId: number, button: string, userId = creator) =>
  telegram().press({ chatId, messageId, userId, button });
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

describe('/tracking', () => {
  test('shows four toggles and switches each by its button, with a log entry', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    expect(buttonsOf(menu).slice(0, 4)).toEqual(['✅ Mints on', '✅ Sales on', '✅ Listings on', '✅ Bids on']);
    for (const button of ['✅ Mints on', '✅ Sales on', '✅ Listings on', '✅ Bids on']) {
      press(menu.messageId, button);
      await handled(world);
    }
    expect(await configurationOf(world, chatId)).toMatchObject({
      ...{ track_mint: false, track_sales: false, track_listings: false, track_bids: false },
      version: 5,
    });
    expect((await world.audited()).at(-1)).toMatchObject({
      action: 'telegram-tracking-changed',
      actor: '@cleo',
      before: { trackBids: true },
      after: { trackBids: false },
    });
  });

  test('a press that comes again changes nothing and is not logged again', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    press(menu.messageId, '✅ Bids on');
    press(menu.messageId, '✅ Bids on');
    await handled(world);
    expect(await configurationOf(world, chatId)).toMatchObject({ track_bids: false, version: 2 });
  });

  test('sets minimum price, floor listings, quiet hours, time zone and the daily recap', async () => {
    await setUp();
    const menu = await said('What this group is told', type('/tracking'));
    const choose = async (open: RegExp, choice: (options: readonly string[]) => string): Promise<void> => {
      const current = () =>
        telegram()
          .history(chatId)
          .find(({ messageId }) => messageId === menu.messageId)!;
      press(
        menu.messageId,
        buttonsOf(current()).find((text) => open.test(text))!,
      );
      await handled(world);
      press(menu.messageId, choice(buttonsOf(current())));
      await handled(world);
      const back = buttonsOf(current()).find((text) => /back/i.test(text));
      if (back !== undefined) press(menu.messageId, back);
      await handled(world);
    };
    press(menu.messageId, 'Only listings at the floor: off');
    await handled(world);
    await choose(/^Minimum price/, (options) => options.find((text) => /SUI/.test(text))!);
    await choose(/^Quiet hours/, (options) => options.find((text) => /\d\d:\d\d/.test(text))!);
    await choose(/^Daily recap/, (options) => options.find((text) => /\d\d:\d\d/.test(text))!);
    await choose(/^Time zone/, (options) => options.find((text) => /\+1 h/.test(text))!);
    const stored = await configurationOf(world, chatId);
    expect(stored).toMatchObject({ listings_at_floor_only: true, utc_offset_minutes: 60 });
    for (const column of ['min_price_mist', 'quiet_from_minute', 'quiet_to_minute', 'recap_minute']) {
      expect(stored?.[column], column).not.toBeNull();
    }
  });

  test('without a configuration says how to begin', async () => {
    await said('No collection is configured here yet', type('/tracking'));
  });
});

describe('/remove', () => {
  test('asks first; keeping changes nothing', async () => {
    const id = await setUp();
    const asked = await said('Stop telling this group', type('/remove'));
    press(asked.messageId, 'Keep it');
    await handled(world);
    expect((await configurationOf(world, chatId))?.['id']).toBe(id);
  });

  test('ends the tracking; what waited is dropped, and it can be restored for 30 days', async () => {
    const id = await setUp();
    await world.database.pool.query(
      `insert into telegram_messages (chat_id, configuration_id, kind, content, state, claimed_until)
       values ($1, $2, 'card', '{"html":"late","imageUrl":null,"buttons":[],"isSilent":false}', 'pending', null)`,
      [chatId, id],
    );
    const asked = await said('Stop telling this group', type('/remove'));
    press(asked.messageId, 'Stop tracking');
    await until('it is removed', async () => (await configurationOf(world, chatId)) === undefined);
    await handled(world);
    expect(await watchers(world)).not.toContain(id);
    expect((await world.audited()).at(-1)).toMatchObject({ action: 'telegram-configuration-removed', actor: '@cleo' });
    const { rows } = await world.database.pool.query(
      'select state from telegram_messages where configuration_id = $1',
      [id],
    );
    expect(rows).toEqual([{ state: 'dropped' }]);
    expect((await copy.call('POST', `/api/telegram/configs/${id}/restore`)).status).toBe(200);
    expect((await configurationOf(world, chatId))?.['id']).toBe(id);
  });
});

describe('facts', () => {
  test('/floor and /summary say what the marketplace says; /status how it fares; /test posts the latest real sale', async () => {
    await setUp();
    await said(/Sui Rocks: floor [\d.,]+ SUI/i, type('/floor', member));
    await said(/Last 24 hours/, type('/summary', member));
    const status = await said(/Last check/, type('/status', member));
    expect(status.text).toMatch(/Permissions: messages and photos allowed/);
    expect(status.text).toMatch(/the group itself/);
    await said(/sample: the latest real sale/, type('/test'));
  });
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
