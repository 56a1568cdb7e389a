import { rewrite, topicOf } from '../bot/answering.ts';
import type { BotDeps, Press } from '../bot/bot-deps.ts';
import type { PendingSetup } from './setup-store.ts';
import { confirmSupply, enterSupply, setupExpired, setupKeyOf } from './texts/setup-texts.ts';

/** What a button of a setup's question says of that setup. */
export interface OfSetup {
  readonly setupKey?: string;
}

/**
 * The pending setup to which a pressed question belongs; null: that one is over. A setup that was interrupted asks once more: the
 * buttons of either question count, because both ask the same.
 */
export async function setupOf(
  { setups }: BotDeps,
  { setupKey }: OfSetup,
  { chat, messageId }: Press,
): Promise<PendingSetup | null> {
  const pending = await setups.read(chat.id);
  if (pending === null) return null;
  return pending.promptMessageId === messageId || setupKeyOf(pending.found) === setupKey ? pending : null;
}

/** 'Replace': on to the supply. */
export async function confirmReplacing(deps: BotDeps, action: OfSetup, press: Press): Promise<string> {
  const pending = await pendingOf(deps, action, press);
  if (pending === null) return '';
  // A second press, or one that comes again after its answer was lost, finds the next question asked.
  if (pending.step === 'confirm-replace') {
    const messageId = await ask(deps, press, confirmSupply(pending.found));
    await deps.setups.goOn(press.chat.id, 'confirm-supply', messageId);
  }
  await withoutButtons(press);
  return '';
}

/**
 * 'Enter another': the answer is a reply, because a bot hears little else in a group. What is kept is the message that was
 * pressed: whatever was asked after it belongs to this setup.
 */
export async function askForSupply(deps: BotDeps, action: OfSetup, press: Press): Promise<string> {
  const pending = await pendingOf(deps, action, press);
  if (pending === null) return '';
  if (pending.step === 'confirm-supply') {
    await ask(deps, press, enterSupply(pending.found), { forceReply: true });
    await deps.setups.goOn(press.chat.id, 'enter-supply', press.messageId);
  }
  await withoutButtons(press);
  return '';
}

/** null, and said so, when it is over. */
async function pendingOf(deps: BotDeps, action: OfSetup, press: Press): Promise<PendingSetup | null> {
  const pending = await setupOf(deps, action, press);
  if (pending === null) await rewrite(press.ctx, setupExpired());
  return pending;
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
