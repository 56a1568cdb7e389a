import { expect, test } from 'vitest';

import { botTalk } from '../support/bot-talk.ts';
import { telegramGroupScene } from '../support/telegram-group-scene.ts';

const { group, setUp, said, chatRow } = telegramGroupScene();
const { telegram, statusOf, ask, answered } = botTalk(() => group.world);

test("another bot's token leaves the groups and their waiting messages alone, until an admin confirms the change", async () => {
  const id = await setUp();
  await group.copy.call('POST', '/api/telegram/shutdown');
  await group.copy.stop();
  await group.world.database.rows("update telegram_service set bot_id = 42, bot_username = 'old_bot'");
  const copy = await group.world.copy();
  telegram().resetCounters();
  expect(await copy.call('POST', '/api/telegram/init')).toMatchObject({ status: 503, body: { code: 'bot-failing' } });
  expect((await statusOf(copy))['lastError']).toMatchObject({
    message: expect.stringMatching(/not the token of @old_bot.*Put back that bot's token.*'Initialize Bot'/),
  });
  expect((await copy.call('POST', `/api/telegram/configs/${id}/send-test`)).status).toBe(200);
  const asked = ask();
  await copy.call('POST', '/api/telegram/shutdown');
  expect(telegram().counters().methods).toEqual({});
  expect(await chatRow()).toMatchObject({ removed_at: null, trouble: null });
  expect((await copy.call('POST', '/api/telegram/init')).status).toBe(200);
  await answered(asked);
  await said(/This is a (?:test|sample)/);
});
