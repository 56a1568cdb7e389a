import { Api, GrammyError, HttpError, InputFile } from 'grammy';
import type { InlineKeyboardMarkup, Message as Sent } from 'grammy/types';

import { escapeHtml, storable } from '../../shared/foreign-text.ts';
import type { Log } from '../../process/logger.ts';
import { Unavailable } from '../../shared/failure.ts';
import { askedWaitMs } from './bot-api.ts';
import {
  captionMaxLength,
  cutText,
  plainText,
  plainTextWithAddresses,
  textMaxLength,
  type MessageContent,
} from '../cards/message-html.ts';
import type { Message, Picture, SendAnswer } from './message.ts';

/** Longer than the sender's own timeout, so that the latter decides. */
const requestSeconds = 60;
const reasonMaxLength = 300;

type Sendable = Pick<Message, 'chatId' | 'topicId' | 'content' | 'form' | 'editsMessageId' | 'isDoubtful'>;
export type Transport = ReturnType<typeof createTransport>;

/** Sends through grammY without retries: those are up to the outbox. */
export function createTransport({ token, apiUrl }: { readonly token: string; readonly apiUrl: string }) {
  const api = new Api(token, { apiRoot: apiUrl, timeoutSeconds: requestSeconds });
  /** Never throws. `signal` ends the wait for the answer, not the request. */
  return async (message: Sendable, picture: Picture, signal: AbortSignal): Promise<SendAnswer> => {
    const { editsMessageId } = message;
    // grammY is typed for an older AbortSignal; the real one has everything that it uses.
    const apiSignal = signal as unknown as ApiSignal;
    try {
      if (message.isDoubtful && !(await isAnswering(api, apiSignal))) {
        return { kind: 'unanswered', reason: 'Telegram does not answer', isDoubtful: false };
      }
      if (editsMessageId === null) return readSent(await sendOnce(api, message, picture, apiSignal));
      await editOnce(api, message, editsMessageId, apiSignal);
      return { kind: 'sent', messageId: editsMessageId, fileId: null };
    } catch (error) {
      return readFailure(error, token, signal);
    }
  };
}

/**
 * Checked before a message that may have arrived is sent again: that is done only once (rulings R4), and an outage of any
 * length must not use it up.
 */
const isAnswering = (api: Api, signal: ApiSignal): Promise<boolean> =>
  api.getMe(signal).then(
    () => true,
    (error: unknown) => error instanceof GrammyError,
  );

/** `not-now`: it certainly did not arrive; `refused`: it will not arrive until a person changes something. */
type SendResult = { readonly kind: 'sent' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string };

const answerWithinMs = 15_000;

/** Plain text to one chat, at once. Throws Unavailable if it may or may not have arrived. */
export function createTextSender(transport: Transport, log: Pick<Log, 'warn'>) {
  /** The new ids of groups that became supergroups. */
  const movedTo = new Map<string, string>();
  const send = async (chatId: string, text: string): Promise<SendResult> => {
    const content = { html: escapeHtml(text), imageUrl: null, buttons: [], isSilent: false };
    const to = { chatId: movedTo.get(chatId) ?? chatId, topicId: null };
    const message = { ...to, content, form: 'plain', editsMessageId: null, isDoubtful: false } as const;
    const answer = await transport(message, null, AbortSignal.timeout(answerWithinMs));
    if (answer.kind === 'sent') return { kind: 'sent' };
    if (answer.kind === 'refused') {
      const { migrateToChatId } = answer;
      if (migrateToChatId !== null && !movedTo.has(chatId)) {
        movedTo.set(chatId, migrateToChatId);
        log.warn({ chatId }, `The group became a supergroup: set ALARM_CHAT to telegram:${migrateToChatId}`);
        return send(chatId, text);
      }
      const isPassing = answer.retryAfterMs !== null || answer.code === 429 || answer.code >= 500;
      return { kind: isPassing ? 'not-now' : 'refused', reason: answer.description };
    }
    if (answer.isDoubtful) throw new Unavailable('unanswered', answer.reason);
    return { kind: 'not-now', reason: answer.reason };
  };
  return send;
}

type ApiSignal = Parameters<Api['sendMessage']>[3];

/** A picture with a caption if both fit together, text otherwise; the plainest form has neither buttons nor picture. */
function sendOnce(api: Api, message: Sendable, picture: Picture, signal: ApiSignal): Promise<Sent> {
  const { content, form, topicId } = message;
  const chatId = Number(message.chatId);
  const common = {
    ...(topicId !== null && { message_thread_id: topicId }),
    ...(content.isSilent && { disable_notification: true }),
    ...(form !== 'plain' && {
      ...replyTo(content),
      ...(content.forceReply === true ? forceReply : keyboardOf(content)),
    }),
  };
  if (picture !== null && form !== 'plain' && fitsCaption(content.html)) {
    const photo = picture.kind === 'file-id' ? picture.fileId : new InputFile(picture.bytes, 'picture.jpg');
    return api.sendPhoto(chatId, photo, { ...common, caption: content.html, parse_mode: 'HTML' }, signal);
  }
  const { text, ...options } = textOf(message);
  return api.sendMessage(chatId, text, { ...common, ...options }, signal);
}

/** Edits text and buttons of a message; its picture stays as it is. */
async function editOnce(api: Api, message: Sendable, messageId: number, signal: ApiSignal): Promise<void> {
  const { content, form } = message;
  const chatId = Number(message.chatId);
  const keyboard = keyboardOf(content);
  const isCaption = content.edits?.isCaption ?? content.imageUrl !== null;
  if (isCaption && form === 'full' && fitsCaption(content.html)) {
    const caption = { ...keyboard, parse_mode: 'HTML' as const, caption: content.html };
    await api.editMessageCaption(chatId, messageId, caption, signal);
    return;
  }
  const { text, ...options } = textOf(message);
  await api.editMessageText(chatId, messageId, text, { ...keyboard, ...options }, signal);
}

const forceReply = { reply_markup: { force_reply: true as const, selective: true } };

const replyTo = ({ replyTo: messageId }: MessageContent) =>
  messageId === undefined ? {} : { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };

const fitsCaption = (html: string): boolean => plainText(html).length <= captionMaxLength;

/** Formatted, or plain and cut if Telegram accepts it no other way. */
function textOf({ content: { html }, form }: Sendable) {
  const withoutPreview = { link_preview_options: { is_disabled: true } };
  return form === 'plain' || plainText(html).length > textMaxLength
    ? { text: cutText(plainTextWithAddresses(html), textMaxLength), ...withoutPreview }
    : { text: html, parse_mode: 'HTML' as const, ...withoutPreview };
}

const keyboardOf = ({ buttons }: MessageContent) =>
  buttons.length === 0 ? {} : { reply_markup: inlineKeyboard(buttons) };

const inlineKeyboard = (buttons: MessageContent['buttons']): InlineKeyboardMarkup => ({
  inline_keyboard: buttons.map((row) =>
    row.map(({ text, url, data }) => (url === undefined ? { text, callback_data: data ?? '' } : { text, url })),
  ),
});

/** An accepted message counts as sent, however odd the rest of the answer is. */
function readSent(sent: Sent): SendAnswer {
  const { message_id: messageId, photo } = sent as { readonly message_id?: number; readonly photo?: unknown };
  const isId = messageId !== undefined && Number.isSafeInteger(messageId);
  return { kind: 'sent', messageId: isId ? messageId : null, fileId: fileIdOf(photo) };
}

/** Of the largest size; null: no photo. */
function fileIdOf(photo: unknown): string | null {
  const largest: unknown = Array.isArray(photo) ? photo.at(-1) : undefined;
  const fileId = typeof largest === 'object' && largest !== null && 'file_id' in largest ? largest.file_id : null;
  return typeof fileId === 'string' && fileId !== '' && storable(fileId) === fileId ? fileId : null;
}

function readFailure(error: unknown, token: string, signal: AbortSignal): SendAnswer {
  if (error instanceof GrammyError) {
    const { retry_after: seconds, migrate_to_chat_id: moved } = error.parameters;
    const description: unknown = error.description;
    const text = typeof description === 'string' ? description : `Telegram answered ${error.error_code}`;
    return {
      kind: 'refused',
      code: error.error_code,
      description: cutText(storable(text).replaceAll(token, '[hidden]'), reasonMaxLength),
      retryAfterMs: askedWaitMs(seconds),
      migrateToChatId: Number.isSafeInteger(moved) ? String(moved) : null,
    };
  }
  if (signal.aborted) return lost('Telegram did not answer in time');
  // An HttpError contains the address with the token: nothing of it is passed on.
  const cause: unknown = error instanceof HttpError ? error.error : error;
  const { code, type } = (cause instanceof Error ? cause : {}) as { readonly code?: unknown; readonly type?: unknown };
  if (typeof code === 'string' && neverLeft.test(code)) {
    return { kind: 'unanswered', reason: 'Telegram could not be reached', isDoubtful: false };
  }
  if (type === 'invalid-json') return lost('Telegram gave an answer that cannot be read');
  return lost('The connection to Telegram broke before its answer');
}

/** No connection was made, so nothing was sent. */
const neverLeft =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

const lost = (reason: string): SendAnswer => ({ kind: 'unanswered', reason, isDoubtful: true });
