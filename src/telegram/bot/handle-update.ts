import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';

import { databaseOutage } from '../../db/outage.ts';
import type { BotLog } from '../../platform/bot-service/bot-runner.ts';
import { Unavailable } from '../../shared/failure.ts';
import { askedWaitMs } from '../adapters/asked-wait.ts';
import { apiFailureOf } from '../adapters/bot-api.ts';
import { brokenAnswer } from '../commands/texts/chat-texts.ts';
import { type SayWait, topicOf, windowText } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import type { Asked } from './read-asked.ts';

interface UpdateHandlerDeps {
  readonly dispatch: (update: Update, asked: Asked) => Promise<void>;
  /** A short word to the chat that something went wrong here; must not throw. */
  readonly apologise: (update: Update, asked: Asked) => Promise<void>;
  /** More is asked in the chat than may be answered; must not throw. */
  readonly sayWait: SayWait;
  readonly log: BotLog;
}

/**
 * One update through the bot, the same from polling and webhook. What goes wrong is logged, and the chat gets one word of it; only
 * when the database or Telegram is gone does it throw: then nothing can be said, nothing is lost, and the update is to be tried again.
 * Where a limit is used up the chat hears how long that is.
 */
export function createUpdateHandler({ dispatch, apologise, sayWait, log }: UpdateHandlerDeps) {
  return async (update: Update, asked: Asked): Promise<void> => {
    try {
      await dispatch(update, asked);
    } catch (error) {
      const waitMs = limitOf(error);
      const details = { err: error, updateId: update.update_id };
      if (waitMs !== null) {
        log.info({ updateId: update.update_id }, 'A chat was asked more than its limit lets the bot answer');
        // That a command is for admins only is said where there is room for it, and otherwise nothing is.
        if (asked.kind === 'question') await sayWait(update, waitMs);
      } else if (databaseOutage(error) !== null || isTelegramGone(error)) {
        log.warn(details, 'An update of Telegram could not be handled yet; it is tried again');
        throw error;
      } else {
        log.error(details, 'An update of Telegram could not be handled');
        await apologise(update, asked);
      }
    }
  };
}

const isTelegramGone = (error: unknown): boolean => {
  const kind = apiFailureOf(error)?.kind;
  return kind === 'network' || kind === 'upstream-error';
};

/** How long a limit is used up; null: that is not what is wrong. */
function limitOf(error: unknown): number | null {
  if (error instanceof Unavailable && error.reason === 'rate-limited') return error.retryAfterMs ?? 0;
  if (!(error instanceof GrammyError) || error.error_code !== 429) return null;
  return askedWaitMs(error.parameters.retry_after) ?? 0;
}

/** One short word to whoever asked for something that broke here. Never throws. */
export const createApology =
  ({ api, sendNow }: Pick<BotDeps, 'sendNow'> & { readonly api: Pick<Api, 'answerCallbackQuery'> }) =>
  async ({ message, callback_query: query }: Update, { kind }: Asked): Promise<void> => {
    if (query !== undefined) {
      const text = windowText(brokenAnswer());
      await api.answerCallbackQuery(query.id, { text, show_alert: true }).catch(() => {});
    } else if (message?.text?.startsWith('/') === true) {
      const reply = { replyTo: message.message_id, ...(kind === 'question' && { kind }) };
      await sendNow(message.chat.id, topicOf(message), brokenAnswer(), reply).catch(() => {});
    }
  };
