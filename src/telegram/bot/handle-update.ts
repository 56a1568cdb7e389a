import type { Api } from 'grammy';
import type { CallbackQuery, Update, UserFromGetMe } from 'grammy/types';
import { databaseOutage } from '../../db/outage.ts';
import { commandNamed } from '../commands/command-table.ts';
import { runCommand } from '../commands/command.ts';
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
  outdatedPress,
  unknownCommand,
} from '../commands/texts/chat-texts.ts';
import { hasLeft } from '../configs/chat-store.ts';
import type { FloodLimiter } from './admit-updates.ts';
import { answer, factsOf, isGroup, popupText } from './answering.ts';
import type { BotDeps, Press, AddReply } from './bot-deps.ts';
import { hasMigratedTo, membershipOf, noteGroupChange, noteMembership } from './membership.ts';
import { nameOf } from './group-admins.ts';
import { type Asked, isSupplyReply, otherWords } from './read-asked.ts';
import type { Refusal } from './update-jobs.ts';
import type { Log } from '../../process/logger.ts';

interface UpdateHandlerDeps {
  readonly dispatch: (update: Update, asked: Asked, say: AddReply) => Promise<void>;
  readonly api: Pick<Api, 'answerCallbackQuery'>;
  readonly log: Log;
}

/**
 * Handles one update, from polling or webhook. Failures are logged, and the chat gets a short notice. Throws only if
 * the database is unavailable, so that the update is retried.
 */
export function createUpdateHandler({ dispatch, api, log }: UpdateHandlerDeps) {
  return async (update: Update, asked: Asked, addReply: AddReply): Promise<void> => {
    try {
      await dispatch(update, asked, addReply);
    } catch (error) {
      const details = { err: error, updateId: update.update_id };
      if (databaseOutage(error) !== null) {
        log.warn(details, 'A Telegram update could not be handled yet; it will be retried');
        throw error;
      }
      log.error(details, 'A Telegram update could not be handled');
      if (update.callback_query !== undefined) popUp(api, update.callback_query, popupText(brokenAnswer()), true);
      else if (asked.command !== null && update.message !== undefined)
        answer({ addReply }, update.message, brokenAnswer());
    }
  };
}

/** Shown only to the person who pressed, so the group is not disturbed. The call is not awaited; without it the button keeps spinning. */
function popUp(
  api: Pick<Api, 'answerCallbackQuery'>,
  { id }: { readonly id: string },
  text: string,
  isAlert: boolean,
): void {
  void api.answerCallbackQuery(id, { text, show_alert: isAlert }).catch(() => {});
}

/** Answers that this is for group admins; in the chat only as often as the flood limiter allows. */
export const createRefusal =
  (api: Pick<Api, 'answerCallbackQuery'>, rule: Pick<FloodLimiter, 'notices'>) =>
  ({ update: { message, callback_query: press }, asked, isAllowed }: Refusal, addReply: AddReply): void => {
    if (press !== undefined) popUp(api, press, isAllowed === null ? popupText(adminUnknown()) : adminsOnlyPress, true);
    else if (message === undefined) return;
    else if (isAllowed === null) answer({ addReply }, message, adminUnknown());
    else if (rule.notices(asked)) answer({ addReply }, message, adminsOnly());
  };

export async function dispatchUpdate(deps: BotDeps, me: UserFromGetMe, update: Update, asked: Asked): Promise<void> {
  const { message, callback_query: press, my_chat_member: change } = update;
  if (press !== undefined) return takePress(deps, press);
  if (change !== undefined) return noteOwnMembership(deps, change);
  if (message === undefined) return undefined;
  if (asked.kind === 'event') return noteGroupChange(deps, message);
  if (asked.isGroup && isSupplyReply(message, me.id)) return takeSupply(deps, message);
  const command = commandNamed(asked.command ?? '');
  if (command !== null) return runCommand(command, { message, me, deps });
  return answer(deps, message, asked.command === otherWords ? commandsOnly() : unknownCommand());
}

async function noteOwnMembership(deps: BotDeps, change: NonNullable<Update['my_chat_member']>): Promise<void> {
  const { chat, new_chat_member: member, old_chat_member: before } = change;
  const wasInside = !hasLeft(membershipOf(before).status);
  const isNew = await noteMembership(deps, factsOf(chat), membershipOf(member), wasInside);
  if (isNew && !(await hasMigratedTo(deps, factsOf(chat))))
    deps.addReply({ chat: factsOf(chat), topicId: null, content: startAnswer('group') });
}

async function takePress(deps: BotDeps, pressed: CallbackQuery): Promise<void> {
  const { message, data, from } = pressed;
  const action = parseAction(data ?? '');
  if (action === null || message === undefined || !isGroup(message.chat))
    return popUp(deps.api, pressed, outdatedPress, true);
  const chat = { id: message.chat.id, title: factsOf(message.chat).title };
  const by = { kind: 'person', id: from.id, name: nameOf(from) } as const;
  const text = await perform(deps, action, { message, chat, by });
  popUp(deps.api, pressed, text ?? '', false);
}

/** Returns the text of the popup over the chat, if any. */
async function perform(deps: BotDeps, action: BotAction, press: Press): Promise<string | void> {
  switch (action[0]) {
    case 'remove':
      return removeOrKeep(deps, action, press);
    case 'cancel-setup':
      return cancelSetup(deps, action[1], press);
    case 'enter-supply':
      return askForSupply(deps, action[1], press);
    case 'use-supply':
      return useSupply(deps, action, press);
    default:
      return changeSettings(deps, action, press);
  }
}
