import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  configurationOf,
  saidIn,
  setUpGroup,
  startTelegramWorld,
  type TelegramWorld,
  watchers,
} from '../support/telegram-world.ts';

let world: TelegramWorld;
let creator: number;
let member: number;
let chatId: number;

const telegram = () => world.sandbox.telegram;
const setup = (text: string, userId = creator): number =>
  telegram().type({ chatId, userId, text: `/setup ${text}` }).messageId;
const said = (words: RegExp | string, afterId = 0) => saidIn(world, chatId, words, afterId);
const press = (messageId: number, button: string, userId = creator) =>
  telegram().press({ chatId, messageId, userId, button });
const typeOf = (key: string): string => world.sandbox.world.state.collections.get(key)?.nftType ?? '';

beforeAll(async () => {
  world = await startTelegramWorld();
  await world.activeCopy();
  creator = telegram().createUser({ firstName: 'Cleo', username: 'cleo' }).id;
  member = telegram().createUser({ firstName: 'Moe' }).id;
});
afterAll(() => world.end());
beforeEach(() => {
  const members = [{ userId: creator, status: 'creator' as const }, { userId: member }];
  chatId = telegram().createChat({ kind: 'supergroup', title: 'Rocks & <Friends>', members }).id;
});

/** 'Enter another', and a second setup of what the group follows already. */
describe('/setup: another maximum supply', () => {
  test('after a refused number a reply to the first question counts as well', async () => {
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    press(asked.messageId, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    const wrong = telegram().type({ chatId, userId: creator, text: '0', replyToMessageId: prompt.messageId });
    await said('nothing to mint', wrong.messageId);
    telegram().type({ chatId, userId: creator, text: '1 000', replyToMessageId: prompt.messageId });
    await said('maximum supply 1,000', wrong.messageId);
    expect(await configurationOf(world, chatId)).toMatchObject({ max_supply: '1000' });
  });

  test('a number that comes after ten minutes, or for an older setup, is told that the setup has expired', async () => {
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    press(asked.messageId, 'Enter another');
    const older = await said('Reply to this message', asked.messageId);
    await world.database.pool.query(
      "update telegram_setups set expires_at = clock_timestamp() - interval '1 second' where chat_id = $1",
      [chatId],
    );
    const late = telegram().type({ chatId, userId: creator, text: '700', replyToMessageId: older.messageId });
    await said('This setup has expired', late.messageId);
    const newer = await said('Lava Lizards', setup(typeOf('lava-lizards')));
    press(newer.messageId, 'Enter another');
    await said('Reply to this message', newer.messageId);
    const again = telegram().type({ chatId, userId: creator, text: '700', replyToMessageId: older.messageId });
    await said('This setup has expired', again.messageId);
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('of the same collection asks for the maximum supply alone, and corrects it in place', async () => {
    const id = await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
    await said(
      'This group follows Sui Rocks. Group admins',
      telegram().type({ chatId, userId: member, text: '/start' }).messageId,
    );
    const asked = await said('follows Sui Rocks already', setup(world.sandbox.facts.collectionType));
    expect(asked.text).not.toContain('Replace');
    press(asked.messageId, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    telegram().type({ chatId, userId: creator, text: '700', replyToMessageId: prompt.messageId });
    await said('This group follows Sui Rocks, maximum supply 700', prompt.messageId);
    const { rows } = await world.database.pool.query(
      'select id, max_supply, version from telegram_configurations where chat_id = $1',
      [chatId],
    );
    expect(rows).toEqual([{ id, max_supply: '700', version: 2 }]);
    expect((await world.audited()).at(-1)).toMatchObject({
      action: 'telegram-max-supply-changed',
      before: { maxSupply: 555 },
      after: { maxSupply: 700 },
    });
    expect(await watchers(world)).toContain(id);
  });
});
