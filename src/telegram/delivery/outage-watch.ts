import type { Logger } from '../../platform/logger.ts';
import type { Outbox, SendAnswer } from './outbox.ts';
import { isOutage } from './read-answer.ts';

/** Tells one chat's trouble from an outage of Telegram, during which every chat would only be tried in vain. */
export interface OutageWatch {
  told(chatId: string, answer: SendAnswer): Promise<void>;
}

const chatsUntilOutage = 3;
/** Short, and never longer: who can be reached while many others fail is to hear within 2 s. */
const pauseMs = 150;

/**
 * After so many different chats in a row without an answer every further failure makes all copies pause for a moment: instead
 * of Telegram's 30 tries a second there are a few, and each chat backs off by itself.
 */
export function createOutageWatch(outbox: Outbox, log: Logger): OutageWatch {
  const failing = new Set<string>();
  return {
    told: async (chatId, answer) => {
      if (!isOutage(answer)) {
        if (failing.size >= chatsUntilOutage) log.info({}, 'Telegram answers again');
        failing.clear();
        return;
      }
      const wasOutage = failing.size >= chatsUntilOutage;
      if (!wasOutage) failing.add(chatId);
      if (failing.size < chatsUntilOutage) return;
      const reason = answer.kind === 'sent' ? null : answer.kind === 'refused' ? answer.description : answer.reason;
      log[wasOutage ? 'debug' : 'warn'](
        { reason },
        'Telegram does not answer; nothing is lost, sending continues slowly',
      );
      await outbox
        .pauseAll(pauseMs)
        .catch((error: unknown) => log.warn({ err: error }, 'The pause could not be saved'));
    },
  };
}
