import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { botApiCaller } from '../../sandbox/telegram/bot-api-caller.ts';
import { botTalk } from '../support/bot-talk.ts';
import { freePort } from '../support/free-port.ts';
import type { TelegramCopy } from '../support/telegram-copy.ts';
import { startTelegramWorld, type TelegramWorld } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

let world: TelegramWorld;
beforeEach(async () => void (world = await startTelegramWorld()));
afterEach(() => world.end());

const { telegram, statusOf, isState, ask, answered } = botTalk(() => world);

describe('webhook mode', () => {
  const webhookCopy = async (): Promise<TelegramCopy> => world.activeCopy({ mode: 'webhook', port: await freePort() });
  const urlOfWebhook = (): string =>
    telegram()
      .calls()
      .findLast(({ method }) => method === 'setWebhook')?.parameters['url'] ?? '';

  test('Telegram delivers updates to PUBLIC_URL with a secret path and header; the same commands are answered', async () => {
    const copy = await webhookCopy();
    expect(await statusOf(copy)).toMatchObject({ active: true, mode: 'webhook' });
    const set = telegram()
      .calls()
      .findLast(({ method }) => method === 'setWebhook');
    expect(set?.parameters).toMatchObject({ secret_token: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
    expect(urlOfWebhook()).toMatch(new RegExp(`^http://localhost:${copy.app.port}/webhooks/telegram/[0-9a-f]{32}$`));
    await answered(ask());
    expect(telegram().counters().methods['getUpdates'] ?? 0).toBe(0);
  });

  test('any copy takes updates; without the right path and header the answer is 404', async () => {
    const copy = await webhookCopy();
    const other = await world.copy({ mode: 'webhook', publicUrl: `http://localhost:${copy.app.port}` });
    const { pathname } = new URL(urlOfWebhook());
    const secretToken =
      telegram()
        .calls()
        .findLast(({ method }) => method === 'setWebhook')?.parameters['secret_token'] ?? '';
    const { adminId } = telegram().seeded;
    const update = {
      update_id: 77,
      message: {
        message_id: 5,
        date: 1,
        chat: { id: adminId, type: 'private', first_name: 'Ada' },
        from: { id: adminId, is_bot: false, first_name: 'Ada' },
        text: '/start',
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      },
    };
    const post = async (to: string, token: string | null, body: unknown = update) =>
      other.call('POST', to, body, token === null ? {} : { 'x-telegram-bot-api-secret-token': token });
    for (const [to, token] of [
      [pathname, null],
      [pathname, 'wrong'],
      [pathname, ''],
      [`${pathname.slice(0, -1)}0x`, secretToken],
      ['/webhooks/telegram/none', secretToken],
    ] as const) {
      expect(await post(to, token), `${to} ${token}`).toMatchObject({ status: 404, body: { code: 'not-found' } });
    }
    expect(await post(pathname, secretToken, { nonsense: true })).toMatchObject({ status: 404 });
    expect(telegram().history(adminId)).toEqual([]);
    ask();
    await answered(0);
    expect(await post(pathname, secretToken)).toMatchObject({ status: 200, body: { ok: true } });
    await until(
      'the bot has answered again',
      () =>
        telegram()
          .history(adminId)
          .filter(({ text }) => text?.includes('keep watch') === true).length === 2,
    );
    const large = await other.app.ask(pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secretToken },
      body: JSON.stringify({ update_id: 1, x: 'x'.repeat(600_000) }),
    });
    expect(large.status).toBe(413);
  });

  test("with another bot's token updates stay at Telegram; they are answered when the known bot's token is back", async () => {
    const knownBotIs = (id: number) => world.database.rows('update telegram_service set bot_id = $1', [id]);
    const copy = await webhookCopy();
    const { port } = copy.app;
    await copy.stop();
    await knownBotIs(42);
    const stranger = await world.copy({ mode: 'webhook', port });
    await isState(stranger, 'failing');
    const asked = ask();
    const callTelegram = botApiCaller(world.sandbox);
    await until('the update is refused', async () =>
      JSON.stringify(await callTelegram('getWebhookInfo')).includes('webhook: 503 '),
    );
    expect(await world.database.rows('select 1 from telegram_inbox')).toEqual([]);
    await stranger.stop();
    await knownBotIs(telegram().bot.id);
    await world.copy({ mode: 'webhook', port });
    await answered(asked);
  });

  test('after a change of bots, what Telegram still delivers for the earlier one, such as its removal from a group, is refused', async () => {
    const copy = await webhookCopy();
    const { parameters } = telegram()
      .calls()
      .findLast(({ method }) => method === 'setWebhook')!;
    await copy.stop();
    await world.database.rows('update telegram_service set bot_id = 42');
    const changed = await world.copy({ mode: 'webhook', port: copy.app.port, botToken: '42:of-another-bot' });
    const { groupId, adminId } = telegram().seeded;
    const member = (status: string) => ({ status, user: { id: telegram().bot.id, is_bot: true } });
    const removal = {
      chat: { id: groupId, type: 'group', title: 'Rocks' },
      from: { id: adminId },
      old_chat_member: member('member'),
      new_chat_member: member('left'),
    };
    const answer = await changed.call(
      'POST',
      new URL(parameters['url'] ?? '').pathname,
      { update_id: 1, my_chat_member: removal },
      { 'x-telegram-bot-api-secret-token': parameters['secret_token'] ?? '' },
    );
    expect(answer.status).toBe(404);
  });

  test('Shutdown removes the webhook, and so does polling mode', async () => {
    const copy = await webhookCopy();
    await copy.call('POST', '/api/telegram/shutdown');
    await until('the webhook is deleted', () => telegram().counters().methods['deleteWebhook'] === 1);
    await copy.call('POST', '/api/telegram/init');
    await copy.stop();
    const polling = await world.copy();
    await isState(polling, 'active');
    await answered(ask());
    expect(telegram().counters().methods['getUpdates']).toBeGreaterThan(0);
  });

  test('a URL that Telegram refuses gives a failing state with the reason', async () => {
    const copy = await world.copy({ mode: 'webhook', publicUrl: 'http://rocks.example' });
    const answer = await copy.call('POST', '/api/telegram/init');
    expect(answer.status).toBe(503);
    expect(answer.body.message).toMatch(/Telegram refused setWebhook.*HTTPS/i);
  });
});
