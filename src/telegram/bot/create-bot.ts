import { Bot } from 'grammy';
import type { Update } from 'grammy/types';

import { callSeconds, retryShortWaits } from '../adapters/bot-api.ts';
import { brokenAnswer } from '../core/chat-texts.ts';
import { topicOf, windowText } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { addButtons } from './buttons.ts';
import { addChatEvents } from './chat-events.ts';
import { addChatTrouble } from './chat-trouble.ts';
import { addFactsCommands } from './facts-commands.ts';
import { addGreetingCommands } from './greeting-commands.ts';
import { addSettingsCommands } from './settings-commands.ts';
import { addSetupCommand } from './setup-command.ts';
import { addSupplyReply } from './setup-supply.ts';
import { addUnknownWords } from './unknown-words.ts';

/** The bot: every command and event that it knows. It is told who it is (`botInfo`) before its first update. */
export function createBot(token: string, apiUrl: string, deps: BotDeps): Bot {
  const bot = new Bot(token, { client: { apiRoot: apiUrl, timeoutSeconds: callSeconds } });
  bot.api.config.use(retryShortWaits);
  addChatTrouble(bot, deps);
  addChatEvents(bot, deps);
  addSupplyReply(bot, deps);
  addGreetingCommands(bot, deps);
  addSetupCommand(bot, deps);
  addFactsCommands(bot, deps);
  addSettingsCommands(bot, deps);
  addButtons(bot, deps);
  addUnknownWords(bot, deps);
  return bot;
}

/** One short word to whoever asked for something that broke here. Never throws. */
export const createApology =
  ({ api, sendNow }: Pick<BotDeps, 'api' | 'sendNow'>) =>
  async ({ message, callback_query: query }: Update): Promise<void> => {
    if (query !== undefined) {
      const text = windowText(brokenAnswer());
      await api.answerCallbackQuery(query.id, { text, show_alert: true }).catch(() => {});
    } else if (message?.text?.startsWith('/') === true) {
      const reply = { replyTo: message.message_id };
      await sendNow(message.chat.id, topicOf(message), brokenAnswer(), reply).catch(() => {});
    }
  };
