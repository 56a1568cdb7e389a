import { describe, expect, test } from 'vitest';

import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { buttonsOf } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

const { group, rocks, typeOf, reply, press, said, handled, shown, setup, configuration } = telegramGroupScene();

describe('a setup', () => {
  test('that was interrupted between storing a step and asking for the next asks afterwards', async () => {
    const asked = await said('maximum supply', setup(rocks()));
    await handled();
    const { rows } = group.world.database;
    await rows('alter table telegram_messages rename to elsewhere');
    press(asked, 'Enter another');
    const tries = 'select 1 from telegram_inbox where handled_at is null and attempts > 1';
    await until('the update is retried', async () => (await rows(tries)).length > 0);
    await rows('alter table elsewhere rename to telegram_messages');
    const next = await said('Reply to this message', asked.messageId);
    await handled();
    reply(next, '700');
    await said('now follows Sui Rocks, maximum supply 700', next.messageId);
    expect(await configuration()).toMatchObject({ max_supply: '700', version: 1 });
  });

  test('may be confirmed by either of two questions, and the other then gives the same answer', async () => {
    const questions = [await said('maximum supply', setup(rocks())), await said('maximum supply', setup(rocks()))];
    for (const question of questions) {
      press(question, 'Use 555');
      await handled();
    }
    for (const question of questions) expect(shown(question).text).toContain('now follows Sui Rocks');
    const replacing = [
      await said('Replace it', setup(typeOf('lava-lizards'))),
      await said('Replace it', setup(typeOf('lava-lizards'))),
    ];
    for (const question of replacing) {
      press(question, buttonsOf(question)[0]!);
      await handled();
    }
    for (const question of replacing) expect(shown(question).text).toContain('now follows Lava Lizards');
    expect(await configuration()).toMatchObject({ collection_name: 'Lava Lizards' });
  });

  test('that was cancelled and is then confirmed has expired, and does not present what the group follows as its result', async () => {
    press(await said('maximum supply', setup(rocks())), 'Use 555');
    await said('now follows Sui Rocks');
    const [question, other] = [
      await said('Replace it', setup(typeOf('lava-lizards'))),
      await said('Replace it', setup(typeOf('lava-lizards'))),
    ];
    const replace = buttonsOf(question)[0]!;
    const supply = Number(replace.replaceAll(/\D/g, ''));
    await group.world.database.rows('update telegram_configurations set max_supply = $1', [supply]);
    press(other, 'Keep the current one');
    press(question, replace);
    await handled();
    expect(shown(question).text).toContain('This setup has expired');
    expect(await configuration()).toMatchObject({ collection_name: 'Sui Rocks' });
  });

  test('of a collection that the marketplace now knows under another id reads it there from then on', async () => {
    const bats = typeOf('cave-bats');
    press(await said('maximum supply', setup(bats)), 'Use 127');
    await said('now follows Cave Bats');
    const { rows } = group.world.database;
    await rows("update tracked_collections set market_id = gen_random_uuid() where name = 'Cave Bats'");
    press(await said('Replace it', setup(bats)), 'Replace, use 127');
    await handled();
    const read = await rows(
      `select name from tracked_collections t join telegram_configurations c on c.tracked_collection_id = t.id
       where c.chat_id = $1 and c.deleted_at is null and t.id = (select max(id) from tracked_collections)`,
      [group.chatId],
    );
    expect(read).toEqual([{ name: 'Cave Bats' }]);
  });
});
