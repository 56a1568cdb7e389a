import type { Bot } from 'grammy';

import { helpAnswer, startAnswer } from '../core/start-texts.ts';
import { answer, factsOf, isGroup } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';

/** /start and /help, in private and in groups. */
export function addGreetingCommands(bot: Bot, deps: BotDeps): void {
  bot.command(['start', 'help'], async (ctx) => {
    const { msg } = ctx;
    const inGroup = isGroup(msg.chat);
    if (inGroup) await deps.chats.meet(factsOf(msg.chat));
    const isStart = /^\/start\b/.test(msg.text);
    const place = inGroup ? 'group' : 'private';
    const present = isStart && inGroup ? await deps.configurations.ofChat(msg.chat.id) : null;
    const content = isStart ? startAnswer(place, present?.collectionName) : helpAnswer(place);
    if (!isStart || inGroup) {
      await answer(deps, msg, content);
      return;
    }
    const url = `https://t.me/${ctx.me.username}?startgroup=setup`;
    await answer(deps, msg, { ...content, buttons: [[{ text: 'Add me to a group', url }]] });
  });
}
