import type { Context } from 'grammy';

import { keptAnswer, removedAnswer } from '../commands/remove.ts';
import { askForSupply, cancelSetup, confirmReplacing, useSupply } from '../commands/setup-answers.ts';
import { adminsOnlyPress, adminUnknown, notConfigured, outdatedPress } from '../commands/texts/chat-texts.ts';
import { type BotAction, parseAction } from '../commands/texts/callback-data.ts';
import { trackingMessage } from '../commands/texts/tracking-menu.ts';
import { outcomeOf, type TrackingAction } from '../commands/texts/tracking-options.ts';
import { changeConfiguration, removeConfiguration } from '../configs/configuring.ts';
import { factsOf, isGroup, rewrite, windowText } from './answering.ts';
import type { BotDeps, Press } from './bot-deps.ts';
import { actorOf, nameOf } from './speaker.ts';

/** A button was pressed; only Telegram's word that the presser is an admin counts, not who was asked (rulings R4). */
export async function takePress(deps: BotDeps, ctx: Press['ctx']): Promise<void> {
  const { message, data, from } = ctx.callbackQuery;
  const action = parseAction(data);
  if (action === null || message === undefined || !isGroup(message.chat)) return notice(ctx, outdatedPress);
  const isAllowed = await deps.admins.isAdmin(message.chat.id, from.id, isDecision(action));
  if (isAllowed !== true) return notice(ctx, isAllowed === null ? windowText(adminUnknown()) : adminsOnlyPress);
  const chat = { id: message.chat.id, title: factsOf(message.chat).title };
  const by = { kind: 'person', id: from.id, name: nameOf(from) } as const;
  const text = await perform(deps, action, { ctx, chat, messageId: message.message_id, by });
  await ctx.answerCallbackQuery(text === '' ? {} : { text }).catch(() => {});
}

/** Cannot be undone with one press: then even a 5 s old list of admins is too old. */
const isDecision = (action: BotAction): boolean =>
  action.kind === 'use-supply' ||
  action.kind === 'replace' ||
  action.kind === 'remove' ||
  action.kind === 'enter-supply';

/** Shown to the presser alone: no noise for the group. */
const notice = async (ctx: Context, text: string): Promise<void> => {
  await ctx.answerCallbackQuery({ text, show_alert: true }).catch(() => {});
};

/** Returns what to show briefly over the chat. */
async function perform(deps: BotDeps, action: BotAction, press: Press): Promise<string> {
  switch (action.kind) {
    case 'remove':
      return removeOrKeep(deps, action, press);
    case 'replace':
      return action.isYes ? confirmReplacing(deps, action, press) : cancelSetup(deps, action, press);
    case 'cancel-setup':
      return cancelSetup(deps, action, press);
    case 'enter-supply':
      return askForSupply(deps, action, press);
    case 'use-supply':
      return useSupply(deps, action, press);
    default:
      return changeSettings(deps, action, press);
  }
}

async function removeOrKeep(
  deps: BotDeps,
  { isYes, configurationId }: Extract<BotAction, { kind: 'remove' }>,
  { ctx, chat, by }: Press,
): Promise<string> {
  const present = await deps.configurations.ofChat(chat.id);
  if (present === null) {
    await rewrite(ctx, notConfigured());
    return '';
  }
  // The question was about another collection than the one the group follows now.
  if (present.id !== configurationId) return outdatedPress;
  if (!isYes) {
    await rewrite(ctx, keptAnswer(present.collectionName));
    return '';
  }
  const removal = { actor: actorOf(by), action: 'telegram-configuration-removed', ifVersion: null };
  await removeConfiguration(deps, present.id, removal);
  await rewrite(ctx, removedAnswer(present.collectionName));
  return '';
}

async function changeSettings(deps: BotDeps, action: TrackingAction, { ctx, chat, by }: Press): Promise<string> {
  const present = await deps.configurations.ofChat(chat.id);
  if (present === null) {
    await rewrite(ctx, notConfigured());
    return '';
  }
  const { change, menu, notice: said } = outcomeOf(action);
  const saved = { actor: actorOf(by), action: 'telegram-tracking-changed', ifVersion: null };
  const changed = change === null ? null : await changeConfiguration(deps, present.id, change, saved);
  const settings = changed?.kind === 'changed' ? changed.configuration : present;
  await rewrite(ctx, trackingMessage(menu, { collectionName: present.collectionName, settings }));
  return said;
}
