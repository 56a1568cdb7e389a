import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';

import { databaseOutage } from '../../db/outage.ts';
import type { BotLog } from '../../bot-service/bot-runner.ts';
import { Unavailable } from '../../shared/failure.ts';
import { apiFailureOf, askedWaitMs } from '../send/bot-api.ts';
import { brokenAnswer } from '../commands/texts/chat-texts.ts';
import { type SayWait, topicOf, windowText } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import type { Asked } from './read-asked.ts';

interface UpdateHandlerDeps {
  readonly dispatch: (update: Update, asked: Asked) => Promise<void>;
  /** Tells the chat briefly that something failed; must not throw. */
  readonly apologise: (update: Update, asked: Asked) => Promise<void>;
  /** The chat is over its limit for answers; must not throw. */
  readonly sayWait: SayWait;
  readonly log: BotLog;
}

/**
 * Handles one update, from polling or webhook. Failures are logged, and the chat gets a short notice. Throws only if
 * the database or Telegram is unavailable: then the update is to be tried again. If a limit is used up the chat learns
 * for how long.
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
        // 'Admins only' is said only while the limit has room; otherwise nothing.
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

/** How long a limit is used up; null: the error is another one. */
function limitOf(error: unknown): number | null {
  if (error instanceof Unavailable && error.reason === 'rate-limited') return error.retryAfterMs ?? 0;
  if (!(error instanceof GrammyError) || error.error_code !== 429) return null;
  return askedWaitMs(error.parameters.retry_after) ?? 0;
}

/** Sends a short apology to the caller. Never throws. */
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
