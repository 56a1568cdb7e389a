import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { botApiCaller } from '../telegram/bot-api-caller.ts';
import { pngOf } from './png.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof botApiCaller>;
beforeAll(async () => {
  sandbox = await startSandbox({ telegramLimits: false });
  call = botApiCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.telegram.reset());

const live = async (query = ''): Promise<Record<string, string>> =>
  (await (await fetch(`${sandbox.urls.console}/chat/live${query}`)).json()) as Record<string, string>;
const order = (command: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.urls.console}/control/telegram/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('formatting, buttons and photos are rendered', async () => {
  const { groupId } = sandbox.telegram.seeded;
  const form = new FormData();
  form.set('chat_id', String(groupId));
  form.set('caption', '<b>Sold <i>now</i></b> for <a href="https://scan.example/1">12 SUI</a>');
  form.set('parse_mode', 'HTML');
  form.set('reply_markup', '{"inline_keyboard":[[{"text":"More","callback_data":"m"}]]}');
  form.set('photo', new Blob([new Uint8Array(pngOf(30, 20))]), 'rock.png');
  const url = `${sandbox.urls.telegram}/bot${sandbox.telegram.token}/sendPhoto`;
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
  const { messages = '' } = await live(`?chat=${groupId}`);
  expect(messages).toContain('<b>Sold <i>now</i></b> for <a');
  expect(messages).toMatch(/href="https:\/\/scan\.example\/1"[^>]*>12 SUI<\/a>/);
  expect(messages).toMatch(/data-command="telegram\/press"[^]*<button class="key">More<\/button>/);
  const source = /<img[^]*?src="(\/photo\/[^"]+)"/.exec(messages)?.[1] ?? '';
  const photo = await fetch(sandbox.urls.console + source);
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('all text from people and bots is escaped', async () => {
  const { groupId, memberId } = sandbox.telegram.seeded;
  const nasty = '<img src=x onerror=alert(1)>';
  sandbox.telegram.type({ chatId: groupId, userId: memberId, text: nasty });
  const title = `"><script>alert(2)</script>`;
  sandbox.telegram.createChat({ kind: 'group', title });
  await call('sendMessage', {
    chat_id: groupId,
    text: nasty,
    entities: [{ type: 'text_link', offset: 0, length: 4, url: 'javascript:alert(3)' }],
    reply_markup: { inline_keyboard: [[{ text: nasty, callback_data: 'x' }]] },
  });
  const answer = await fetch(`${sandbox.urls.console}/chat`);
  const page = await answer.text();
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toMatch(/<img src=x|<script>|javascript:|style="|onclick/);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('a topic shows only its own messages, and whether the bot is in the chat', async () => {
  const { forumId, topics, memberId } = sandbox.telegram.seeded;
  const typed = { chatId: forumId, userId: memberId };
  sandbox.telegram.type({ ...typed, text: 'first words', threadId: topics.sales });
  sandbox.telegram.type({ ...typed, text: 'other words', threadId: topics.chatter });
  const { messages, presence } = await live(`?chat=${forumId}&topic=${topics.sales}`);
  expect(messages).toContain('first words');
  expect(messages).not.toContain('other words');
  expect(presence).toContain('is in this chat (member)');
  sandbox.telegram.setBot({ chatId: forumId, status: 'kicked' });
  expect((await live(`?chat=${forumId}`)).presence).toContain('is not in this chat');
});

test('the control interface drives Telegram, and refuses impossible commands and other origins', async () => {
  const { groupId, memberId } = sandbox.telegram.seeded;
  expect((await order('type', { chatId: groupId, userId: memberId, text: '/floor' })).status).toBe(200);
  expect((await order('type', { chatId: groupId, userId: memberId, text: 'x', colour: 1 })).status).toBe(400);
  expect((await order('type', { chatId: 12, userId: memberId, text: 'x' })).status).toBe(409);
  expect((await order('dance', {})).status).toBe(404);
  expect((await order('reset', {}, { origin: 'https://evil.example' })).status).toBe(403);
  const read = await fetch(`${sandbox.urls.console}/control/telegram/history?chatId=${groupId}`);
  expect(await read.json()).toMatchObject({ data: [{ text: '/floor', from: { first_name: 'Mia' } }] });
  expect((await fetch(`${sandbox.urls.console}/control/telegram/history`)).status).toBe(409);
});

test('a click puts the example command into the field', async () => {
  const page = await (await fetch(`${sandbox.urls.console}/chat`)).text();
  expect(page).toMatch(/click this line and send it:\s*<button type="button"[^>]*data-fill="\/setup 0x[^"]+::Nft"/);
});

test("the bot's next message in a chat can be refused", async () => {
  const { groupId } = sandbox.telegram.seeded;
  const page = async () => (await fetch(`${sandbox.urls.console}/chat?chat=${groupId}`)).text();
  expect(await page()).toMatch(/data-command="telegram\/refuse-next"[^]*Refuse the bot&#39;s next message/);
  expect((await order('refuse-next', { chatId: groupId })).status).toBe(200);
  expect((await call('sendMessage', { chat_id: groupId, text: 'one' })).description).toContain('too long');
});
