import { type Context, GrammyError } from 'grammy';
import type { Message, Update } from 'grammy/types';

import { waitNotice } from '../commands/texts/chat-texts.ts';
import type { ChatFacts } from '../configs/chat-store.ts';
import { cutText, type MessageContent, plainText } from '../cards/parts.ts';
import { inlineKeyboard } from '../send/transport.ts';
import type { SendNow } from '../send/replies.ts';
import type { BotDeps } from './bot-deps.ts';

export type AnswerOptions = NonNullable<Parameters<SendNow>[3]>;

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

/** Replies in the topic of a message. Returns the id of what was sent. */
export async function answer(
  deps: Pick<BotDeps, 'sendNow'>,
  message: Where & Pick<Message, 'message_id'>,
  content: MessageContent,
  options: AnswerOptions = {},
): Promise<number> {
  const place = [message.chat.id, topicOf(message)] as const;
  const { messageId } = await deps.sendNow(...place, content, { replyTo: message.message_id, ...options });
  return messageId;
}

/** Edits the message whose button was pressed, picture or not. */
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

const saidAgainAfterMs = 60_000;
/** Above this the oldest are forgotten. */
const rememberedMax = 5_000;

/** Says in a chat how long the bot waits: once a minute, as it counts as one of the chat's messages. Never throws. */
export type SayWait = (update: Update, waitMs: number) => Promise<void>;

export function createSayWait({ sendNow }: Pick<BotDeps, 'sendNow'>, nowMs: () => number): SayWait {
  const saidAtMs = new Map<number, number>();
  return async ({ message }, waitMs) => {
    if (message === undefined) return;
    const { id } = message.chat;
    const said = saidAtMs.get(id);
    if (said !== undefined && nowMs() - said < saidAgainAfterMs) return;
    saidAtMs.delete(id);
    saidAtMs.set(id, nowMs());
    const [oldest = id] = saidAtMs.keys();
    if (saidAtMs.size > rememberedMax) saidAtMs.delete(oldest);
    await answer({ sendNow }, message, waitNotice(waitMs), { kind: 'notice' }).catch(() => saidAtMs.delete(id));
  };
}
