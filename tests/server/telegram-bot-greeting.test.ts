import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { handled, saidIn, startTelegramWorld, type TelegramWorld } from '../support/telegram-world.ts';
import type { TelegramCopy } from '../support/telegram-copy.ts';

let world: TelegramWorld;
let copy: TelegramCopy;

beforeAll(async () => {
  world = await startTelegramWorld();
  copy = await world.activeCopy();
});
afterAll(() => world.end());

describe('the bot says hello', () => {
  test('/start in private explains the bot and leads to adding it to a group', async () => {
    const { telegram } = world.sandbox;
    const { adminId } = telegram.seeded;
    telegram.type({ chatId: adminId, userId: adminId, text: '/start' });
    const said = await saidIn(world, adminId, 'Add me to a group');
    expect(said.replyMarkup).toMatchObject({
      inline_keyboard: [[{ url: 'https://t.me/sui_rocks_sandbox_bot?startgroup' }]],
    });
    expect((await copy.call('GET', '/api/telegram/status')).body.data).toMatchObject({ active: true, state: 'active' });
  });

  test('unknown words in private are answered with a pointer to /help, a flood of them five times', async () => {
    const { telegram } = world.sandbox;
    const { id } = telegram.createUser({ firstName: 'Moe' });
    const say = (text: string): number => telegram.type({ chatId: id, userId: id, text }).messageId;
    await saidIn(world, id, 'I do not know this command. Send /help', say('/dance'));
    await saidIn(world, id, 'I understand commands only. Send /help', say('hello'));
    for (let index = 0; index < 20; index += 1) say(`hello ${index}`);
    await handled(world);
    expect(telegram.history(id).filter(({ from }) => from.is_bot)).toHaveLength(5);
    await saidIn(world, id, 'What I understand', say('/help'));
    const kept = 'select 1 from telegram_inbox where chat_id = $1 and update is not null';
    expect(await world.database.rows(kept, [id])).toEqual([]);
  });

  test('an unknown command in a group gets that pointer once if it names the bot, and never if it may be for another bot', async () => {
    const { telegram } = world.sandbox;
    const { id: userId } = telegram.createUser({ firstName: 'Moe' });
    const { id: chatId } = telegram.createChat({
      kind: 'supergroup',
      title: 'Rocks',
      members: [{ userId }],
      bot: 'administrator',
    });
    const say = (text: string): number => telegram.type({ chatId, userId, text }).messageId;
    for (const text of ['/dance', '/dance@another_bot', 'hello']) say(text);
    await saidIn(world, chatId, 'I do not know this command.', say('/dance@Sui_Rocks_Sandbox_Bot'));
    say('/sing@sui_rocks_sandbox_bot');
    await handled(world);
    expect(telegram.history(chatId).filter(({ from, service }) => from.is_bot && service === null)).toHaveLength(1);
  });
});
