import { expect, test } from 'vitest';

import { until } from '../../../tests/support/until.ts';
import { createLogger } from '../../platform/logger.ts';
import type { ClaimedMessage, Outbox, SendAnswer, Transport } from './outbox.ts';
import { createSender, senderLimits } from './sender.ts';

const message = (id: string): ClaimedMessage => ({
  id,
  chatId: id,
  topicId: null,
  content: { html: 'hello', imageUrl: null, buttons: [], isSilent: false },
  form: 'full',
  attempts: 0,
  editsMessageId: null,
  fileId: null,
  wantsPicture: false,
  gateEntry: '',
  gateLatestMs: 0,
  gateEarliestMs: 0,
});

/** Each of them is claimed once, in that order; a chat answers when `answer` is called. */
function sendingTo(chats: readonly string[]) {
  const waiting = chats.map(message);
  const heard: string[] = [];
  const excluded: (readonly string[])[] = [];
  const answers = new Map<string, (answer: SendAnswer) => void>();
  const outbox: Outbox = {
    step: async (_settlements, ask) => {
      if (ask !== null) excluded.push(ask.excludedChatIds);
      const next = ask === null ? undefined : waiting.shift();
      return next === undefined ? { kind: 'wait', waitMs: 50 } : { kind: 'claimed', message: next };
    },
    pauseAll: async () => {},
    rememberBadPicture: async () => {},
  };
  const transport: Transport = {
    send: ({ chatId }, _picture, signal) => {
      heard.push(chatId);
      const { promise, resolve } = Promise.withResolvers<SendAnswer>();
      answers.set(chatId, resolve);
      signal.addEventListener('abort', () => resolve({ kind: 'unanswered', reason: 'ended', isDoubtful: true }));
      return promise;
    },
  };
  const sender = createSender({
    outbox,
    transport,
    pictures: { get: () => null, prepare: async () => {}, drop: () => {} },
    backlog: { compact: async () => {} },
    log: createLogger('error', { write: () => {} }),
    limits: { ...senderLimits, stopWithinMs: 10 },
  });
  const answer = (chatId: string): void => answers.get(chatId)?.({ kind: 'sent', messageId: 1, fileId: null });
  return { sender, heard, excluded, answer };
}

test('rulings R4: four at most are on their way, one a chat; the fifth begins when one of them has arrived', async () => {
  const { sender, heard, excluded, answer } = sendingTo(['a', 'b', 'c', 'd', 'e']);
  sender.start();
  await until('four are on their way', () => heard.length === 4, 5_000);
  const asked = excluded.length;
  sender.wake();
  answer('b');
  await until('the fifth is on its way', () => heard.length === 5, 5_000);
  // Nothing was claimed while there was no room, and no chat that is busy was asked for.
  expect(excluded[asked]).toEqual(['a', 'c', 'd']);
  expect(heard).toEqual(['a', 'b', 'c', 'd', 'e']);
  await sender.stop();
});
