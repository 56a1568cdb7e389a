import type { Logger } from '../../platform/logger.ts';
import type { SendLimits } from './limits.ts';
import type { SendAnswer } from './message.ts';
import { isOutage } from './read-answer.ts';

/** Tells one chat's trouble from an outage of Telegram, during which every chat would only be tried in vain. */
export interface OutageWatch {
  note(chatId: string, answer: SendAnswer): void;
}

const chatsUntilOutage = 3;
/** Short, and never longer: who can be reached while many others fail is to hear within 2 s. */
const pauseMs = 150;

/**
 * After so many different chats in a row without an answer every further failure makes all wait for a moment: instead of Telegram's
 * 30 tries a second there are a few, and each chat backs off by itself.
 */
export function createOutageWatch(limits: Pick<SendLimits, 'pauseAll'>, log: Logger): OutageWatch {
  const failing = new Set<string>();
  return {
    note: (chatId, answer) => {
      if (answer.kind === 'sent' || !isOutage(answer)) {
        if (failing.size >= chatsUntilOutage) log.info({}, 'Telegram answers again');
        return failing.clear();
      }
      const wasOutage = failing.size >= chatsUntilOutage;
      if (!wasOutage) failing.add(chatId);
      if (failing.size < chatsUntilOutage) return;
      const reason = answer.kind === 'refused' ? answer.description : answer.reason;
      const sentence = 'Telegram does not answer; nothing is lost, sending continues slowly';
      log[wasOutage ? 'debug' : 'warn']({ reason }, sentence);
      limits.pauseAll(pauseMs);
    },
  };
}
