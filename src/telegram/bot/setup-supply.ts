import type { Bot } from 'grammy';

import { adminsOnly } from '../core/chat-texts.ts';
import { supplyRefused } from '../core/setup-texts.ts';
import { parseSupply } from '../core/supply-answer.ts';
import { answer, factsOf, isGroup } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { finishSetup } from './finish-setup.ts';
import { adminUnknown, maySetUp } from './group-commands.ts';
import { speakerOf } from './speaker.ts';

/** The number that a group admin replies with, asked for by 'Enter another'; from the one who began the setup. */
export function addSupplyReply(bot: Bot, deps: BotDeps): void {
  bot.on('message:text', async (ctx, next) => {
    const { msg } = ctx;
    const repliedTo = msg.reply_to_message;
    if (!isGroup(msg.chat) || repliedTo?.from?.id !== ctx.me.id) return next();
    const pending = await deps.setups.read(msg.chat.id);
    if (pending?.step !== 'enter-supply' || pending.promptMessageId !== repliedTo.message_id) return next();
    const speaker = speakerOf(msg);
    if (speaker.id !== pending.startedBy) return undefined;
    const isAllowed = await maySetUp(deps, msg.chat.id, speaker, true);
    if (isAllowed !== true) {
      await answer(deps, msg, isAllowed === null ? adminUnknown : adminsOnly());
      return undefined;
    }
    const typed = parseSupply(msg.text);
    if (typed.kind === 'refused') {
      const promptId = await answer(deps, msg, supplyRefused(typed.problem), { forceReply: true });
      await deps.setups.goOn(msg.chat.id, 'enter-supply', promptId);
      return undefined;
    }
    const chat = { id: msg.chat.id, title: factsOf(msg.chat).title };
    await answer(deps, msg, await finishSetup(deps, { chat, pending, maxSupply: typed.supply, by: speaker }));
    return undefined;
  });
}
