import type { Bot } from 'grammy';
import type { Message } from 'grammy/types';

import { adminsOnly, notYourSetup } from '../core/chat-texts.ts';
import type { MessageContent } from '../core/message-content.ts';
import { asksForSupply, setupExpired, supplyRefused } from '../core/setup-texts.ts';
import { parseSupply } from '../core/supply-answer.ts';
import { isSupplyDoubt, supplyDoubt } from '../core/supply-doubt.ts';
import { answer, factsOf, isGroup } from './answering.ts';
import type { AnswerOptions, BotDeps } from './bot-deps.ts';
import { finishSetup } from './finish-setup.ts';
import { adminUnknown, maySetUp } from './group-commands.ts';
import { commandWord } from './plain-command.ts';
import { speakerOf } from './speaker.ts';

/**
 * The number that a group admin replies with, asked for by 'Enter another'; from the one who began the setup. Whichever of its
 * questions is replied to, the first or one that refused a number, counts.
 */
export function addSupplyReply(bot: Bot, deps: BotDeps): void {
  bot.on('message:text', async (ctx, next) => {
    const { msg } = ctx;
    const asked = msg.reply_to_message;
    if (!isGroup(msg.chat) || asked === undefined || !isSupplyReply(msg, ctx.me.id)) return next();
    const content = await answerTo(deps, msg, asked.message_id);
    const tell = () => answer(deps, msg, content.message, content.options);
    await (content.isOnce === true ? deps.chats.tellOnce(msg.chat.id, speakerOf(msg).id, tell) : tell());
    return undefined;
  });
}

/** Telegram makes a reply of whatever is typed while the question stands open: a command remains a command. */
export const isSupplyReply = (message: Message, botId: number): boolean =>
  message.text !== undefined &&
  commandWord(message) === null &&
  message.reply_to_message?.from?.id === botId &&
  isQuestion(message.reply_to_message.text ?? '');

const isQuestion = (text: string): boolean => asksForSupply(text) || isSupplyDoubt(text);

interface Answer {
  readonly message: MessageContent;
  readonly options?: AnswerOptions;
  /** Nothing for somebody who was told before. */
  readonly isOnce?: boolean;
}

async function answerTo(deps: BotDeps, msg: Message & { text: string }, askedId: number): Promise<Answer> {
  const chat = { id: msg.chat.id, title: factsOf(msg.chat).title };
  const speaker = speakerOf(msg);
  const isAllowed = await maySetUp(deps, chat.id, speaker, true);
  if (isAllowed === null) return { message: adminUnknown, options: { kind: 'question' } };
  if (!isAllowed) return { message: adminsOnly(), options: { kind: 'question' }, isOnce: true };
  const pending = await deps.setups.read(chat.id);
  const typed = parseSupply(msg.text, pending?.found.mintedCount);
  if (pending === null && typed.kind === 'supply') {
    return { message: await finishSetup(deps, { chat, pending, maxSupply: typed.supply, by: speaker }) };
  }
  // An older setup's question does not answer a newer one.
  if (pending?.step !== 'enter-supply' || askedId < (pending.promptMessageId ?? 0)) return { message: setupExpired() };
  if (speaker.id !== pending.startedBy) return { message: notYourSetup(), isOnce: true };
  if (typed.kind === 'refused') return { message: supplyRefused(typed.problem), options: { forceReply: true } };
  const doubt = supplyDoubt({
    found: pending.found,
    supply: typed.supply,
    repliesTo: msg.reply_to_message?.text ?? '',
  });
  if (doubt !== null) return { message: doubt, options: { forceReply: true } };
  return { message: await finishSetup(deps, { chat, pending, maxSupply: typed.supply, by: speaker }) };
}
