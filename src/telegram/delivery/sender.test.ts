import { afterEach, describe, expect, test, vi } from 'vitest';

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

/** Each of them is asked once, in that order; only the last is answered. */
function sendingTo(chats: readonly string[], slowAfterMs: number) {
  const waiting = chats.map(message);
  const heard: string[] = [];
  const outbox: Outbox = {
    step: async (_settlements, ask) => {
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
      if (chatId === chats.at(-1)) resolve({ kind: 'sent', messageId: 1, fileId: null });
      else signal.addEventListener('abort', () => resolve({ kind: 'unanswered', reason: 'ended', isDoubtful: true }));
      return promise;
    },
  };
  const sender = createSender({
    outbox,
    transport,
    pictures: { get: () => null, prepare: async () => {}, drop: () => {} },
    backlog: { compact: async () => {} },
    log: createLogger('error', { write: () => {} }),
    limits: { ...senderLimits, slowAfterMs, stopWithinMs: 10 },
  });
  return { sender, heard };
}

describe('rulings R4: a chat that does not answer holds back no other one', () => {
  afterEach(() => vi.restoreAllMocks());

  // On a busy machine time passes between any two looks at the clock.
  test.each([1, 2, 3, 4, 5, 6])(
    'however much time passes while the sender thinks: slow after %i looks',
    async (looks) => {
      const beganMs = performance.now();
      let lookCount = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => beganMs + (lookCount += 1));
      const { sender, heard } = sendingTo(['hangs', 'hangs too', 'answers'], looks);
      sender.start();
      await until('all were sent', () => heard.length === 3, 5_000);
      await sender.stop();
      expect(heard).toEqual(['hangs', 'hangs too', 'answers']);
    },
  );
});
