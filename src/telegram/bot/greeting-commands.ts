import type { Bot, CommandContext, Context } from 'grammy';

import { helpAnswer, startAnswer } from '../core/start-texts.ts';
import { answer, isGroup } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { meetGroup } from './meet-group.ts';

/** /start and /help, in private and in groups. */
export function addGreetingCommands(bot: Bot, deps: BotDeps): void {
  const greet = async (ctx: CommandContext<Context>): Promise<void> => {
    const { msg } = ctx;
    const inGroup = isGroup(msg.chat);
    if (inGroup) await meetGroup(deps, msg);
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
  };
  bot.command(['start', 'help'], greet);
}
