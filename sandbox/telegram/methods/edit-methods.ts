import type { GivenText } from '../formatted-text.ts';
import { readText, withMentions } from '../formatted-text.ts';
import { chatForBot, isAdministrator, memberOf } from '../membership.ts';
import { findMessage, wireMessage } from '../messages.ts';
import type { Parameters } from '../parameters.ts';
import { booleanOf, integerOf, textOf } from '../parameters.ts';
import { readReplyMarkup } from '../reply-markup.ts';
import type { Chat, StoredMessage } from '../telegram-state.ts';
import type { Method, TelegramServer } from '../telegram-server.ts';
import type { InlineKeyboard } from '../wire.ts';
import { badRequest } from '../wire.ts';

type Own = { chat: Chat; message: StoredMessage };

function ownMessage(server: TelegramServer, parameters: Parameters): Own {
  const chat = chatForBot(server.state, textOf(parameters, 'chat_id'));
  const messageId = integerOf(parameters, 'message_id');
  if (messageId === 0) throw badRequest('message identifier is not specified');
  const message = findMessage(chat, messageId);
  if (!message) throw badRequest('message to edit not found');
  if (message.from.id !== server.state.bot.id || message.service) throw badRequest("message can't be edited");
  return { chat, message };
}

type Change = { text?: GivenText; replyMarkup: InlineKeyboard | null };

function change(server: TelegramServer, { chat, message }: Own, wanted: Change): Record<string, unknown> {
  const entities = wanted.text ? withMentions(wanted.text.entities, server.state.users) : message.entities;
  const text = wanted.text?.text ?? message.text;
  const isSame =
    text === message.text &&
    JSON.stringify(entities) === JSON.stringify(message.entities) &&
    JSON.stringify(wanted.replyMarkup) === JSON.stringify(message.replyMarkup);
  if (isSame) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  const { source } = message;
  const buttons = buttonTexts(message.replyMarkup);
  message.edits.push({ atMs: server.now().getTime(), text: message.text, source, buttons });
  Object.assign(message, {
    text,
    entities,
    replyMarkup: wanted.replyMarkup,
    ...(wanted.text && { source: wanted.text.source, parseMode: wanted.text.parseMode }),
  });
  return wireMessage(server.state, chat, message);
}

function buttonTexts(markup: InlineKeyboard | null): string[][] {
  return markup?.inline_keyboard.map((row) => row.map(({ text }) => text)) ?? [];
}

export const editMessageText: Method = (server, parameters) => {
  const own = ownMessage(server, parameters);
  if (own.message.photo) throw badRequest('there is no text in the message to edit');
  const text = readText(parameters, 'text');
  return change(server, own, { text, replyMarkup: readReplyMarkup(parameters, true).inline });
};

export const editMessageCaption: Method = (server, parameters) => {
  const own = ownMessage(server, parameters);
  if (!own.message.photo) throw badRequest('there is no caption in the message to edit');
  const text = readText(parameters, 'caption');
  return change(server, own, { text, replyMarkup: readReplyMarkup(parameters, true).inline });
};

export const editMessageReplyMarkup: Method = (server, parameters) =>
  change(server, ownMessage(server, parameters), { replyMarkup: readReplyMarkup(parameters, true).inline });

export const deleteMessage: Method = (server, parameters) => {
  const chat = chatForBot(server.state, textOf(parameters, 'chat_id'));
  const message = findMessage(chat, integerOf(parameters, 'message_id'));
  if (!message) throw badRequest('message to delete not found');
  const bot = memberOf(chat, server.state.bot.id);
  const mayDelete = isAdministrator(bot) && bot?.rights.can_delete_messages === true;
  const isOwn = message.from.id === server.state.bot.id;
  if (!isOwn && !mayDelete && chat.kind !== 'private') throw badRequest("message can't be deleted for everyone");
  chat.messages.splice(chat.messages.indexOf(message), 1);
  return true;
};

const longestCallbackAnswer = 200;

export const answerCallbackQuery: Method = ({ state }, parameters) => {
  const id = textOf(parameters, 'callback_query_id');
  const open = state.openCallbacks.get(id);
  if (!open) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  const text = textOf(parameters, 'text') || null;
  if (text !== null && text.length > longestCallbackAnswer) throw badRequest('MESSAGE_TOO_LONG');
  state.openCallbacks.delete(id);
  state.callbackAnswers.push({
    id,
    userId: open.userId,
    chatId: open.chatId,
    text,
    showAlert: booleanOf(parameters, 'show_alert'),
  });
  if (state.callbackAnswers.length > 1000) state.callbackAnswers.shift();
  return true;
};
