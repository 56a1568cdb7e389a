import { type Bot, BotError, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';

import { databaseOutage } from '../../platform/database/outage.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { BotLog } from '../../platform/bot-service/bot-turn.ts';
import { apiFailureOf } from '../adapters/bot-api.ts';
import { withPlainCommand } from '../bot/plain-command.ts';

interface UpdateHandlerDeps {
  readonly bot: Bot;
  /** A short word to the chat that something went wrong here; must not throw. */
  readonly apologise: (update: Update) => Promise<void>;
  readonly log: BotLog;
}

/**
 * One update through the bot, the same from polling and webhook. What goes wrong is logged and told to the chat once; only when
 * the database or Telegram is gone does it throw: then nothing can be told, nothing is lost, and the update is to be tried again. Where a limit is used up an apology
 * would only cost more of it.
 */
export function createUpdateHandler({ bot, apologise, log }: UpdateHandlerDeps) {
  return async (update: Update): Promise<void> => {
    try {
      await bot.handleUpdate(withPlainCommand(update));
    } catch (thrown) {
      const error = thrown instanceof BotError ? thrown.error : thrown;
      if (isLimit(error)) {
        log.info({ updateId: update.update_id }, 'A chat was asked more than its limit lets the bot answer');
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

const isLimit = (error: unknown): boolean =>
  (error instanceof Unavailable && error.reason === 'rate-limited') ||
  (error instanceof GrammyError && error.error_code === 429);
