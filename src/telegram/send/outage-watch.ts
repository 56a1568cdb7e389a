import type { Logger } from '../../process/logger.ts';
import type { SendLimits } from './limits.ts';
import type { SendAnswer } from './message.ts';
import { isOutage } from './read-answer.ts';

/** Distinguishes one chat's trouble from an outage of Telegram, during which trying each chat is useless. */
export interface OutageWatch {
  note(chatId: string, answer: SendAnswer): void;
}

const chatsUntilOutage = 3;
/** Always short: a reachable chat must get its message within 2 s while many others fail. */
const pauseMs = 150;

/**
 * After this many different chats in a row without an answer, every further failure makes all wait for a moment:
 * instead of Telegram's 30 tries a second there are a few, and each chat backs off by itself.
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
