import { confirmSupply, enterSupply, setupExpired } from '../core/setup-texts.ts';
import type { PendingSetup } from '../adapters/setup-store.ts';
import { rewrite, topicOf } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import type { Press } from './buttons.ts';

/** 'Replace': on to the supply. */
export async function confirmReplacing(deps: BotDeps, press: Press): Promise<string> {
  const pending = await pendingOf(deps, press);
  if (pending === null) return '';
  const messageId = await ask(deps, press, confirmSupply(pending.found));
  await deps.setups.goOn(press.chat.id, 'confirm-supply', messageId);
  await withoutButtons(press);
  return '';
}

/** 'Enter another': the answer is a reply, because a bot hears little else in a group. */
export async function askForSupply(deps: BotDeps, press: Press): Promise<string> {
  const pending = await pendingOf(deps, press);
  if (pending === null) return '';
  const messageId = await ask(deps, press, enterSupply(), { forceReply: true });
  await deps.setups.goOn(press.chat.id, 'enter-supply', messageId);
  await withoutButtons(press);
  return '';
}

/** The setup whose question was pressed; null, and said so, when it is over. */
async function pendingOf(deps: BotDeps, { ctx, chat, messageId }: Press): Promise<PendingSetup | null> {
  const pending = await deps.setups.read(chat.id);
  if (pending?.promptMessageId === messageId) return pending;
  await rewrite(ctx, setupExpired());
  return null;
}

/** Below the /setup that it is about, so that its author is the one who is asked to reply. */
async function ask(
  deps: BotDeps,
  { ctx, chat }: Press,
  content: ReturnType<typeof enterSupply>,
  options: { readonly forceReply?: boolean } = {},
): Promise<number> {
  const { message } = ctx.callbackQuery;
  const isReadable = message !== undefined && 'reply_to_message' in message;
  const replyTo = isReadable ? message.reply_to_message?.message_id : undefined;
  const topicId = message === undefined || message.date === 0 ? null : topicOf(message);
  const { messageId } = await deps.sendNow(chat.id, topicId, content, {
    ...options,
    ...(replyTo !== undefined && { replyTo }),
  });
  return messageId;
}

/** A question that was answered is not to be answered again. */
const withoutButtons = async ({ ctx }: Press): Promise<void> => {
  await ctx.editMessageReplyMarkup({ reply_markup: { inline_keyboard: [] } }).catch(() => {});
};
