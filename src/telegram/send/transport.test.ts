import { expect, test } from 'vitest';

import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import type { SendAnswer } from './message.ts';
import { link } from '../cards/message-html.ts';
import { createTransport } from './transport.ts';

const weekMs = 7 * 24 * 3_600_000;

const plain = { chatId: '-1001', topicId: null, form: 'plain', editsMessageId: null, isDoubtful: false } as const;

/** What is stored of an answer must fit the database: otherwise it would hold up all later messages. */
async function answerTo(body: string): Promise<SendAnswer> {
  const apiUrl = await serveOnLoopback((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  const content = { html: 'Hello', imageUrl: null, buttons: [], isSilent: false };
  return createTransport({ token: '1:token', apiUrl })({ ...plain, content }, null, AbortSignal.timeout(5_000));
}

test.each([
  ['7', 7_000],
  ['0.5', 500],
  ['-3', 0],
  ['1e300', weekMs],
  ['1e999', weekMs],
  ['"7"', null],
  ['null', null],
])('a requested wait of %s seconds is read as %s ms, never longer than a database time can hold', async (said, ms) => {
  const body = `{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":${said}}}`;
  expect(await answerTo(body)).toMatchObject({ kind: 'refused', retryAfterMs: ms });
});

test('the text of a refusal is kept without the characters that the database refuses', async () => {
  const body = String.raw`{"ok":false,"error_code":400,"description":"Bad\u0000 Request: \ud800 no"}`;
  expect(await answerTo(body)).toMatchObject({ kind: 'refused', description: 'Bad Request: \ufffd no' });
});

test.each([String.raw`"a\u0000b"`, '""', '7'])('a file id of %s is ignored', async (fileId) => {
  const body = `{"ok":true,"result":{"message_id":5,"photo":[{"file_id":${fileId}}]}}`;
  expect(await answerTo(body)).toEqual({ kind: 'sent', messageId: 5, fileId: null });
});

/** The text that Telegram gets of a message that it takes only as plain text. */
async function plainTextOf(html: string): Promise<string> {
  const bodies: string[] = [];
  const apiUrl = await serveOnLoopback((request, response) => {
    request.setEncoding('utf8').on('data', (part: string) => bodies.push(part));
    request.on('end', () => response.end('{"ok":true,"result":{"message_id":5}}'));
  });
  const content = { html, imageUrl: null, buttons: [], isSilent: false };
  await createTransport({ token: '1:token', apiUrl })({ ...plain, content }, null, AbortSignal.timeout(5_000));
  return (JSON.parse(bodies.join('')) as { text: string }).text;
}

test('a message that arrives as plain text has the address of each link behind its words', async () => {
  const html = `<b>Paid</b> &amp; done\n${link('https://rocks.example/payouts/3?a=1&b=2', 'Every line')} · ${link('https://sui.example', 'NFT')}`;
  expect(await plainTextOf(html)).toBe(
    'Paid & done\nEvery line (https://rocks.example/payouts/3?a=1&b=2) · NFT (https://sui.example)',
  );
});

test('a plain text is never longer than Telegram takes: addresses that do not fit are left out before any words', async () => {
  const words = 'x'.repeat(4_000);
  const html = `${words}${link('https://rocks.example/1', 'One')}${link(`https://${'y'.repeat(90)}`, 'Two')}`;
  expect(await plainTextOf(html)).toBe(`${words}One (https://rocks.example/1)Two`);
  expect(await plainTextOf(`${'x'.repeat(5_000)}${link('https://rocks.example/1', 'One')}`)).toHaveLength(4_096);
});
