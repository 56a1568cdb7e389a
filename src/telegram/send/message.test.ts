import { expect, test } from 'vitest';
import { isFailingAfter, type Message, readAnswer } from './message.ts';

/** In its simplest form, so that any refusal of the message itself sets it aside. */
const message: Message = {
  id: '1',
  chatId: '-1001',
  topicId: null,
  content: { html: 'A sale', imageUrl: null, buttons: [], isSilent: false },
  form: 'plain',
  attempts: 0,
  editsMessageId: null,
  isDoubtful: false,
  isReply: false,
};

test.each([
  [401, 'Unauthorized', true],
  [404, 'Not Found', true],
  [500, 'Internal Server Error', true],
  [400, 'Bad Request: message is too long', false],
])('a message that Telegram refuses with %d (%s) keeps waiting: %s', (code, description, waits) => {
  const answer = { kind: 'refused', code, description, retryAfterMs: null, migrateToChatId: null } as const;
  expect(readAnswer(answer, message, null)).toMatchObject({ kind: waits ? 'again' : 'failed', reason: description });
});

test.each([
  ['Bad Request: TOPIC_CLOSED', /^The General topic is closed; reopen it, or send \/tracking in another topic$/],
  // tdlib/telegram-bot-api, fail_query_with_error: a 403 or 406 whose text is a code becomes a 400.
  ['Bad Request: ALLOW_PAYMENT_REQUIRED_10', /make the bot an admin of the group, as admins pay nothing$/],
  ['Bad Request: FROZEN_METHOD_INVALID', /FROZEN_METHOD_INVALID$/],
])('a message waits, and its chat has the reason as its trouble, after %s', (description, trouble) => {
  const answer = { kind: 'refused', code: 400, description, retryAfterMs: null, migrateToChatId: null } as const;
  const outcome = { kind: 'again', isDoubtful: false, trouble: expect.stringMatching(trouble) };
  expect(readAnswer(answer, message, null)).toMatchObject(outcome);
});

test('an answer for a closed General topic is no trouble of the chat: its notifications may go to another topic', () => {
  const description = 'Bad Request: TOPIC_CLOSED';
  const answer = { kind: 'refused', code: 400, description, retryAfterMs: null, migrateToChatId: null } as const;
  expect(readAnswer(answer, { ...message, isReply: true }, null)).toEqual({ kind: 'failed', reason: description });
});

test.each([
  [null, 1_000],
  [0, 1_000],
  [9_000, 9_000],
])('a message that Telegram asks to hold back for %s ms waits %d ms, so never less than a second', (asked, waited) => {
  const answer = { kind: 'refused', code: 429, description: 'Too Many Requests', migrateToChatId: null } as const;
  const outcome = { kind: 'limited', retryAfterMs: waited };
  expect(readAnswer({ ...answer, retryAfterMs: asked }, message, null)).toEqual(outcome);
});

const arrived = { kind: 'sent', platformMessageId: 1, uploadedFileId: null, hasPhoto: false } as const;
const again = { kind: 'again', reason: '', isDoubtful: false, delayMs: 0 } as const;
test.each([
  ['one whose message arrived in time', arrived, { isSlow: false, wasFailing: true }, false],
  ['one that was answered late', arrived, { isSlow: true, wasFailing: false }, true],
  ['one whose message has to wait', { ...again, delayMs: 1_000 }, { isSlow: false, wasFailing: false }, true],
  ['one whose message goes at once in another form', again, { isSlow: false, wasFailing: false }, false],
  ['one that failed before and has received nothing since', again, { isSlow: false, wasFailing: true }, true],
])('a chat may delay others, or not: %s', (_which, outcome, attempt, isFailing) => {
  expect(isFailingAfter(outcome, attempt)).toBe(isFailing);
});
