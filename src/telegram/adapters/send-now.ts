import { setTimeout as delay } from 'node:timers/promises';

import { type Api, GrammyError } from 'grammy';
import type { Kysely } from 'kysely';

import type { MessageContent } from '../core/message-content.ts';
import type { Picture, PictureShelf } from '../delivery/outbox.ts';
import { askedWaitMs } from './asked-wait.ts';
import { readFileId, rememberFileId } from './image-rows.ts';
import type { Passage, SendGate } from './send-gate.ts';
import type { ReplyKind } from './send-limits.ts';
import type { TelegramTables } from './tables.ts';
import { keyboardOf, sendContent, uploadedFileIdOf } from './telegram-transport.ts';

interface SendNowOptions {
  readonly replyTo?: number;
  readonly forceReply?: boolean;
  /** Which share of the group's limit it takes; 'change' when left out. */
  readonly kind?: ReplyKind;
}

/** Sends one thing at once, past the same limits as the deliveries. Throws grammY's errors, and Unavailable when the chat is limited. */
export type SendNow = (
  chatId: number,
  topicId: number | null,
  content: MessageContent,
  options?: SendNowOptions,
) => Promise<{ readonly messageId: number }>;

export interface SendNowParts {
  readonly api: Api;
  readonly db: Kysely<TelegramTables>;
  readonly gate: SendGate;
  readonly pictures: PictureShelf;
  /** Its chat may get the next message: a hint to look at once. */
  readonly onSettled: () => void;
}

/** Asked to wait longer in all, the reply is given up: nobody expects it any more. */
const retryAfterMaxMs: Readonly<Record<ReplyKind, number>> = { question: 4_000, notice: 2_000, change: 30_000 };
/** Where Telegram names no time. */
const retryAfterMinMs = 1_000;
const answerWithinMs = 25_000;

export function createSendNow(parts: SendNowParts): SendNow {
  return async (chatId, topicId, content, options = {}) => {
    const picture = await findPicture(parts, content.imageUrl);
    const send = async (withPicture: Picture) => {
      const passage = await parts.gate.pass(chatId, options.kind ?? 'change');
      const more = { ...replyTo(options), ...(options.forceReply === true ? forceReply : keyboardOf(content)) };
      const signal = AbortSignal.timeout(answerWithinMs);
      const sent = sendContent(parts.api, { chatId, topicId }, content, { picture: withPicture, more, signal });
      await settled(passage, sent).catch(() => {
        // What was said is said: without the database its place is free again after a few seconds.
      });
      parts.onSettled();
      return sent;
    };
    const givenUpAtMs = performance.now() + retryAfterMaxMs[options.kind ?? 'change'];
    const sendPatiently = async (withPicture: Picture): ReturnType<typeof send> => {
      try {
        return await send(withPicture);
      } catch (error) {
        if (!(error instanceof GrammyError)) throw error;
        // The words matter more than the picture, whatever was wrong with it.
        if (withPicture !== null && error.error_code === 400 && pictureWords.test(error.description)) return send(null);
        if (error.error_code !== 429) throw error;
        const retryAfterMs = Math.max(retryAfterMinMs, askedWaitMs(error.parameters.retry_after) ?? 0);
        await parts.gate.limited(chatId, retryAfterMs);
        if (performance.now() + retryAfterMs > givenUpAtMs) throw error;
        await delay(retryAfterMs);
        return sendPatiently(withPicture);
      }
    };
    const message = await sendPatiently(picture);
    const fileId = picture?.kind === 'bytes' ? uploadedFileIdOf(message) : null;
    if (fileId !== null && content.imageUrl !== null) await rememberFileId(parts.db, content.imageUrl, fileId);
    return { messageId: message.message_id };
  };
}

/** An answer that was lost may belong to a message that arrived. */
const settled = (passage: Passage, sent: Promise<unknown>): Promise<void> =>
  sent.then(
    () => passage.arrived(),
    (error: unknown) => (error instanceof GrammyError ? passage.refused() : passage.arrived()),
  );

const pictureWords = /photo|image|file|wrong type/i;
const forceReply = { reply_markup: { force_reply: true as const, selective: true } };

const replyTo = ({ replyTo }: SendNowOptions) =>
  replyTo === undefined ? {} : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } };

async function findPicture({ db, pictures }: SendNowParts, imageUrl: string | null): Promise<Picture> {
  if (imageUrl === null) return null;
  const { fileId, isFailing } = await readFileId(db, imageUrl);
  if (isFailing) return null;
  if (fileId !== null) return { kind: 'file-id', fileId };
  if (pictures.get(imageUrl) === null) await pictures.prepare(imageUrl);
  const bytes = pictures.get(imageUrl);
  return bytes === null ? null : { kind: 'bytes', bytes };
}
