import { describe, expect, test } from 'vitest';

import { type CommandScope, menuOf } from '../../src/telegram/commands/command-table.ts';
import { adminsOnlyPress } from '../../src/telegram/cards/chat-texts.ts';
import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { saidIn } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

const { group, telegram, type, press, said, handled, ofBot, setUp, configuration } = telegramGroupScene();

describe('who may do what', () => {
  test('commands are registered with scopes: private chats, groups, group admins', () => {
    const names = Object.fromEntries(
      Object.entries(telegram().commands()).map(([scope, list]) => [scope, list.map(({ command }) => command)]),
    );
    const offered = (scope: CommandScope): string[] => menuOf(scope).map(({ command }) => command);
    expect(names).toEqual({
      'all_private_chats/': offered('private'),
      'all_group_chats/': offered('group'),
      'all_chat_administrators/': offered('group-admins'),
    });
    expect(telegram().descriptions().shortDescription).toMatch(/mints, sales, listings and bids/);
  });

  test.each(['setup 0x2', 'tracking', 'remove', 'test'])(
    '/%s is for group admins: anyone else is told so only once',
    async (command) => {
      const first = type(`/${command}`, group.member);
      await said('for group admins', first);
      type(`/${command}`, group.member);
      type('/remove', group.member);
      await handled();
      expect(ofBot()).toHaveLength(1);
    },
  );

  test.each(['floor', 'summary', 'status', 'start', 'help'])('/%s answers anyone', async (command) => {
    await setUp();
    const id = type(`/${command}`, group.member);
    await said(/./, id);
  });

  test('commands for another bot are ignored', async () => {
    telegram().setBot({ chatId: group.chatId, status: 'administrator' });
    type('/help@another_bot');
    type('/help@sui_rocks_sandbox_bot');
    await said('What I understand');
    await handled();
    expect(ofBot()).toHaveLength(1);
  });

  test('group commands in a private chat are answered with where they belong', async () => {
    telegram().type({ chatId: group.creator, userId: group.creator, text: '/tracking' });
    await saidIn(group.world, group.creator, '/tracking belongs in a group');
  });

  test('/rock is about our own collection, so it answers in private too', async () => {
    telegram().type({ chatId: group.creator, userId: group.creator, text: '/rock 0' });
    await saidIn(group.world, group.creator, 'A rock has a number from 1 to 555');
  });

  test('a press by anyone else changes nothing, and only that person is told', async () => {
    await setUp();
    const menu = await said('What gets posted about', type('/tracking'));
    press(menu, '✅ Bids on', group.member);
    await handled();
    await until('the press is answered', () => telegram().callbackAnswers().length > 0);
    expect(await configuration()).toMatchObject({ track_bids: true });
    expect(telegram().callbackAnswers().at(-1)).toMatchObject({
      showAlert: true,
      text: adminsOnlyPress,
    });
  });

  test('a command whose author cannot be checked during an outage of Telegram is carried out afterwards', async () => {
    const fault = { kind: 'reset', operation: 'getChatAdministrators', times: 2 } as const;
    await group.world.sandbox.faults.set('telegram', fault);
    const commandId = type('/tracking');
    await said('No collection', commandId);
    await handled();
    const answers = ofBot().filter(({ replyToMessageId }) => replyToMessageId === commandId);
    expect(answers.map(({ text }) => text)).toEqual([expect.stringContaining('No collection')]);
  });

  test('while Telegram does not say who is an admin, the bot answers so', async () => {
    await group.world.sandbox.faults.set('telegram', { kind: 'wrong-types', operation: 'getChatAdministrators' });
    await said('Telegram cannot confirm', type('/tracking'));
    await group.world.sandbox.faults.clear('telegram');
    await until('the bot knows the admins again', async () => {
      const askedId = type('/tracking');
      await handled();
      return ofBot().some(
        ({ replyToMessageId, text }) => replyToMessageId === askedId && /No collection/.test(text ?? ''),
      );
    });
  });
});

describe('facts', () => {
  test('/floor and /summary show the figures of the marketplace, /status the last check, /test the latest real sale', async () => {
    await setUp();
    await said(/Sui Rocks: floor [\d.,]+ SUI/i, type('/floor', group.member));
    const summary = await said(/Last 24 hours/, type('/summary', group.member));
    // Events stored before the setup are not part of the group's history.
    expect(summary.text).not.toMatch(/Since/);
    const status = await said(/Last check/, type('/status', group.member));
    expect(status.text).toMatch(/Permissions: messages and photos allowed/);
    expect(status.text).toMatch(/the group itself/);
    await said(/sample: the latest real sale/, type('/test'));
  });
});
