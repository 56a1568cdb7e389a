import { describe, expect, test } from 'vitest';

import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { buttonsOf, setUpGroup } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

const {
  group,
  telegram,
  rocks,
  typeOf,
  type,
  reply,
  press,
  said,
  setup,
  setUp,
  configuration,
  stored,
  watched,
  lastEntry,
} = telegramGroupScene('Rocks & <Friends>');

/** 'Enter another', and a second setup of the collection that the group already follows. */
describe('/setup: another maximum supply', () => {
  test('after a refused number, a reply to the first question still counts', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    const wrong = reply(prompt, '0');
    await said('not a whole number', wrong);
    reply(prompt, '1 000');
    await said('maximum supply 1,000', wrong);
    expect(await configuration()).toMatchObject({ max_supply: '1000' });
  });

  test('the question comes at once, even if Telegram lets the removal of the buttons wait', async () => {
    const { faults } = group.world.sandbox;
    const asked = await said('maximum supply', setup(rocks()));
    await faults.set('telegram', { kind: '429', operation: 'editMessageReplyMarkup', retryAfterSeconds: 9 });
    try {
      press(asked, 'Enter another');
      await said('Reply to this message', asked.messageId);
    } finally {
      await faults.clear('telegram');
    }
  });

  test('either of two questions of one collection asks for the number', async () => {
    const questions = [await said('maximum supply', setup(rocks())), await said('maximum supply', setup(rocks()))];
    for (const question of questions) {
      const { messageId } = telegram().history(group.chatId).at(-1)!;
      press(question, 'Enter another');
      await said('Reply to this message', messageId);
    }
  });

  test('a confirmation that the marketplace does not answer leaves the question, which then still counts', async () => {
    const { faults } = group.world.sandbox;
    const asked = await said('maximum supply', setup(typeOf('glow-worms')));
    await faults.set('market', { kind: '503' });
    try {
      press(asked, buttonsOf(asked)[0]!);
      await said('is not answering right now', asked.messageId);
    } finally {
      await faults.clear('market');
    }
    press(asked, buttonsOf(asked)[0]!);
    await until('the group is set up', async () => (await configuration()) !== undefined);
  });

  test('a command typed while the question is open stays a command, though Telegram makes it a reply', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    const again = reply(prompt, `/setup ${typeOf('lava-lizards')}`);
    await said('Lava Lizards', again);
    await said('What I understand', reply(prompt, '/help'));
  });

  test('a number that comes after ten minutes, or for an older setup, is answered with the expiry of the setup', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    press(asked, 'Enter another');
    const older = await said('Reply to this message', asked.messageId);
    await group.world.database.rows(
      "update telegram_setups set expires_at = clock_timestamp() - interval '1 second' where chat_id = $1",
      [group.chatId],
    );
    const late = reply(older, '700');
    await said('This setup has expired', late);
    const newer = await said('Lava Lizards', setup(typeOf('lava-lizards')));
    press(newer, 'Enter another');
    await said('Reply to this message', newer.messageId);
    const again = reply(older, '700');
    await said('This setup has expired', again);
    expect(await configuration()).toBeUndefined();
  });

  test('a collection with an impossibly large count at the marketplace can still be followed', async () => {
    // Not the product's own collection: that one is always polled, and a poll corrects the count.
    const lizards = typeOf('lava-lizards');
    await setUpGroup(group.world, group.chatId, lizards, group.creator);
    const { rows } = group.world.database;
    await rows(
      `with gone as (update telegram_configurations set deleted_at = clock_timestamp()) delete from collection_watches`,
    );
    const polls = "select from pgboss.job where name = 'market-poll' and state = 'active'";
    await until('no poll is under way', async () => (await rows(polls)).length === 0);
    await rows('update tracked_collections set minted_count = 2000000000');
    await setUpGroup(group.world, group.chatId, lizards, group.creator);
    expect(await stored()).toMatchObject({ minted_count: '1000000000' });
  });

  test('a second setup of the same collection asks only for the maximum supply, and corrects it in place', async () => {
    const id = await setUp();
    await said('This group follows Sui Rocks. Group admins', type('/start', group.member));
    const asked = await said('already follows Sui Rocks', setup(rocks()));
    expect(asked.text).not.toContain('Replace');
    press(asked, 'Enter another');
    const prompt = await said('Reply to this message', asked.messageId);
    reply(prompt, '700');
    await said('This group follows Sui Rocks, maximum supply 700', prompt.messageId);
    const rows = await group.world.database.rows(
      'select id, max_supply, version from telegram_configurations where chat_id = $1',
      [group.chatId],
    );
    expect(rows).toEqual([{ id, max_supply: '700', version: 2 }]);
    expect(await lastEntry()).toMatchObject({
      action: 'telegram-max-supply-changed',
      before: { maxSupply: 555 },
      after: { maxSupply: 700 },
    });
    expect(await watched()).toContain(id);
  });
});
