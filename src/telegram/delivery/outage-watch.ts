import type { Logger } from '../../platform/logger.ts';
import type { Outbox, SendAnswer } from './outbox.ts';
import { isOutage } from './read-answer.ts';

/** Tells one chat's trouble from an outage of Telegram, during which every chat would only be tried in vain. */
export interface OutageWatch {
  told(chatId: string, answer: SendAnswer): Promise<void>;
}

const chatsUntilOutage = 3;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** So many different chats in a row without an answer: all copies pause, longer each time, then one message tries. */
export function createOutageWatch(outbox: Outbox, log: Logger): OutageWatch {
  const failing = new Set<string>();
  let pauses = 0;
  return {
    told: async (chatId, answer) => {
      if (!isOutage(answer)) {
        failing.clear();
        pauses = 0;
        return;
      }
      failing.add(chatId);
      if (failing.size < chatsUntilOutage) return;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(pauses, 10)) * (0.75 + Math.random() / 4);
      pauses += 1;
      const reason = answer.kind === 'sent' ? null : answer.kind === 'refused' ? answer.description : answer.reason;
      log.warn({ reason, pauseMs: Math.round(pauseMs) }, 'Telegram is away; nothing is lost, sending pauses');
      await outbox
        .pauseAll(pauseMs)
        .catch((error: unknown) => log.warn({ err: error }, 'The pause could not be written down'));
    },
  };
}
