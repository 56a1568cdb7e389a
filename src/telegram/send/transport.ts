import { Api, GrammyError, HttpError, InputFile } from 'grammy';
import type { InlineKeyboardMarkup, Message } from 'grammy/types';

import type { MessageContent } from '../cards/message-content.ts';
import type { Picture, ReplyOptions, SendAnswer, Transport } from './message.ts';
import { captionMaxLength, cutText, plainText, textMaxLength } from './plain-text.ts';
import { askedWaitMs } from './bot-api.ts';

interface BotAddress {
  readonly token: string;
  readonly apiUrl: string;
}

/** Above the sender's own timeout, so that the latter decides. */
const requestSeconds = 60;
const reasonMaxLength = 300;

export const createSendingApi = ({ token, apiUrl }: BotAddress): Api =>
  new Api(token, { apiRoot: apiUrl.replace(/\/+$/, ''), timeoutSeconds: requestSeconds });

/** Sends through grammY without retries: those are up to the outbox. */
export function createTelegramTransport(api: Api, token: string): Transport {
  return {
    send: async (message, picture, signal) => {
      try {
        if (message.editsMessageId === null) return readSent(await sendOnce(api, message, picture, signal));
        await editOnce(api, message, message.editsMessageId, signal);
        return { kind: 'sent', messageId: message.editsMessageId, fileId: null };
      } catch (error) {
        return readFailure(error, token, signal);
      }
    },
  };
}

type ApiSignal = Parameters<Api['sendMessage']>[3];

function sendOnce(
  api: Api,
  message: Parameters<Transport['send']>[0],
  picture: Picture,
  signal: AbortSignal,
): Promise<Message> {
  const { content, form, topicId, reply = {} } = message;
  const target = { chatId: Number(message.chatId), topicId };
  if (form === 'plain') return sendPlain(api, target, content, signal);
  const more = { ...replyTo(reply), ...(reply.forceReply === true ? forceReply : keyboardOf(content)) };
  return sendContent(api, target, content, { picture, more, signal });
}

const forceReply = { reply_markup: { force_reply: true as const, selective: true } };

const replyTo = ({ replyTo: messageId }: ReplyOptions) =>
  messageId === undefined ? {} : { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };

/** Edits text and buttons of a message; its picture stays as it is. */
async function editOnce(
  api: Api,
  { chatId, content, form }: Parameters<Transport['send']>[0],
  messageId: number,
  signal: AbortSignal,
): Promise<void> {
  const words = plainText(content.html);
  const isPlain = form === 'plain' || words.length > textMaxLength;
  const more = { ...keyboardOf(content), ...(isPlain ? {} : { parse_mode: 'HTML' as const }) };
  if (content.imageUrl !== null && form === 'full' && words.length <= captionMaxLength) {
    const caption = { ...more, caption: content.html };
    await api.editMessageCaption(Number(chatId), messageId, caption, asApiSignal(signal));
    return;
  }
  const text = isPlain ? cutText(words, textMaxLength) : content.html;
  const withoutPreview = { ...more, link_preview_options: { is_disabled: true } };
  await api.editMessageText(Number(chatId), messageId, text, withoutPreview, asApiSignal(signal));
}

interface Target {
  readonly chatId: number;
  readonly topicId: number | null;
}

interface Sending {
  readonly picture: Picture;
  /** Keyboard, replied message. */
  readonly more: Pick<Parameters<Api['raw']['sendMessage']>[0], 'reply_markup' | 'reply_parameters'>;
  readonly signal: AbortSignal;
}

/** A picture with a caption if both fit together, text otherwise. Throws grammY's errors. */
function sendContent(api: Api, target: Target, content: MessageContent, sending: Sending): Promise<Message> {
  const { picture } = sending;
  const signal = asApiSignal(sending.signal);
  const options = { ...sending.more, ...commonOf(target, content) };
  const words = plainText(content.html);
  if (picture !== null && words.length <= captionMaxLength) {
    const photo = picture.kind === 'file-id' ? picture.fileId : new InputFile(picture.bytes, 'picture.jpg');
    return api.sendPhoto(target.chatId, photo, { ...options, caption: content.html, parse_mode: 'HTML' }, signal);
  }
  const withoutPreview = { ...options, link_preview_options: { is_disabled: true } };
  if (words.length > textMaxLength) {
    return api.sendMessage(target.chatId, cutText(words, textMaxLength), withoutPreview, signal);
  }
  return api.sendMessage(target.chatId, content.html, { ...withoutPreview, parse_mode: 'HTML' }, signal);
}

/** Text only: the fallback when Telegram refuses everything else. */
function sendPlain(api: Api, target: Target, content: MessageContent, signal: AbortSignal): Promise<Message> {
  const text = cutText(plainText(content.html), textMaxLength);
  const options = { ...commonOf(target, content), link_preview_options: { is_disabled: true } };
  return api.sendMessage(target.chatId, text, options, asApiSignal(signal));
}

const commonOf = ({ topicId }: Target, { isSilent }: MessageContent) => ({
  ...(topicId === null ? {} : { message_thread_id: topicId }),
  ...(isSilent ? { disable_notification: true } : {}),
});

/** grammY has the type of an older AbortSignal; the real one has everything that it uses. */
const asApiSignal = (signal: AbortSignal): ApiSignal => signal as unknown as ApiSignal;

function keyboardOf({ buttons }: Pick<MessageContent, 'buttons'>): { reply_markup?: InlineKeyboardMarkup } {
  if (buttons.length === 0) return {};
  const rows = buttons.map((row) =>
    row.map(({ text, url, data }) => (url === undefined ? { text, callback_data: data ?? '' } : { text, url })),
  );
  return { reply_markup: { inline_keyboard: rows } };
}

/** Accepted is accepted, however odd the rest of the answer is. */
function readSent(message: Message): SendAnswer {
  const { message_id: messageId } = message as Partial<Message>;
  const isId = messageId !== undefined && Number.isSafeInteger(messageId);
  return { kind: 'sent', messageId: isId ? messageId : null, fileId: uploadedFileIdOf(message) };
}

/** Of the largest size; null: no photo. */
function uploadedFileIdOf(message: Message): string | null {
  const { photo } = message as { readonly photo?: unknown };
  const largest: unknown = Array.isArray(photo) ? photo.at(-1) : undefined;
  const fileId = typeof largest === 'object' && largest !== null && 'file_id' in largest ? largest.file_id : null;
  return typeof fileId === 'string' && fileId !== '' && storable(fileId) === fileId ? fileId : null;
}

/** PostgreSQL rejects these characters: an answer that cannot be stored would block every later message. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function readFailure(error: unknown, token: string, signal: AbortSignal): SendAnswer {
  if (error instanceof GrammyError) {
    const { retry_after: seconds, migrate_to_chat_id: moved } = error.parameters;
    const description: unknown = error.description;
    const said = typeof description === 'string' ? description : `Telegram answered ${error.error_code}`;
    return {
      kind: 'refused',
      code: error.error_code,
      description: cutText(storable(said).replaceAll(token, '[hidden]'), reasonMaxLength),
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
