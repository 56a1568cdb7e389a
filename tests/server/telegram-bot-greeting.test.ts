import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { saidIn, startTelegramWorld, type TelegramWorld } from '../support/telegram-world.ts';
import type { TelegramCopy } from '../support/telegram-copy.ts';

let world: TelegramWorld;
let copy: TelegramCopy;

beforeAll(async () => {
  world = await startTelegramWorld();
  copy = await world.activeCopy();
});
afterAll(() => world.end());

describe('the bot says hello', () => {
  test('/start in private explains, and leads to adding the bot to a group', async () => {
    const { telegram } = world.sandbox;
    const { adminId } = telegram.seeded;
    telegram.type({ chatId: adminId, userId: adminId, text: '/start' });
    const said = await saidIn(world, adminId, 'Add me to a group');
    expect(said.replyMarkup).toMatchObject({
      inline_keyboard: [[{ url: 'https://t.me/sui_rocks_sandbox_bot?startgroup=setup' }]],
    });
    expect((await copy.call('GET', '/api/telegram/status')).body.data).toMatchObject({ active: true, state: 'active' });
  });
});
