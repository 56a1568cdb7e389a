import type { Chat, StoredMessage, TelegramState } from './telegram-state.ts';
import type { User } from './wire.ts';

/** How many messages a chat remembers. */
const keptMessages = 200;

/** A `Chat` as sent over the wire. */
export function wireChat(state: TelegramState, chat: Chat): Record<string, unknown> {
  if (chat.kind !== 'private') {
    return { id: chat.id, title: chat.title, type: chat.kind, ...(chat.isForum && { is_forum: true }) };
  }
  const user = state.users.get(chat.id);
  return {
    id: chat.id,
    first_name: user?.first_name ?? chat.title,
    ...(user?.last_name !== undefined && { last_name: user.last_name }),
    ...(user?.username !== undefined && { username: user.username }),
    type: 'private',
  };
}

/** A `User` as it appears in messages, without the fields that only getMe has. */
function wireUser({ id, is_bot, first_name, last_name, username, language_code }: User): User {
  return {
    id,
    is_bot,
    first_name,
    ...(last_name !== undefined && { last_name }),
    ...(username !== undefined && { username }),
    ...(language_code !== undefined && { language_code }),
  };
}

export type NewMessage = Pick<StoredMessage, 'from' | 'atMs'> & Partial<StoredMessage>;

/** Adds a message to the end of a chat's history. */
export function append(state: TelegramState, chat: Chat, wanted: NewMessage): StoredMessage {
  const message: StoredMessage = {
    senderChatId: null,
    threadId: null,
    replyToMessageId: null,
    text: null,
    entities: [],
    source: null,
    parseMode: null,
    photo: null,
    replyMarkup: null,
    otherMarkup: null,
    service: null,
    isSilent: false,
    edits: [],
    ...wanted,
    messageId: nextMessageId(state, chat),
  };
  chat.messages.push(message);
  if (chat.messages.length > keptMessages) chat.messages.shift();
  return message;
}

function nextMessageId(state: TelegramState, chat: Chat): number {
  if (chat.kind === 'supergroup' || chat.kind === 'channel') return (chat.lastMessageId += 1);
  state.lastSharedMessageId += 1;
  return (chat.lastMessageId = state.lastSharedMessageId);
}

export function findMessage(chat: Chat, messageId: number): StoredMessage | undefined {
  return chat.messages.find((each) => each.messageId === messageId);
}

/** A `Message` as sent over the wire. */
export function wireMessage(
  state: TelegramState,
  chat: Chat,
  message: StoredMessage,
  withReply = true,
): Record<string, unknown> {
  const senderChat = message.senderChatId === null ? undefined : state.chats.get(message.senderChatId);
  const replied = message.replyToMessageId === null ? undefined : findMessage(chat, message.replyToMessageId);
  const edited = message.edits.at(-1);
  return {
    message_id: message.messageId,
    ...(message.threadId !== null && { message_thread_id: message.threadId, is_topic_message: true }),
    from: wireUser(message.from),
    ...(senderChat && { sender_chat: wireChat(state, senderChat) }),
    chat: wireChat(state, chat),
    date: Math.floor(message.atMs / 1000),
    ...(edited && { edit_date: Math.floor(edited.atMs / 1000) }),
    ...(replied && withReply && { reply_to_message: wireMessage(state, chat, replied, false) }),
    ...content(message),
    ...(message.replyMarkup && { reply_markup: message.replyMarkup }),
    ...message.service,
  };
}

function content({ photo, text, entities }: StoredMessage): Record<string, unknown> {
  const marked = entities.length > 0;
  if (!photo) return text === null ? {} : { text, ...(marked && { entities }) };
  return {
    photo,
    ...(text !== null && text !== '' && { caption: text, ...(marked && { caption_entities: entities }) }),
  };
}
