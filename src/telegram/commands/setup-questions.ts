import { rewrite, topicOf } from '../bot/answering.ts';
import type { BotDeps, Press } from '../bot/bot-deps.ts';
import type { PendingSetup } from './setup-store.ts';
import { confirmSupply, enterSupply, setupExpired, setupKeyOf } from './texts/setup-texts.ts';

/** A button's reference to its setup. */
export interface OfSetup {
  readonly setupKey?: string;
}

/** The pending setup of a pressed question; null: expired. An interruption may ask it twice: either one counts. */
export async function setupOf(
  { setups }: BotDeps,
  { setupKey }: OfSetup,
  { chat, messageId }: Press,
): Promise<PendingSetup | null> {
  const pending = await setups.read(chat.id);
  if (pending === null) return null;
  return pending.promptMessageId === messageId || setupKeyOf(pending.found) === setupKey ? pending : null;
}

/** 'Replace': continues with the supply. */
export async function confirmReplacing(deps: BotDeps, action: OfSetup, press: Press): Promise<string> {
  const pending = await pendingOf(deps, action, press);
  if (pending === null) return '';
  // A second press, or a repeated one whose answer was lost, finds the next question asked.
  if (pending.step === 'confirm-replace') {
    const messageId = await ask(deps, press, confirmSupply(pending.found));
    await deps.setups.goOn(press.chat.id, 'confirm-supply', messageId);
  }
  await withoutButtons(press);
  return '';
}

/** 'Enter another': requests a reply, as a bot gets little else in a group. Stores where the setup's questions begin. */
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

/** null, and says so, when it has expired. */
async function pendingOf(deps: BotDeps, action: OfSetup, press: Press): Promise<PendingSetup | null> {
  const pending = await setupOf(deps, action, press);
  if (pending === null) await rewrite(press.ctx, setupExpired());
  return pending;
}

/** A reply to the /setup, so that Telegram asks its author to reply. */
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

/** Removes the buttons of an answered question. */
const withoutButtons = async ({ ctx }: Press): Promise<void> => {
  await ctx.editMessageReplyMarkup({ reply_markup: { inline_keyboard: [] } }).catch(() => {});
};
