import type { Bot } from 'grammy';

import { notConfigured, removeQuestion } from '../core/chat-texts.ts';
import { timeZoneOf } from '../core/time-zone.ts';
import { trackingMessage, unknownTimeZone } from '../core/tracking-menu.ts';
import { pinnedLine } from '../core/topic-texts.ts';
import { topicOf } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { byGroupAdmin } from './group-commands.ts';

/** /tracking shows the choices, with a city it sets the time zone, and in a topic brings the notifications there (rulings R4); /remove asks; what follows is pressed on buttons. */
export function addSettingsCommands(bot: Bot, deps: BotDeps): void {
  bot.command(
    'tracking',
    byGroupAdmin(deps, async ({ ctx, chatId, speaker, answer }) => {
      const present = await deps.configurations.ofChat(chatId);
      if (present === null) return answer(notConfigured());
      const topicId = topicOf(ctx.msg);
      const actor = { kind: 'telegram', userId: String(speaker.id), name: speaker.name } as const;
      const typed = ctx.match.trim();
      const timeZone = typed === '' ? null : timeZoneOf(typed);
      if (typed !== '' && timeZone === null) return answer(unknownTimeZone());
      if (timeZone !== null) {
        await deps.configuring.change(
          present.id,
          { timeZone },
          { actor, action: 'telegram-tracking-changed', ifVersion: null },
        );
      }
      const settings = timeZone === null ? present : { ...present, timeZone };
      const isPinned = topicId !== null && (await deps.configuring.pinTopic(chatId, topicId, actor));
      const menu = trackingMessage('tracking', { collectionName: present.collectionName, settings });
      return answer(isPinned ? { ...menu, html: `${menu.html}\n\n${pinnedLine}` } : menu);
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
