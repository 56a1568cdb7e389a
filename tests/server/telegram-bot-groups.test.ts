import { describe, expect, test } from 'vitest';

import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { configurationOf, saidIn } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

const { group, telegram, rocks, type, said, handled, ofBot, setUp, configuration, chatRow, watched } =
  telegramGroupScene();

/** Stores a removal of the bot that many days from now. */
const gone = async (days: string): Promise<void> => {
  const { database } = group.world;
  await database.rows(
    `update telegram_chats set removed_at = clock_timestamp() ${days} * interval '1 day', bot_status = 'kicked' where chat_id = $1`,
    [group.chatId],
  );
  await database.rows('delete from collection_watches where watcher = $1', [String((await configuration())?.['id'])]);
};

describe('life in groups', () => {
  test('a group that adds the bot is welcomed once', async () => {
    telegram().setBot({ chatId: group.chatId, status: 'kicked' });
    await handled();
    telegram().setBot({ chatId: group.chatId, status: 'member' });
    await said('/setup with the collection address');
    telegram().setBot({ chatId: group.chatId, status: 'administrator' });
    await handled();
    expect(ofBot().filter(({ text }) => text?.includes('Hello') === true)).toHaveLength(1);
  });

  test('a kicked bot keeps the configuration for 30 days, stops reading for it, and says that it is back when it is added again', async () => {
    const id = await setUp();
    telegram().setBot({ chatId: group.chatId, status: 'kicked' });
    await until('the removal is stored', async () => (await chatRow())?.['removed_at'] !== null);
    expect(await watched()).not.toContain(id);
    expect((await configuration())?.['id']).toBe(id);
    const [listed] = (
      (await group.copy.call('GET', '/api/telegram/configs')).body.data as {
        id: string;
        chatState: string;
        purgeAt: string;
      }[]
    ).filter((each) => each.id === id);
    expect(listed?.chatState).toBe('removed');
    expect(Math.round((Date.parse(listed?.purgeAt ?? '') - Date.now()) / 86_400_000)).toBe(30);
    telegram().setBot({ chatId: group.chatId, status: 'member' });
    await said('I am back, and the configuration is as it was: Sui Rocks');
    expect(await watched()).toContain(id);
    expect(await chatRow()).toMatchObject({ removed_at: null, bot_status: 'member' });
  });

  test('a bot that is added again says that it is back, even if Telegram does not accept the message at first', async () => {
    await setUp();
    telegram().setBot({ chatId: group.chatId, status: 'kicked' });
    await until('the removal is stored', async () => (await chatRow())?.['removed_at'] !== null);
    await group.world.sandbox.faults.set('telegram', { kind: '500', operation: 'sendMessage', times: 1 });
    telegram().setBot({ chatId: group.chatId, status: 'member' });
    await said('I am back, and the configuration is as it was: Sui Rocks');
  });

  test.each(['/floor', '/help'])(
    'a return that was never reported, as Telegram keeps updates for a day, is noticed by %s, and the bot says that it is back',
    async (command) => {
      const id = await setUp();
      await gone('- 2');
      const asked = type(command);
      await said('I am back, and the configuration is as it was: Sui Rocks', asked);
      await until('the collection is watched again', async () => (await watched()).includes(id));
      expect(await chatRow()).toMatchObject({ removed_at: null, bot_status: 'member' });
    },
  );

  test('a command from before the removal of the bot restores nothing, however late it is read', async () => {
    const id = await setUp();
    await gone('+ 1');
    await said('floor', type('/floor'));
    expect((await chatRow())?.['removed_at']).not.toBeNull();
    expect(await watched()).not.toContain(id);
  });

  test('a return after 30 days is a new start', async () => {
    await setUp();
    telegram().setBot({ chatId: group.chatId, status: 'left' });
    await until('the removal is stored', async () => (await chatRow())?.['removed_at'] !== null);
    await group.world.database.rows(
      "update telegram_chats set removed_at = clock_timestamp() - interval '31 days' where chat_id = $1",
      [group.chatId],
    );
    const before = telegram().history(group.chatId).at(-1)?.messageId ?? 0;
    telegram().setBot({ chatId: group.chatId, status: 'member' });
    await said('/setup with the collection address', before);
    expect(await configuration()).toBeUndefined();
  });

  test.each([false, true])(
    'a group that becomes a supergroup keeps its configuration (also reported as leaving and joining: %s)',
    async (tellsMembership) => {
      const members = [{ userId: group.creator, status: 'creator' as const }];
      const { id: chatId } = telegram().createChat({ kind: 'group', title: 'Small', members });
      const id = await setUp(chatId);
      const setUpAt = (await configurationOf(group.world, chatId))?.['followed_since'];
      const { id: newId } = telegram().migrateGroup({ chatId, tellsMembership });
      await until(
        'the configuration has moved',
        async () => (await configurationOf(group.world, newId))?.['id'] === id,
      );
      await handled();
      expect(await configurationOf(group.world, newId)).toMatchObject({ followed_since: setUpAt });
      expect(await configurationOf(group.world, chatId)).toBeUndefined();
      expect(await chatRow(newId)).toMatchObject({ kind: 'supergroup', removed_at: null });
      expect(await watched()).toContain(id);
      expect(
        telegram()
          .history(newId)
          .some(({ text }) => text?.includes('Hello') === true),
      ).toBe(false);
      const menu = telegram().type({ chatId: newId, userId: group.creator, text: '/tracking' }).messageId;
      await saidIn(group.world, newId, 'What gets posted about Sui Rocks', menu);
    },
  );

  test('a supergroup that has the title of another group is welcomed like any other', async () => {
    const members = [{ userId: group.creator, status: 'creator' as const }];
    const { id: namesake } = telegram().createChat({ kind: 'group', title: 'Test', members });
    await saidIn(
      group.world,
      namesake,
      'floor',
      telegram().type({ chatId: namesake, userId: group.creator, text: '/help' }).messageId,
    );
    const { id: chatId } = telegram().createChat({ kind: 'supergroup', title: 'Test', members, bot: 'left' });
    telegram().setBot({ chatId, status: 'member' });
    await saidIn(group.world, chatId, '/setup with the collection address');
  });

  test.each([
    ['Telegram reports that they are given back', () => telegram().setBot({ chatId: group.chatId, status: 'member' })],
    [
      'an answer of the bot has arrived: the end of a mute that was for some time is not reported',
      () => {
        const { members } = telegram().chat(group.chatId);
        Object.assign(members.get(telegram().bot.id)!, { status: 'member', permissions: {} });
        type('/status');
      },
    ],
  ])('restricted rights are stored and shown in the dashboard until %s', async (_what, end) => {
    await setUp();
    telegram().setBot({
      chatId: group.chatId,
      status: 'restricted',
      permissions: { can_send_messages: false, can_send_photos: false },
    });
    await until('the restriction is stored', async () => (await chatRow())?.['can_send_messages'] === false);
    const state = async () =>
      (
        (await group.copy.call('GET', '/api/telegram/configs')).body.data as { chatId: string; chatState: string }[]
      ).find((each) => each.chatId === String(group.chatId))?.chatState;
    expect(await state()).toBe('trouble');
    end();
    await until('the right is stored again', async () => (await chatRow())?.['can_send_messages'] === true);
    expect(await state()).toBe('ok');
  });

  test.each([
    ['/test', () => type('/test')],
    [
      "the dashboard's test",
      async () => group.copy.call('POST', `/api/telegram/configs/${String((await configuration())?.['id'])}/send-test`),
    ],
  ])('after %s, cards come with pictures again, though no sale with a picture is known', async (_what, send) => {
    await setUp();
    await group.world.database.rows("update activity_events set kind = 'bid' where kind = 'sale'");
    await group.world.database.rows('update telegram_chats set can_send_photos = false');
    await send();
    await said('No sale of Sui Rocks is known yet');
    await said('messages and photos allowed', type('/status'));
  });

  test('a new title is stored', async () => {
    await setUp();
    telegram().postService({ chatId: group.chatId, userId: group.creator, service: { new_chat_title: 'Boulders' } });
    type('/start');
    await handled();
    expect((await chatRow())?.['title']).toBe(telegram().chat(group.chatId).title);
  });

  test('changes by Telegram are logged: removed, returned, migrated', async () => {
    const members = [{ userId: group.creator, status: 'creator' as const }];
    const { id: chatId } = telegram().createChat({ kind: 'group', title: 'Logged', members });
    await setUp(chatId);
    telegram().setBot({ chatId, status: 'kicked' });
    await handled();
    telegram().setBot({ chatId, status: 'member' });
    await handled();
    const { id: newId } = telegram().migrateGroup({ chatId });
    await until('the configuration has moved', async () => (await configurationOf(group.world, newId)) !== undefined);
    await handled();
    expect((await group.world.audited()).slice(-3)).toEqual([
      { action: 'telegram-bot-removed', actor: 'Telegram', before: { bot: 'member' }, after: { bot: 'kicked' } },
      { action: 'telegram-bot-returned', actor: 'Telegram', before: { bot: 'kicked' }, after: { bot: 'member' } },
      {
        action: 'telegram-chat-migrated',
        actor: 'Telegram',
        before: { chatId: String(chatId) },
        after: { chatId: String(newId) },
      },
    ]);
  });

  test('a failure of ours is reported to the chat once, and the log names the update, never the token', async () => {
    await group.world.database.rows('alter table telegram_setups rename to telegram_setups_away');
    try {
      await said('it is my fault', type(`/setup ${rocks()}`));
    } finally {
      await group.world.database.rows('alter table telegram_setups_away rename to telegram_setups');
    }
    await handled();
    expect(ofBot()).toHaveLength(1);
    expect(group.world.log()).toMatch(/"updateId":\d+/);
    expect(group.world.log()).not.toContain(group.world.sandbox.facts.telegramBotToken);
  });

  test('foreign text is shown as text: a title or a name adds no markup and no link', async () => {
    const sneaky = telegram().createUser({ firstName: '<b>Eve</b>', username: 'eve_x' }).id;
    telegram().setMember({ chatId: group.chatId, userId: sneaky, status: 'administrator' });
    const answer = await said(
      'That is not a contract address.',
      type('/setup <a href="https://evil.example">x</a>', sneaky),
    );
    expect(answer.text).not.toContain('evil.example');
  });
});
