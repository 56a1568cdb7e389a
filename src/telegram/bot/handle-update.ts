import type { Api } from 'grammy';
import type { CallbackQuery, Message, Update, UserFromGetMe } from 'grammy/types';
import { databaseOutage } from '../../db/outage.ts';
import { commandNamed } from '../commands/command-table.ts';
import type { Command, CommandCall } from '../commands/command.ts';
import { removeOrKeep } from '../commands/remove.ts';
import { askForSupply, cancelSetup, takeSupply, useSupply } from '../commands/setup-answers.ts';
import { startAnswer } from '../commands/start.ts';
import { type BotAction, parseAction } from '../commands/texts/callback-data.ts';
import { changeSettings } from '../commands/tracking.ts';
import {
  adminsOnly,
  adminsOnlyPress,
  adminUnknown,
  brokenAnswer,
  commandsOnly,
  groupOnly,
  outdatedPress,
  unknownCommand,
} from '../cards/chat-texts.ts';
import { hasLeft } from '../configs/chat-store.ts';
import type { FloodLimiter } from './admit-updates.ts';
import { answer, authorOf, factsOf, isGroup, nameOf, popupText, topicOf } from '../commands/answering.ts';
import type { BotDeps, Press, AddReply, TelegramParts } from '../bot-deps.ts';
import { hasMigratedTo, membershipOf, noteGroupChange, noteMembership } from './membership.ts';
import { isSupplyReply, notACommand, type UpdateRequest } from './read-request.ts';
import type { Refusal } from './update-jobs.ts';

export interface UpdateHandlerDeps extends TelegramParts {
  readonly api: Api;
  readonly me: () => Promise<UserFromGetMe>;
  readonly limiter: Pick<FloodLimiter, 'notices'>;
}

/** Answers stored updates, from polling or webhook: those that their senders may send, and the others. */
export function createUpdateHandler({ api, me, limiter, ...parts }: UpdateHandlerDeps) {
  return {
    /**
     * Failures are logged, and the chat gets a short notice. Throws only if the database is unavailable, so that the
     * update is retried.
     */
    handle: async (update: Update, request: UpdateRequest, addReply: AddReply): Promise<void> => {
      try {
        await dispatch({ ...parts, api, addReply }, await me(), update, request);
      } catch (error) {
        const details = { err: error, updateId: update.update_id };
        if (databaseOutage(error) !== null) {
          parts.log.warn(details, 'A Telegram update could not be handled yet; it will be retried');
          throw error;
        }
        parts.log.error(details, 'A Telegram update could not be handled');
        const { message, callback_query: press } = update;
        if (press !== undefined) popUp(api, press, { text: popupText(brokenAnswer()), show_alert: true });
        else if (request.command !== null && message !== undefined) answer({ addReply }, message, brokenAnswer());
      }
    },
    /** Answers that this is for group admins; in the chat only as often as the flood limiter allows. */
    refuse: ({ update, request, reason }: Refusal, addReply: AddReply): void => {
      const { message, callback_query: press } = update;
      const isUnknown = reason === 'admins-unknown';
      if (press !== undefined)
        popUp(api, press, { text: isUnknown ? popupText(adminUnknown()) : adminsOnlyPress, show_alert: true });
      else if (message === undefined) return;
      else if (isUnknown) answer({ addReply }, message, adminUnknown());
      else if (limiter.notices(request)) answer({ addReply }, message, adminsOnly(request.author === 'other'));
    },
  };
}

/** Shown only to the person who pressed, so the group is not disturbed. The call is not awaited; without it the button keeps spinning. */
function popUp(
  api: Pick<Api, 'answerCallbackQuery'>,
  { id }: Pick<CallbackQuery, 'id'>,
  popup: { readonly text: string; readonly show_alert: boolean },
): void {
  void api.answerCallbackQuery(id, popup).catch(() => {});
}

async function dispatch(deps: BotDeps, me: UserFromGetMe, update: Update, request: UpdateRequest): Promise<void> {
  const { message, callback_query: press, my_chat_member: change } = update;
  if (press !== undefined) return takePress(deps, press);
  if (change !== undefined) return noteOwnMembership(deps, change);
  if (message === undefined) return undefined;
  if (request.kind === 'chat-change') return noteGroupChange(deps, message);
  if (request.isGroup && isSupplyReply(message, me.id)) return takeSupply(deps, message);
  const command = commandNamed(request.command ?? '');
  if (command !== null) return runCommand(command, { message, me, deps });
  return answer(deps, message, request.command === notACommand ? commandsOnly() : unknownCommand());
}

async function noteOwnMembership(deps: BotDeps, change: NonNullable<Update['my_chat_member']>): Promise<void> {
  const { chat, new_chat_member: member, old_chat_member: before } = change;
  const wasInside = !hasLeft(membershipOf(before).status);
  const isNew = await noteMembership(deps, factsOf(chat), membershipOf(member), { wasInside });
  if (isNew && !(await hasMigratedTo(deps, factsOf(chat))))
    deps.addReply({ chat: factsOf(chat), topicId: null, content: startAnswer('group') });
}

async function takePress(deps: BotDeps, pressed: CallbackQuery): Promise<void> {
  const { message, data, from } = pressed;
  const action = parseAction(data ?? '');
  if (action === null || message === undefined || !isGroup(message.chat))
    return popUp(deps.api, pressed, { text: outdatedPress, show_alert: true });
  const chat = { id: message.chat.id, title: factsOf(message.chat).title };
  const by = { kind: 'person', id: from.id, name: nameOf(from) } as const;
  const text = await perform(deps, action, { message, chat, by });
  popUp(deps.api, pressed, { text: text ?? '', show_alert: false });
}

/** Returns the text of the popup over the chat, if any. */
function perform(deps: BotDeps, action: BotAction, press: Press): Promise<string | void> {
  switch (action[0]) {
    case 'remove':
      return removeOrKeep(deps, action, press);
    case 'cancel-setup':
      return cancelSetup(deps, action[1], press);
    case 'enter-supply':
      return askForSupply(deps, action[1], press);
    case 'use-supply':
      return useSupply(deps, action, press);
    case 'set':
    case 'menu':
      return changeSettings(deps, action, press);
    default:
      return action satisfies never;
  }
}

/** Runs a command where it belongs; elsewhere, answers where that is. `handleSome` (update-jobs.ts) has refused people who are not admins. */
async function runCommand(
  { name, where, handle }: Command,
  { message, me, deps }: { readonly message: Message; readonly me: UserFromGetMe; readonly deps: BotDeps },
): Promise<void> {
  const call = callOf(message, me, deps);
  if (call.place === 'group') await meetGroup(deps, message);
  else if (where === 'groups') return call.answer(groupOnly(name));
  await handle(call, deps);
}

const callOf = (message: Message, me: UserFromGetMe, deps: BotDeps): CommandCall => ({
  place: isGroup(message.chat) ? 'group' : 'private',
  chatId: message.chat.id,
  topicId: topicOf(message),
  author: authorOf(message),
  typed: /^\S+\s+(.*)$/s.exec(message.text ?? '')?.[1]?.trim() ?? '',
  me,
  answer: (content, options) => answer(deps, message, content, options),
});

/** Two clocks are involved, and a command from just before the bot's removal may be read after it. */
const clockSlackMs = 60_000;

const asMember = { status: 'member', canSendMessages: true, canSendPhotos: true } as const;

/**
 * Makes sure that the group has its row. A command there shows that the bot is a member, even if its return was never
 * reported: Telegram keeps an update for a day (Bot API, Getting updates). Otherwise the bot would answer but post
 * nothing, and the configuration would be purged after 30 days.
 */
async function meetGroup(deps: BotDeps, { chat, date }: Pick<Message, 'chat' | 'date'>): Promise<void> {
  const { chats } = deps;
  await chats.save(factsOf(chat));
  const removedAt = (await chats.read(chat.id))?.removedAt ?? null;
  if (removedAt === null || date * 1_000 < removedAt.getTime() + clockSlackMs) return;
  await noteMembership(deps, factsOf(chat), asMember, { wasInside: false });
}
