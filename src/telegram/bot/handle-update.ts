import { type Api, Context, GrammyError } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { databaseOutage } from '../../db/outage.ts';
import { Unavailable } from '../../shared/failure.ts';
import { commandNamed } from '../commands/command-table.ts';
import { runCommand } from '../commands/command.ts';
import { removeOrKeep } from '../commands/remove.ts';
import { askForSupply, cancelSetup, confirmReplacing, takeSupply, useSupply } from '../commands/setup-answers.ts';
import { startAnswer } from '../commands/start.ts';
import { type BotAction, parseAction } from '../commands/texts/callback-data.ts';
import { changeSettings } from '../commands/tracking.ts';
import {
  adminsOnlyPress,
  adminUnknown,
  brokenAnswer,
  commandsOnly,
  outdatedPress,
  unknownCommand,
} from '../commands/texts/chat-texts.ts';
import { isOutside } from '../configs/chat-store.ts';
import { apiFailureOf, askedWaitMs } from '../send/bot-api.ts';
import { chatRefusal } from '../send/message.ts';
import { answer, factsOf, isGroup, type SayWait, topicOf, windowText } from './answering.ts';
import type { BotDeps, Press } from './bot-deps.ts';
import { membershipOf, noteGroupChange, noteMembership } from './membership.ts';
import { nameOf } from './group-admins.ts';
import { type Asked, isSupplyReply, otherWords } from './read-asked.ts';
import type { Log } from '../../process/logger.ts';

interface UpdateHandlerDeps {
  readonly dispatch: (update: Update, asked: Asked) => Promise<void>;
  /** Tells the chat briefly that something failed; must not throw. */
  readonly apologise: (update: Update, asked: Asked) => Promise<void>;
  /** The chat is over its limit for answers; must not throw. */
  readonly sayWait: SayWait;
  readonly log: Log;
}

/**
 * Handles one update, from polling or webhook. Failures are logged, and the chat gets a short notice. Throws only if
 * the database or Telegram is unavailable: then the update is to be tried again. If a limit is used up the chat learns
 * for how long.
 */
export function createUpdateHandler({ dispatch, apologise, sayWait, log }: UpdateHandlerDeps) {
  return async (update: Update, asked: Asked): Promise<void> => {
    try {
      await dispatch(update, asked);
    } catch (error) {
      const waitMs = limitOf(error);
      const details = { err: error, updateId: update.update_id };
      if (waitMs !== null) {
        log.info({ updateId: update.update_id }, 'A chat was asked more than its limit lets the bot answer');
        // 'Admins only' is said only while the limit has room; otherwise nothing.
        if (asked.kind === 'question') await sayWait(update, waitMs);
      } else if (databaseOutage(error) !== null || isTelegramGone(error)) {
        log.warn(details, 'An update of Telegram could not be handled yet; it is tried again');
        throw error;
      } else {
        log.error(details, 'An update of Telegram could not be handled');
        await apologise(update, asked);
      }
    }
  };
}

const isTelegramGone = (error: unknown): boolean => {
  const kind = apiFailureOf(error)?.kind;
  return kind === 'network' || kind === 'upstream-error';
};

/** How long a limit is used up; null: the error is another one. */
function limitOf(error: unknown): number | null {
  if (error instanceof Unavailable && error.reason === 'rate-limited') return error.retryAfterMs ?? 0;
  if (!(error instanceof GrammyError) || error.error_code !== 429) return null;
  return askedWaitMs(error.parameters.retry_after) ?? 0;
}

/** Sends a short apology to the caller. Never throws. */
export const createApology =
  ({ api, sendNow }: Pick<BotDeps, 'sendNow'> & { readonly api: Pick<Api, 'answerCallbackQuery'> }) =>
  async ({ message, callback_query: query }: Update, { kind }: Asked): Promise<void> => {
    if (query !== undefined) {
      const text = windowText(brokenAnswer());
      await api.answerCallbackQuery(query.id, { text, show_alert: true }).catch(() => {});
    } else if (message?.text?.startsWith('/') === true) {
      const reply = { replyTo: message.message_id, ...(kind === 'question' && { kind }) };
      await sendNow(message.chat.id, topicOf(message), brokenAnswer(), reply).catch(() => {});
    }
  };

/** Routes an update: a command, a press, an answer to a question of the bot, or a change of a group. */
export async function dispatchUpdate(deps: BotDeps, me: UserFromGetMe, update: Update, asked: Asked): Promise<void> {
  try {
    await dispatch(deps, me, update, asked);
  } catch (error) {
    if (!(await isChatTrouble(deps, asked.chatId, error))) throw error;
  }
}

async function dispatch(deps: BotDeps, me: UserFromGetMe, update: Update, asked: Asked): Promise<void> {
  const { message, my_chat_member: change } = update;
  const ctx = new Context(update, deps.api, me);
  if (ctx.has('callback_query:data')) return takePress(deps, ctx);
  if (change !== undefined) return noteOwnMembership(deps, change);
  if (message === undefined) return undefined;
  if (asked.kind === 'event') return noteGroupChange(deps, message);
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

async function noteOwnMembership(deps: BotDeps, change: NonNullable<Update['my_chat_member']>): Promise<void> {
  const { chat, new_chat_member: member, old_chat_member: before } = change;
  const wasInside = !isOutside(membershipOf(before).status);
  const isNew = await noteMembership(deps, factsOf(chat), membershipOf(member), wasInside);
  if (isNew) await deps.sendNow(chat.id, null, startAnswer('group'));
}

/** A button was pressed; only Telegram's word that the presser is an admin counts, not who was asked (rulings R4). */
async function takePress(deps: BotDeps, ctx: Press['ctx']): Promise<void> {
  const { message, data, from } = ctx.callbackQuery;
  const action = parseAction(data);
  if (action === null || message === undefined || !isGroup(message.chat)) return notice(ctx, outdatedPress);
  const isAllowed = await deps.admins.isAdmin(message.chat.id, from.id, isDecision(action));
  if (isAllowed !== true) return notice(ctx, isAllowed === null ? windowText(adminUnknown()) : adminsOnlyPress);
  const chat = { id: message.chat.id, title: factsOf(message.chat).title };
  const by = { kind: 'person', id: from.id, name: nameOf(from) } as const;
  const text = await perform(deps, action, { ctx, chat, messageId: message.message_id, by });
  await ctx.answerCallbackQuery(text ? { text } : {}).catch(() => {});
}

/** Cannot be undone with one press: then even a 5 s old list of admins is too old. */
const isDecision = ({ kind }: BotAction): boolean => ['use-supply', 'replace', 'remove', 'enter-supply'].includes(kind);

/** Shown to the presser alone: no noise for the group. */
const notice = async (ctx: Press['ctx'], text: string): Promise<void> => {
  await ctx.answerCallbackQuery({ text, show_alert: true }).catch(() => {});
};

/** Returns what to show briefly over the chat, if anything. */
async function perform(deps: BotDeps, action: BotAction, press: Press): Promise<string | void> {
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
