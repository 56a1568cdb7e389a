import { type Context, GrammyError } from 'grammy';
import type { Message } from 'grammy/types';

import type { ChatFacts } from '../configs/chat-store.ts';
import { cutText, type MessageContent, plainText } from '../cards/parts.ts';
import { inlineKeyboard } from '../send/transport.ts';
import type { BotDeps } from './bot-deps.ts';

export interface AnswerOptions {
  readonly topicId?: number | null;
  readonly forceReply?: boolean;
}

type Where = Pick<Message, 'chat' | 'is_topic_message' | 'message_thread_id'>;

/** The topic of a message. In groups without topics a reply has a thread id as well, which is not a topic. */
export const topicOf = (message: Where): number | null =>
  message.is_topic_message === true ? (message.message_thread_id ?? null) : null;

export const factsOf = (chat: Message['chat']): ChatFacts => ({
  id: chat.id,
  kind: chat.type,
  title: 'title' in chat ? (chat.title ?? '') : '',
  isForum: 'is_forum' in chat && chat.is_forum === true,
});

export const isGroup = (chat: Message['chat']): boolean => chat.type === 'group' || chat.type === 'supergroup';

/** Replies to a message in its topic; with another topic it is no reply. */
export function answer(
  { say }: Pick<BotDeps, 'say'>,
  message: Where & Pick<Message, 'message_id'>,
  content: MessageContent,
  { topicId, forceReply = false }: AnswerOptions = {},
): void {
  const chat = factsOf(message.chat);
  if (topicId !== undefined) return say({ chat, topicId, content });
  say({ chat, topicId: topicOf(message), content: { ...content, replyTo: message.message_id, forceReply } });
}

export async function rewrite(ctx: Context, content: MessageContent): Promise<void> {
  const message = ctx.callbackQuery?.message;
  // A message older than 48 hours has no content here, so it is edited as text (Bot API, InaccessibleMessage).
  const hasPhoto = message !== undefined && 'photo' in message && message.photo !== undefined;
  const markup = { reply_markup: inlineKeyboard(content.buttons) };
  try {
    if (hasPhoto) await ctx.editMessageCaption({ caption: content.html, parse_mode: 'HTML', ...markup });
    else
      await ctx.editMessageText(content.html, {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...markup,
      });
  } catch (error) {
    if (!isUnchanged(error)) throw error;
  }
}

/** A repeated press finds the message edited already. */
const isUnchanged = (error: unknown): boolean =>
  error instanceof GrammyError && /message is not modified/i.test(error.description);

/** Plain text for the popup over a pressed button (Bot API: at most 200 characters). */
export const windowText = (content: MessageContent): string => cutText(plainText(content.html), 200);
