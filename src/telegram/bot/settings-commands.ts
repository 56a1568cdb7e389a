import type { Bot } from 'grammy';

import { notConfigured, removeQuestion } from '../core/chat-texts.ts';
import { trackingMessage } from '../core/tracking-menu.ts';
import type { BotDeps } from './bot-deps.ts';
import { byGroupAdmin } from './group-commands.ts';

/** /tracking shows the choices, /remove asks; what follows is pressed on buttons. */
export function addSettingsCommands(bot: Bot, deps: BotDeps): void {
  bot.command(
    'tracking',
    byGroupAdmin(deps, async ({ chatId, answer }) => {
      const present = await deps.configurations.ofChat(chatId);
      if (present === null) return answer(notConfigured());
      return answer(trackingMessage('tracking', { collectionName: present.collectionName, settings: present }));
    }),
  );
  bot.command(
    'remove',
    byGroupAdmin(deps, async ({ chatId, answer }) => {
      const present = await deps.configurations.ofChat(chatId);
      return answer(present === null ? notConfigured() : removeQuestion(present.collectionName, present.id));
    }),
  );
}
