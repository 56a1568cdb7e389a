import { type Bot, BotError } from 'grammy';
import type { Update } from 'grammy/types';

import { databaseOutage } from '../../platform/database/outage.ts';
import type { TelegramLog } from './bot-turn.ts';

interface UpdateHandlerDeps {
  readonly bot: Bot;
  /** A short word to the chat that something went wrong here; must not throw. */
  readonly apologise: (update: Update) => Promise<void>;
  readonly log: TelegramLog;
}

/**
 * One update through the bot, the same from polling and webhook. What goes wrong is logged and told to the chat once; only when
 * the database is gone does it throw, so that Telegram keeps the update and gives it again.
 */
export function createUpdateHandler({ bot, apologise, log }: UpdateHandlerDeps) {
  return async (update: Update): Promise<void> => {
    try {
      await bot.handleUpdate(update);
    } catch (thrown) {
      const error = thrown instanceof BotError ? thrown.error : thrown;
      log.error({ err: error, updateId: update.update_id }, 'An update of Telegram could not be handled');
      if (databaseOutage(error) !== null) throw error;
      await apologise(update);
    }
  };
}
