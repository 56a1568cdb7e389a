import { type Bot, BotError, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';

import { databaseOutage } from '../../db/outage.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { BotLog } from '../../platform/bot-service/bot-runner.ts';
import { askedWaitMs } from '../adapters/asked-wait.ts';
import { apiFailureOf } from '../adapters/bot-api.ts';
import { withPlainCommand } from '../bot/plain-command.ts';
import type { SayWait } from '../bot/wait-notice.ts';

interface UpdateHandlerDeps {
  readonly bot: Bot;
  /** A short word to the chat that something went wrong here; must not throw. */
  readonly apologise: (update: Update) => Promise<void>;
  /** More is asked in the chat than may be answered; must not throw. */
  readonly sayWait: SayWait;
  readonly log: BotLog;
}

/**
 * One update through the bot, the same from polling and webhook. What goes wrong is logged and told to the chat once; only when
 * the database or Telegram is gone does it throw: then nothing can be told, nothing is lost, and the update is to be tried again. Where a limit is used up the chat
 * is told how long that is.
 */
export function createUpdateHandler({ bot, apologise, sayWait, log }: UpdateHandlerDeps) {
  return async (update: Update): Promise<void> => {
    try {
      await bot.handleUpdate(withPlainCommand(update));
    } catch (thrown) {
      const error = thrown instanceof BotError ? thrown.error : thrown;
      const waitMs = limitOf(error);
      if (waitMs !== null) {
        log.info({ updateId: update.update_id }, 'A chat was asked more than its limit lets the bot answer');
        await sayWait(update, waitMs);
        return;
      }
      const told = { err: error, updateId: update.update_id };
      if (databaseOutage(error) !== null || isTelegramGone(error)) {
        log.warn(told, 'An update of Telegram could not be handled yet; it is tried again');
        throw error;
      }
      log.error(told, 'An update of Telegram could not be handled');
      await apologise(update);
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
