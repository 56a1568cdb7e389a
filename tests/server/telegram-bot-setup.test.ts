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
import { until } from '../support/until.ts';

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

describe('/setup by a group admin', () => {
  test('shows name, picture and supply, and asks to confirm the maximum supply', async () => {
    const asked = await said('Sui Rocks', setup(world.sandbox.facts.collectionType));
    expect(asked.photo).not.toBeNull();
    expect(asked.text).toContain('Is the maximum supply 555?');
    expect(buttonsOf(asked)).toEqual(['Use 555', 'Enter another', 'Cancel']);
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('stores the configuration with all four toggles on, its watch and its log entry at once, after the confirmation', async () => {
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    press(asked.messageId, 'Use 555');
    await until('it is stored', async () => (await configurationOf(world, chatId)) !== undefined);
    const stored = await configurationOf(world, chatId);
    expect(stored).toMatchObject({
      collection_id: world.sandbox.facts.collectionType,
      collection_name: 'Sui Rocks',
      max_supply: '555',
      track_mint: true,
      track_sales: true,
      track_listings: true,
      track_bids: true,
      version: 1,
    });
    expect(Number(stored?.['minted_count'])).toBeGreaterThan(0);
    expect(await watchers(world)).toContain(stored?.['id']);
    await handled(world);
    const rewritten = telegram()
      .history(chatId)
      .find(({ messageId }) => messageId === asked.messageId);
    expect(rewritten?.text).toContain('now follows Sui Rocks, maximum supply 555');
    expect(buttonsOf(rewritten!)).toEqual([]);
    const entry = (await world.audited()).at(-1);
    expect(entry).toMatchObject({
      action: 'telegram-configuration-created',
      actor: `Telegram user ${creator}`,
      before: null,
    });
    expect(entry?.after).toMatchObject({ maxSupply: 555, trackBids: true });
    expect(Object.values(entry?.after ?? {})).not.toContain(null);
  });

  test('takes a marketplace link, and keeps what it leads to', async () => {
    const asked = await said('Lava Lizards', setup('https://www.tradeport.xyz/sui/collection/lava-lizards'));
    press(asked.messageId, buttonsOf(asked)[0]!);
    await until('it is stored', async () => (await configurationOf(world, chatId)) !== undefined);
    expect((await configurationOf(world, chatId))?.['collection_id']).toBe(typeOf('lava-lizards'));
  });

  test("'Enter another' asks the one who began for a reply, refuses what is no supply and takes the number", async () => {
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    press(asked.messageId, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    expect(prompt.otherMarkup).toEqual({ force_reply: true, selective: true });
    const another = telegram().createUser({ firstName: 'Ann' }).id;
    telegram().setMember({ chatId, userId: another, status: 'administrator' });
    telegram().type({ chatId, userId: another, text: '700', replyToMessageId: prompt.messageId });
    await said('Whoever began this setup answers it', prompt.messageId);
    expect(await configurationOf(world, chatId)).toBeUndefined();
    const wrong = telegram().type({ chatId, userId: creator, text: 'many', replyToMessageId: prompt.messageId });
    const again = await said('not a number', wrong.messageId);
    telegram().type({ chatId, userId: creator, text: '600', replyToMessageId: again.messageId });
    await said('maximum supply 600', again.messageId);
    expect(await configurationOf(world, chatId)).toMatchObject({ max_supply: '600' });
  });

  test.each([
    ['nothing', '', 'Send /setup followed by the collection contract address'],
    ['an address of another chain', '0x52908400098527886E0F7030069857D2E4169EE7', 'another chain'],
    ['an unknown address', `0x${'9'.repeat(64)}::none::None`, 'Neither the marketplace nor Sui know this address'],
    ['words', 'my favourite rocks', 'no Sui contract address'],
    ['a coin', '0x2::sui::SUI', 'coin, not an NFT collection'],
  ])('with %s answers a sentence that says what to send instead, and stores nothing', async (_what, text, sentence) => {
    await said(sentence, setup(text));
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('refuses a collection that nobody has vouched for', async () => {
    await said('not verified', setup(typeOf('prime-boulders')));
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('says so when the marketplace is down, and changes nothing', async () => {
    await world.sandbox.faults.set('market', { kind: '503' });
    try {
      await said('marketplace does not answer', setup(world.sandbox.facts.collectionType));
    } finally {
      await world.sandbox.faults.clear('market');
    }
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('a second one asks before it replaces: keep changes nothing, replace ends the first', async () => {
    const first = await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
    const kept = await said('Replace it with Lava Lizards', setup(typeOf('lava-lizards')));
    expect(buttonsOf(kept)).toEqual(['Replace', 'Keep the present one']);
    press(kept.messageId, 'Keep the present one');
    await handled(world);
    expect((await configurationOf(world, chatId))?.['id']).toBe(first);

    const asked = await said('Replace it with', setup(typeOf('lava-lizards')));
    press(asked.messageId, 'Replace');
    const supply = await said('maximum supply', asked.messageId);
    expect((await configurationOf(world, chatId))?.['id']).toBe(first);
    press(supply.messageId, buttonsOf(supply)[0]!);
    await until('it is replaced', async () => (await configurationOf(world, chatId))?.['id'] !== first);
    const second = await configurationOf(world, chatId);
    expect(second?.['collection_name']).toBe('Lava Lizards');
    const watched = await watchers(world);
    expect(watched).toContain(second?.['id']);
    expect(watched).not.toContain(first);
    expect((await world.audited()).at(-1)).toMatchObject({ action: 'telegram-configuration-replaced' });
  });

  test('a confirmation that comes twice sets up once and is not told that it failed', async () => {
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    press(asked.messageId, 'Use 555');
    press(asked.messageId, 'Use 555');
    await handled(world);
    const { rows } = await world.database.pool.query('select 1 from telegram_configurations where chat_id = $1', [
      chatId,
    ]);
    expect(rows).toHaveLength(1);
    expect(telegram().history(chatId).at(-1)?.text).toContain('now follows Sui Rocks');
  });

  test('expires after ten minutes', async () => {
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    await handled(world);
    const { rows } = await world.database.pool.query<{ minutes: number }>(
      'select round(extract(epoch from expires_at - clock_timestamp()) / 60)::int as minutes from telegram_setups where chat_id = $1',
      [chatId],
    );
    expect(rows).toEqual([{ minutes: 10 }]);
    await world.database.pool.query(
      "update telegram_setups set expires_at = clock_timestamp() - interval '1 second' where chat_id = $1",
      [chatId],
    );
    press(asked.messageId, 'Use 555');
    await said('This setup has expired');
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('an older question cannot end or confirm a newer setup', async () => {
    const older = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    const newer = await said('Lava Lizards', setup(typeOf('lava-lizards')));
    await handled(world);
    press(older.messageId, 'Use 555');
    await handled(world);
    expect(await configurationOf(world, chatId)).toBeUndefined();
    press(newer.messageId, buttonsOf(newer)[0]!);
    await until('it is stored', async () => (await configurationOf(world, chatId)) !== undefined);
    expect((await configurationOf(world, chatId))?.['collection_name']).toBe('Lava Lizards');
  });

  test('an admin who loses the rights midway is refused, at the button and at the reply', async () => {
    const second = telegram().createUser({ firstName: 'Dee' }).id;
    telegram().setMember({ chatId, userId: second, status: 'administrator' });
    const asked = await said('maximum supply', setup(world.sandbox.facts.collectionType, second));
    press(asked.messageId, 'Enter another', second);
    const prompt = await said('Reply to this message', asked.messageId);
    telegram().setMember({ chatId, userId: second, status: 'member' });
    telegram().type({ chatId, userId: second, text: '600', replyToMessageId: prompt.messageId });
    await said('for group admins', prompt.messageId);
    expect(await configurationOf(world, chatId)).toBeUndefined();

    const pressed = await said('maximum supply', setup(world.sandbox.facts.collectionType));
    press(pressed.messageId, 'Use 555', second);
    await handled(world);
    expect(telegram().callbackAnswers().at(-1)).toMatchObject({ userId: second, showAlert: true });
    expect(await configurationOf(world, chatId)).toBeUndefined();
  });

  test('pins the topic in which it was run', async () => {
    const { forumId, topics, adminId } = telegram().seeded;
    const { messageId } = telegram().type({
      chatId: forumId,
      userId: adminId,
      threadId: topics.sales,
      text: `/setup ${world.sandbox.facts.collectionType}`,
    });
    const asked = await saidIn(world, forumId, 'maximum supply', messageId);
    expect(asked.threadId).toBe(topics.sales);
    telegram().press({ chatId: forumId, messageId: asked.messageId, userId: adminId, button: 'Use 555' });
    await saidIn(world, forumId, 'come to this topic');
    const { rows } = await world.database.pool.query('select topic_id from telegram_chats where chat_id = $1', [
      forumId,
    ]);
    expect(rows).toEqual([{ topic_id: String(topics.sales) }]);
  });
});

describe('anonymous admins', () => {
  test('set up a group, known by the group itself being the sender', async () => {
    const otto = telegram().createUser({ firstName: 'Otto' }).id;
    telegram().setMember({ chatId, userId: otto, status: 'administrator', isAnonymous: true });
    const { messageId } = telegram().type({
      chatId,
      as: 'anonymous-admin',
      text: `/setup ${world.sandbox.facts.collectionType}`,
    });
    const asked = await said('maximum supply', messageId);
    press(asked.messageId, 'Enter another', otto);
    const prompt = await said('Reply to this message', asked.messageId);
    telegram().type({ chatId, as: 'anonymous-admin', text: '555', replyToMessageId: prompt.messageId });
    await said('now follows', prompt.messageId);
    expect((await world.audited()).at(-1)).toMatchObject({ actor: 'Anonymous admin' });
  });

  test.each(['foreign-anonymous', 'channel'] as const)(
    "a message on behalf of another chat (%s) is no admin's",
    async (as) => {
      const { channelId } = telegram().seeded;
      const { messageId } = telegram().type({
        chatId,
        as,
        senderChatId: channelId,
        text: `/setup ${world.sandbox.facts.collectionType}`,
      });
      await said('for group admins', messageId);
      await handled(world);
      expect(
        telegram()
          .history(chatId)
          .some(({ text }) => text?.includes('maximum supply') === true),
      ).toBe(false);
    },
  );
});
