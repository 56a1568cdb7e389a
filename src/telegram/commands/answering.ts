import type { Message } from 'grammy/types';

import type { ChatFacts } from '../configs/chat-store.ts';
import { cutText, plainText, type MessageContent } from '../cards/message-html.ts';
import type { Author, BotDeps, Press } from '../bot-deps.ts';

export interface AnswerOptions {
  readonly topicId?: number | null;
  readonly forceReply?: boolean;
}

type Where = Pick<Message, 'chat' | 'is_topic_message' | 'message_thread_id'>;

/** In groups without topics a reply has a thread id too, which is not a topic. */
export const topicOf = (message: Where): number | null =>
  message.is_topic_message === true ? (message.message_thread_id ?? null) : null;

export const factsOf = (chat: Message['chat']): ChatFacts => ({
  id: chat.id,
  kind: chat.type,
  title: 'title' in chat ? (chat.title ?? '') : '',
  isForum: 'is_forum' in chat && chat.is_forum === true,
});

export const isGroup = (chat: Message['chat']): boolean => chat.type === 'group' || chat.type === 'supergroup';

/** Replies to the message in its topic. With `topicId`, posts there, not as a reply. */
export function answer(
  { addReply }: Pick<BotDeps, 'addReply'>,
  message: Where & Pick<Message, 'message_id'>,
  content: MessageContent,
  { topicId, forceReply = false }: AnswerOptions = {},
): void {
  const chat = factsOf(message.chat);
  if (topicId !== undefined) return addReply({ chat, topicId, content });
  addReply({ chat, topicId: topicOf(message), content: { ...content, replyTo: message.message_id, forceReply } });
}

/** Replaces the message of the pressed button as soon as the limits of its chat allow, like any answer. */
export function editMessage(
  { addReply }: Pick<BotDeps, 'addReply'>,
  { message }: Press,
  content: MessageContent,
): void {
  // Telegram hides the content of an old message (Bot API, InaccessibleMessage), which is then treated as text.
  const isCaption = 'photo' in message && message.photo !== undefined;
  const edits = { messageId: message.message_id, isCaption };
  addReply({ chat: factsOf(message.chat), topicId: topicOfPressed(message), content: { ...content, edits } });
}

export const topicOfPressed = (message: Press['message']): number | null =>
  message.date === 0 ? null : topicOf(message);

/** Plain text for the popup over a pressed button (Bot API: at most 200 characters). */
export const popupText = (content: MessageContent): string => cutText(plainText(content.html), 200);

/** @GroupAnonymousBot represents every anonymous admin of every group, so its id proves nothing about this one. */
const groupAnonymousBotId = 1087968824;

/**
 * Rulings R4: an anonymous admin is recognized by `sender_chat` being the group itself. A linked channel, or any other
 * chat on whose behalf a message was written, is no admin.
 */
export function authorOf(message: Pick<Message, 'chat' | 'from' | 'sender_chat'>): Author {
  const { chat, from, sender_chat: behalf } = message;
  if (behalf !== undefined) {
    const kind = behalf.id === chat.id ? 'anonymous-admin' : 'other';
    return { kind, id: behalf.id, name: kind === 'anonymous-admin' ? 'Anonymous admin' : 'A channel' };
  }
  if (from === undefined || from.id === groupAnonymousBotId)
    return { kind: 'other', id: from?.id ?? 0, name: 'Nobody' };
  return { kind: 'person', id: from.id, name: nameOf(from) };
}

/** For the audit log. The privacy policy mentions only a messenger user ID: names are not kept. */
export const nameOf = ({ id }: { readonly id: number }): string => `Telegram user ${id}`;

export const actorOf = ({ id, name }: Pick<Author, 'id' | 'name'>) =>
  ({ kind: 'telegram', userId: String(id), name }) as const;
