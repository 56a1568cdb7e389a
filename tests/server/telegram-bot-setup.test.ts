import { describe, expect, test } from 'vitest';

import { adminsOnlyPress } from '../../src/telegram/cards/chat-texts.ts';
import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { buttonsOf, saidIn } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

const {
  group,
  telegram,
  rocks,
  typeOf,
  reply,
  press,
  said,
  handled,
  shown,
  setup,
  setUp,
  setUpInTopic,
  configuration,
  stored,
  watched,
  lastEntry,
} = telegramGroupScene('Rocks & <Friends>');

describe('/setup by a group admin', () => {
  test('shows name, picture and supply, and asks to confirm the maximum supply', async () => {
    const asked = await said('Sui Rocks', setup(rocks()));
    expect(asked.photo).not.toBeNull();
    expect(asked.text).toContain('Is the maximum supply 555?');
    expect(buttonsOf(asked)).toEqual(['Use 555', 'Enter another', 'Cancel']);
    expect(await configuration()).toBeUndefined();
  });

  test('stores the configuration with all four toggles on, its watch and its log entry at once, after the confirmation', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Use 555');
    const row = await stored();
    expect(row).toMatchObject({
      collection_id: rocks(),
      collection_name: 'Sui Rocks',
      max_supply: '555',
      track_mint: true,
      track_sales: true,
      track_listings: true,
      track_bids: true,
      version: 1,
    });
    expect(Number(row['minted_count'])).toBeGreaterThan(0);
    expect(await watched()).toContain(row['id']);
    await handled();
    const rewritten = shown(asked);
    expect(rewritten.text).toContain('now follows Sui Rocks, maximum supply 555');
    expect(buttonsOf(rewritten)).toEqual([]);
    const entry = await lastEntry();
    expect(entry).toMatchObject({
      action: 'telegram-configuration-created',
      actor: `Telegram user ${group.creator}`,
      before: null,
    });
    expect(entry?.after).toMatchObject({ maxSupply: 555, Bids: 'on' });
    expect(Object.values(entry?.after ?? {})).not.toContain(null);
  });

  test('takes a marketplace link and stores the collection it leads to', async () => {
    const asked = await said('Lava Lizards', setup('https://www.tradeport.xyz/sui/collection/lava-lizards'));
    press(asked, buttonsOf(asked)[0]!);
    expect((await stored())['collection_id']).toBe(typeOf('lava-lizards'));
  });

  test("'Enter another' asks for a reply, refuses anything but a supply and takes the number, from any admin", async () => {
    const another = telegram().createUser({ firstName: 'Ann' }).id;
    telegram().setMember({ chatId: group.chatId, userId: another, status: 'administrator' });
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    expect(prompt.otherMarkup).toEqual({ force_reply: true, selective: true });
    const wrong = reply(prompt, 'many');
    const again = await said('not a whole number', wrong);
    const tooFew = await said('minted already', reply(again, '40'));
    reply(tooFew, '600', another);
    await said('maximum supply 600', tooFew.messageId);
    expect(await configuration()).toMatchObject({ max_supply: '600' });
  });

  test.each([
    ['nothing', '', 'Send /setup followed by the collection contract address'],
    ['an address of another chain', '0x52908400098527886E0F7030069857D2E4169EE7', 'another chain'],
    ['an unknown address', `0x${'9'.repeat(64)}::none::None`, 'Neither the marketplace nor Sui knows this address'],
    ['words', 'my favourite rocks', 'That is not a contract address.'],
    ['a coin', '0x2::sui::SUI', 'coin, not an NFT collection'],
  ])('with %s answers with what to send instead, and stores nothing', async (_what, text, sentence) => {
    await said(sentence, setup(text));
    expect(await configuration()).toBeUndefined();
  });

  test('refuses a collection that is not verified', async () => {
    await said('not verified', setup(typeOf('prime-boulders')));
    expect(await configuration()).toBeUndefined();
  });

  test('says so when the marketplace is down, and changes nothing', async () => {
    await group.world.sandbox.faults.set('market', { kind: '503' });
    try {
      await said('is not answering right now', setup(rocks()));
    } finally {
      await group.world.sandbox.faults.clear('market');
    }
    expect(await configuration()).toBeUndefined();
  });

  test('a second /setup asks before it replaces: keeping changes nothing, replacing ends the first', async () => {
    const first = await setUp();
    const kept = await said('Replace it with Lava Lizards', setup(typeOf('lava-lizards')));
    expect(buttonsOf(kept)).toEqual([
      expect.stringMatching(/^Replace, use \d/),
      'Replace, enter another',
      'Keep the current one',
    ]);
    press(kept, 'Keep the current one');
    await handled();
    expect((await configuration())?.['id']).toBe(first);

    const asked = await said('Replace it with', setup(typeOf('lava-lizards')));
    expect((await configuration())?.['id']).toBe(first);
    press(asked, buttonsOf(asked)[0]!);
    await until('the configuration is replaced', async () => (await configuration())?.['id'] !== first);
    const second = await configuration();
    expect(second?.['collection_name']).toBe('Lava Lizards');
    const reading = await watched();
    expect(reading).toContain(second?.['id']);
    expect(reading).not.toContain(first);
    expect(await lastEntry()).toMatchObject({ action: 'telegram-configuration-replaced' });
  });

  test('a confirmation that arrives twice sets up once and is not answered as failed', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Use 555');
    press(asked, 'Use 555');
    await handled();
    const rows = await group.world.database.rows('select 1 from telegram_configurations where chat_id = $1', [
      group.chatId,
    ]);
    expect(rows).toHaveLength(1);
    expect(telegram().history(group.chatId).at(-1)?.text).toContain('now follows Sui Rocks');
  });

  test('expires after ten minutes', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    await handled();
    const rows = await group.world.database.rows<{ minutes: number }>(
      'select round(extract(epoch from expires_at - clock_timestamp()) / 60)::int as minutes from telegram_setups where chat_id = $1',
      [group.chatId],
    );
    expect(rows).toEqual([{ minutes: 10 }]);
    await group.world.database.rows(
      "update telegram_setups set expires_at = clock_timestamp() - interval '1 second' where chat_id = $1",
      [group.chatId],
    );
    press(asked, 'Use 555');
    await said('This setup has expired');
    expect(await configuration()).toBeUndefined();
  });

  test('an older question cannot end or confirm a newer setup', async () => {
    const older = await said('maximum supply', setup(rocks()));
    const newer = await said('Lava Lizards', setup(typeOf('lava-lizards')));
    await handled();
    press(older, 'Use 555');
    await handled();
    expect(await configuration()).toBeUndefined();
    press(newer, buttonsOf(newer)[0]!);
    expect((await stored())['collection_name']).toBe('Lava Lizards');
  });

  test('a person who is not an admin is refused, at the button and at the reply', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Use 555', group.member);
    press(asked, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    reply(prompt, '600', group.member);
    await said('for group admins', prompt.messageId);
    expect(telegram().callbackAnswers()).toContainEqual(
      expect.objectContaining({ userId: group.member, showAlert: true }),
    );
    expect(await configuration()).toBeUndefined();
  });

  test('pins the topic in which it was run', async () => {
    const { forumId, topics } = telegram().seeded;
    const asked = await setUpInTopic();
    expect(asked.threadId).toBe(topics.sales);
    await saidIn(group.world, forumId, 'come to this topic');
    const rows = await group.world.database.rows('select topic_id from telegram_chats where chat_id = $1', [forumId]);
    expect(rows).toEqual([{ topic_id: String(topics.sales) }]);
  });
});

describe('anonymous admins', () => {
  test('set up a group, recognized by the group itself being the sender', async () => {
    const otto = telegram().createUser({ firstName: 'Otto' }).id;
    telegram().setMember({ chatId: group.chatId, userId: otto, status: 'administrator', isAnonymous: true });
    const { messageId } = telegram().type({
      chatId: group.chatId,
      as: 'anonymous-admin',
      text: `/setup ${rocks()}`,
    });
    const asked = await said('maximum supply', messageId);
    press(asked, 'Enter another', otto);
    // Telegram hides that Otto is an admin from a bot that is not an admin itself.
    const isTold = () => telegram().callbackAnswers().at(-1)?.text?.includes('make me an admin too') === true;
    await until('Otto is told what he can do', isTold);
    expect(telegram().callbackAnswers().at(-1)?.text).toBe(adminsOnlyPress);
    telegram().setBot({ chatId: group.chatId, status: 'administrator' });
    const promotedAtMs = performance.now();
    await until('the list of admins may be read again', () => performance.now() - promotedAtMs > 5_100);
    press(asked, 'Enter another', otto);
    const prompt = await said('Reply to this message', asked.messageId);
    telegram().type({ chatId: group.chatId, as: 'anonymous-admin', text: '555', replyToMessageId: prompt.messageId });
    await said('now follows', prompt.messageId);
    expect(await lastEntry()).toMatchObject({ actor: 'Anonymous admin' });
  });

  test.each(['foreign-anonymous', 'channel'] as const)(
    'a message on behalf of another chat (%s) does not count as an admin’s',
    async (as) => {
      const { channelId } = telegram().seeded;
      const { messageId } = telegram().type({
        chatId: group.chatId,
        as,
        senderChatId: channelId,
        text: `/setup ${rocks()}`,
      });
      await said('for group admins. If you are one, send it as yourself', messageId);
      await handled();
      expect(
        telegram()
          .history(group.chatId)
          .some(({ text }) => text?.includes('maximum supply') === true),
      ).toBe(false);
    },
  );
});
