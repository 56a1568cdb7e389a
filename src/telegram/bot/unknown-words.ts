import type { Bot } from 'grammy';

import { commandsOnly, unknownCommand } from '../core/wait-texts.ts';
import { answer } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { commandWord } from './plain-command.ts';

/** What no command took: service/read-asked.ts lets only words to this bot come here. Added last. */
export function addUnknownWords(bot: Bot, deps: BotDeps): void {
  bot.on('message:text', async ({ msg, me }) => {
    const word = commandWord(msg);
    const isPrivate = msg.chat.type === 'private';
    if (!isPrivate && word?.split('@')[1] !== me.username.toLowerCase()) return;
    await answer(deps, msg, word === null ? commandsOnly() : unknownCommand());
  });
}
