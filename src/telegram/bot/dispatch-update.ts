import { Context, GrammyError } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';

import { commandNamed } from '../commands/command-table.ts';
import { runCommand } from '../commands/command.ts';
import { takeSupply } from '../commands/setup-answers.ts';
import { commandsOnly, unknownCommand } from '../commands/texts/chat-texts.ts';
import { chatRefusal } from '../send/read-answer.ts';
import { answer } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { takeChatEvent } from './chat-events.ts';
import { takePress } from './press.ts';
import { type Asked, isSupplyReply, otherWords } from './read-asked.ts';

/** Routes an update: a command, a press, an answer to a question of the bot, or a change of a group. */
export async function dispatchUpdate(deps: BotDeps, me: UserFromGetMe, update: Update, asked: Asked): Promise<void> {
  try {
    await dispatch(deps, me, update, asked);
  } catch (error) {
    if (!(await isChatTrouble(deps, asked.chatId, error))) throw error;
  }
}

async function dispatch(deps: BotDeps, me: UserFromGetMe, update: Update, asked: Asked): Promise<void> {
  const { message } = update;
  const ctx = new Context(update, deps.api, me);
  if (ctx.has('callback_query:data')) return takePress(deps, ctx);
  if (asked.kind === 'event') return takeChatEvent(deps, update);
  if (message === undefined) return undefined;
  if (asked.isGroup && isSupplyReply(message, me.id)) return takeSupply(deps, message);
  const command = commandNamed(asked.command ?? '');
  if (command !== null) return runCommand(command, { message, me, deps });
  await answer(deps, message, asked.command === otherWords ? commandsOnly() : unknownCommand());
  return undefined;
}

/**
 * A chat in which the bot may not write, or that Telegram does not know: nothing is broken here, and an apology would
 * not arrive. Recorded as the chat's trouble, and logged the first time.
 */
async function isChatTrouble({ chats, log }: BotDeps, chatId: number, error: unknown): Promise<boolean> {
  if (!(error instanceof GrammyError)) return false;
  const { error_code: code, description, parameters } = error;
  const refusal = parameters.migrate_to_chat_id === undefined ? chatRefusal(code, description) : 'topic';
  if (refusal === null) return false;
  const isNews = refusal === 'topic' || (await chats.noteTrouble(chatId, description));
  if (isNews) log.info({ chatId, description }, 'Telegram does not let the bot write in a chat');
  return true;
}
