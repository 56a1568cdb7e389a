import { describe, expect, test } from 'vitest';

import { telegramGroupScene } from '../support/telegram-group-scene.ts';
import { buttonsOf } from '../support/telegram-world.ts';

const { group, rocks, typeOf, reply, press, said, handled, shown, setup, configuration } = telegramGroupScene();

describe('a setup', () => {
  test('that was interrupted and asks again accepts the buttons of either question, and a reply to either', async () => {
    const [first, second] = [
      await said('maximum supply', setup(rocks())),
      await said('maximum supply', setup(rocks())),
    ];
    press(first, 'Enter another');
    const asked = await said('Reply to this message', second.messageId);
    await handled();
    // The copy died before it wrote down that it had asked: the press comes again.
    await group.world.database.rows(
      "update telegram_setups set step = 'confirm-supply', prompt_message_id = $2 where chat_id = $1",
      [group.chatId, first.messageId],
    );
    press(second, 'Enter another');
    await said('Reply to this message', asked.messageId);
    await handled();
    reply(asked, '700');
    await said('now follows Sui Rocks, maximum supply 700', asked.messageId);
    expect(await configuration()).toMatchObject({ max_supply: '700', version: 1 });
  });

  test('either of two questions may be confirmed, and the other then says the same', async () => {
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
    press(replacing[0]!, 'Replace');
    const asked = await said('Lava Lizards', replacing[1]!.messageId);
    press(replacing[1]!, 'Replace');
    await handled();
    expect(shown(replacing[1]!).text).not.toContain('expired');
    press(asked, buttonsOf(asked)[0]!);
    await handled();
    expect(await configuration()).toMatchObject({ collection_name: 'Lava Lizards' });
  });
});
