import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { botApiCaller } from './bot-api-caller.ts';
import type { Update } from './wire.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof botApiCaller>;
beforeAll(async () => {
  sandbox = await startSandbox();
  call = botApiCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.telegram.reset());

const say = (text: string) => {
  const { groupId, memberId } = sandbox.telegram.seeded;
  return sandbox.telegram.type({ chatId: groupId, userId: memberId, text });
};
const updates = async (parameters: unknown = {}) => (await call('getUpdates', parameters)).result as Update[];

describe('the wire', () => {
  const address = (rest: string) => `${sandbox.urls.telegram}/bot${sandbox.facts.telegramBotToken}/${rest}`;

  test('accepts parameters as query, form, multipart and JSON, and method names in any case', async () => {
    const chatId = String(sandbox.telegram.seeded.privateChatId);
    const form = new FormData();
    form.set('chat_id', chatId);
    form.set('text', 'three');
    const asked = [
      () => fetch(`${address('sendMessage')}?chat_id=${chatId}&text=one`),
      () =>
        fetch(address('SENDMESSAGE'), { method: 'POST', body: new URLSearchParams({ chat_id: chatId, text: 'two' }) }),
      () => fetch(address('sendMessage'), { method: 'POST', body: form }),
    ];
    sandbox.telegram.setLimits({ enforced: false });
    for (const ask of asked) expect((await ask()).status).toBe(200);
    sandbox.telegram.setLimits(null);
    expect(sandbox.telegram.history(Number(chatId)).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });

  test('answers 404 to an unknown method, 401 to another token and 400 to broken JSON', async () => {
    expect(await call('sendNothing')).toEqual({ status: 404, ok: false, error_code: 404, description: 'Not Found' });
    const other = await fetch(`${sandbox.urls.telegram}/bot1:abcdefghijkl/getMe`);
    expect([other.status, await other.json()]).toEqual([
      401,
      { ok: false, error_code: 401, description: 'Unauthorized' },
    ]);
    const headers = { 'content-type': 'application/json' };
    const broken = await fetch(address('getMe'), { method: 'POST', headers, body: '{"a":' });
    expect(broken.status).toBe(400);
  });

  test('getMe says who the bot is', async () => {
    expect(await call('getMe')).toMatchObject({
      ok: true,
      result: { is_bot: true, username: sandbox.facts.telegramBotUsername, can_read_all_group_messages: false },
    });
  });
});

describe('getUpdates', () => {
  test('gives updates in order until an offset confirms them', async () => {
    for (const text of ['/one', '/two', '/three']) say(text);
    const first = await updates({ limit: 2 });
    expect(first.map(({ message }) => (message as { text: string }).text)).toEqual(['/one', '/two']);
    expect(await updates({ limit: 2 })).toEqual(first);
    const rest = await updates({ offset: first[1]!.update_id + 1 });
    expect(rest.map(({ message }) => (message as { text: string }).text)).toEqual(['/three']);
  });

  test('is held open until an update arrives', async () => {
    const waiting = updates({ timeout: 20 });
    await until('the call is held open', () => sandbox.telegram.counters().isPolled);
    say('/now');
    expect(await waiting).toMatchObject([{ message: { text: '/now' } }]);
  });

  test('a second call ends the first with a conflict and gets the next update', async () => {
    const first = call('getUpdates', { timeout: 20 });
    await until('the first is held open', () => sandbox.telegram.counters().isPolled);
    const second = updates({ timeout: 20 });
    expect(await first).toMatchObject({
      status: 409,
      description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    });
    say('/still');
    expect(await second).toHaveLength(1);
  });

  test('a caller that hangs up loses no updates', async () => {
    const gone = new AbortController();
    const url = `${sandbox.urls.telegram}/bot${sandbox.facts.telegramBotToken}/getUpdates?timeout=20`;
    const first = fetch(url, { signal: gone.signal }).catch(() => 'gone');
    await until('the call is held open', () => sandbox.telegram.counters().isPolled);
    gone.abort();
    expect(await first).toBe('gone');
    await until('the call has ended', () => !sandbox.telegram.counters().isPolled);
    say('/kept');
    expect(await updates()).toHaveLength(1);
  });

  test('chat_member is sent only to an admin bot that requests it, and the list stays until replaced', async () => {
    const { groupId, memberId } = sandbox.telegram.seeded;
    const restrict = () => sandbox.telegram.setMember({ chatId: groupId, userId: memberId, status: 'restricted' });
    await updates({ allowed_updates: ['chat_member'] });
    restrict();
    expect(await updates()).toEqual([]);
    await updates({ allowed_updates: [] });
    sandbox.telegram.setBot({ chatId: groupId, status: 'administrator' });
    await updates({ offset: -1 });
    await updates({ offset: (await updates())[0]!.update_id + 1 });
    restrict();
    expect(await updates({ allowed_updates: ['chat_member'] })).toEqual([]);
    restrict();
    say('/unheard');
    const heard = await updates();
    expect(heard.map((update) => Object.keys(update)[1])).toEqual(['chat_member']);
    await updates({ offset: -1, allowed_updates: [] });
    await updates({ offset: heard[0]!.update_id + 1 });
    restrict();
    expect(await updates()).toEqual([]);
  });
});

describe('the webhook', () => {
  type Received = { secret: string | undefined; update: Update };

  async function listening<T>(
    answer: (count: number) => number,
    run: (url: string, received: Received[]) => Promise<T>,
  ) {
    const received: Received[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const secret = request.headers['x-telegram-bot-api-secret-token'] as string | undefined;
        received.push({ secret, update: JSON.parse(Buffer.concat(chunks).toString()) as Update });
        response.writeHead(answer(received.length)).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('updates are posted with the secret, retried until accepted, and in order within a chat', async () => {
    await listening(
      (count) => (count < 3 ? 500 : 200),
      async (url, received) => {
        say('/before');
        expect(await call('setWebhook', { url, secret_token: 'stone-age' })).toMatchObject({ ok: true, result: true });
        say('/after');
        await until('all are accepted', () => sandbox.telegram.counters().pendingUpdates === 0);
        expect(received.map(({ update }) => (update.message as { text: string }).text)).toEqual([
          '/before',
          '/before',
          '/before',
          '/after',
        ]);
        expect(new Set(received.map(({ secret }) => secret))).toEqual(new Set(['stone-age']));
        const { result } = await call('getWebhookInfo');
        expect(result).toMatchObject({
          url,
          pending_update_count: 0,
          last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
        });
      },
    );
  });

  test('getUpdates is a conflict while a webhook is set, and setting one ends a held call', async () => {
    const held = call('getUpdates', { timeout: 20 });
    await until('the call is held open', () => sandbox.telegram.counters().isPolled);
    await listening(
      () => 200,
      async (url) => {
        await call('setWebhook', { url });
        expect(await held).toMatchObject({ status: 409, description: 'Conflict: terminated by setWebhook request' });
        expect(await call('getUpdates')).toMatchObject({
          status: 409,
          description:
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        });
        await call('deleteWebhook');
        say('/polled');
        expect(await updates()).toHaveLength(1);
      },
    );
  });

  test('the URL must be https or local, and the secret may contain only allowed characters', async () => {
    expect(await call('setWebhook', { url: 'http://example.com/' })).toMatchObject({
      description: 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
    });
    expect(await call('setWebhook', { url: 'https://example.com/', secret_token: 'a b' })).toMatchObject({
      description: 'Bad Request: secret token contains unallowed characters',
    });
  });

  test('pending updates are dropped on request', async () => {
    say('/old');
    await call('deleteWebhook', { drop_pending_updates: true });
    expect(await updates()).toEqual([]);
  });
});
