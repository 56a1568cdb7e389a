import { Impossible } from '../world/state.ts';
import { changeBotMembership } from './bot-membership.ts';
import { withFoundEntities } from './formatted-text.ts';
import { findChat, findUser, privateChat } from './group-life.ts';
import { isAdministrator, isInside } from './membership.ts';
import { append, findMessage, wireMessage } from './messages.ts';
import type { Chat, StoredMessage } from './telegram-state.ts';
import { anonymousBot, channelBot } from './telegram-state.ts';
import type { TelegramServer } from './telegram-server.ts';
import type { User } from './wire.ts';

/** What people do in chats. Each throws Impossible when it cannot be done. */

/**
 * `anonymous-admin`: the group itself speaks through GroupAnonymousBot. `channel`: a channel speaks (its chat id).
 * `foreign-anonymous`: GroupAnonymousBot posting as another chat, which must not count as an admin.
 */
export type Speaker =
  { userId: number } | { as: 'anonymous-admin' } | { as: 'channel' | 'foreign-anonymous'; senderChatId: number };

export type Typed = { chatId: number; text: string; threadId?: number; replyToMessageId?: number } & Speaker;

/** Types a message; the bot gets it if privacy mode allows. */
export function type(server: TelegramServer, wanted: Typed): StoredMessage {
  const { state } = server;
  const { from, senderChatId } = speakerOf(server, wanted);
  const chat = state.chats.get(wanted.chatId) ?? newPrivateChat(server, wanted.chatId, from);
  if (chat.migratedTo !== null || chat.isDeleted) throw new Impossible('That chat no longer accepts messages');
  if (senderChatId === null && chat.kind !== 'private' && !isInside(chat.members.get(from.id)?.status)) {
    throw new Impossible(`${from.first_name} is not in that chat`);
  }
  const threadId = wanted.threadId ?? null;
  if (threadId !== null && chat.topics.get(threadId)?.isDeleted !== false) throw new Impossible('No such topic');
  if (chat.kind === 'private') unblock(server, chat, from);
  const message = append(state, chat, {
    ...withFoundEntities({ text: wanted.text, entities: [] }),
    from,
    senderChatId,
    threadId,
    replyToMessageId: wanted.replyToMessageId ?? null,
    atMs: server.now().getTime(),
  });
  if (botHears(server, chat, message)) server.queue.push('message', wireMessage(state, chat, message), chat.id);
  return message;
}

function newPrivateChat(server: TelegramServer, chatId: number, from: User): Chat {
  if (chatId !== from.id) throw new Impossible(`No such chat: ${chatId}`);
  return privateChat(server, from);
}

function speakerOf(server: TelegramServer, wanted: Typed): { from: User; senderChatId: number | null } {
  if ('userId' in wanted) return { from: findUser(server, wanted.userId), senderChatId: null };
  if (wanted.as === 'anonymous-admin') return { from: anonymousBot, senderChatId: wanted.chatId };
  findChat(server, wanted.senderChatId);
  return { from: wanted.as === 'channel' ? channelBot : anonymousBot, senderChatId: wanted.senderChatId };
}

/** Writing to a blocked bot unblocks it, as pressing Start again does. */
function unblock(server: TelegramServer, chat: Chat, by: User): void {
  if (chat.members.get(server.state.bot.id)?.status === 'kicked') {
    changeBotMembership(server, chat, { status: 'member', by });
  }
}

/** Privacy mode (Bot API, 'Features'): in groups a bot that is not an admin gets commands, replies to it and mentions. */
function botHears({ state }: TelegramServer, chat: Chat, message: StoredMessage): boolean {
  const { bot } = state;
  const member = chat.members.get(bot.id);
  if (!isInside(member?.status)) return false;
  if (chat.kind === 'private' || isAdministrator(member)) return true;
  const replied = message.replyToMessageId === null ? undefined : findMessage(chat, message.replyToMessageId);
  if (replied?.from.id === bot.id) return true;
  const text = message.text ?? '';
  const command = /^\/[a-zA-Z0-9_]+(@[a-zA-Z0-9_]+)?/.exec(text);
  const isForUs = command?.[1] === undefined || command[1].toLowerCase() === `@${bot.username?.toLowerCase()}`;
  return command ? isForUs : text.toLowerCase().includes(`@${bot.username?.toLowerCase()}`);
}

export type EditTyped = { chatId: number; messageId: number; text: string };

/** A person edits what they wrote. */
export function editTyped(server: TelegramServer, wanted: EditTyped): StoredMessage {
  const chat = findChat(server, wanted.chatId);
  const message = findMessage(chat, wanted.messageId);
  if (!message || message.from.id === server.state.bot.id) throw new Impossible('No such message written by a person');
  const { text, source } = message;
  message.edits.push({ atMs: server.now().getTime(), text, source, buttons: [] });
  Object.assign(message, withFoundEntities({ text: wanted.text, entities: [] }));
  if (botHears(server, chat, message)) {
    server.queue.push('edited_message', wireMessage(server.state, chat, message), chat.id);
  }
  return message;
}

export type Press = { chatId: number; messageId: number; userId: number; button: string };

/** Presses an inline button, named by its text, its callback data, or `row,column` counted from 0. Returns the callback's id. */
export function press(server: TelegramServer, wanted: Press): string {
  const { state } = server;
  const chat = findChat(server, wanted.chatId);
  const message = findMessage(chat, wanted.messageId);
  if (!message) throw new Impossible('No such message');
  const button = (message.replyMarkup?.inline_keyboard ?? [])
    .flatMap((row, rowIndex) => row.map((each, index) => ({ each, place: `${rowIndex},${index}` })))
    .find(({ each, place }) => [each.text, each.callback_data, place].includes(wanted.button))?.each;
  if (!button) throw new Impossible(`No such button: ${wanted.button}`);
  if (button.callback_data === undefined) throw new Impossible('That button has no callback');
  state.lastCallbackId += 1;
  const id = String(state.lastCallbackId);
  state.openCallbacks.set(id, { chatId: chat.id, messageId: message.messageId, userId: wanted.userId });
  server.queue.push(
    'callback_query',
    {
      id,
      // A press names the person, even an anonymous admin.
      from: findUser(server, wanted.userId),
      message: wireMessage(state, chat, message),
      chat_instance: String(Math.abs(chat.id) * 7),
      data: button.callback_data,
    },
    chat.id,
  );
  return id;
}
