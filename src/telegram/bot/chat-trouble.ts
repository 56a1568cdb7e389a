import { type Bot, GrammyError } from 'grammy';

import { chatRefusal } from '../send/refusal-words.ts';
import type { BotDeps } from './bot-deps.ts';

/**
 * A chat in which the bot may not write, or that Telegram does not know: nothing is broken here, and an apology would not arrive
 * either. It is written down as the chat's trouble, and told to the log when it is news.
 */
export function addChatTrouble(bot: Bot, { chats, log }: Pick<BotDeps, 'chats' | 'log'>): void {
  bot.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const chatId = ctx.chatId;
      if (!(error instanceof GrammyError) || chatId === undefined) throw error;
      const { error_code: code, description, parameters } = error;
      const refusal = parameters.migrate_to_chat_id === undefined ? chatRefusal(code, description) : 'topic';
      if (refusal === null) throw error;
      const isNews = refusal === 'topic' || (await chats.noteTrouble(chatId, description));
      if (isNews) log.info({ chatId, description }, 'Telegram does not let the bot write in a chat');
    }
  });
}
