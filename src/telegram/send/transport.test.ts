import { expect, test } from 'vitest';

import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import type { SendAnswer } from './message.ts';
import { createTransport } from './transport.ts';

const weekMs = 7 * 24 * 3_600_000;

/** What is stored of an answer must fit the database: otherwise it would hold up all later messages. */
async function answerTo(body: string): Promise<SendAnswer> {
  const apiUrl = await serveOnLoopback((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  const content = { html: 'Hello', imageUrl: null, buttons: [], isSilent: false };
  const message = {
    chatId: '-1001',
    topicId: null,
    form: 'plain',
    editsMessageId: null,
    isDoubtful: false,
    content,
  } as const;
  return createTransport({ token: '1:token', apiUrl })(message, null, AbortSignal.timeout(5_000));
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
