import { createHash } from 'node:crypto';
import type { GivenText } from '../formatted-text.ts';
import { readText, withMentions } from '../formatted-text.ts';
import { chatForBot, isAdministrator, memberOf, requireRightToSend } from '../membership.ts';
import { append, findMessage, wireMessage } from '../messages.ts';
import type { Parameters } from '../parameters.ts';
import { booleanOf, integerOf, isRecord, jsonOf, textOf } from '../parameters.ts';
import { readReplyMarkup } from '../reply-markup.ts';
import type { Chat } from '../telegram-state.ts';
import type { Method, TelegramServer } from '../telegram-server.ts';
import type { PhotoSize } from '../wire.ts';
import { badRequest, Refusal } from '../wire.ts';

const keptTextLength = 200;
const keptLinks = 12;

export const sendMessage: Method = (server, parameters) => {
  const chat = chatForBot(server.state, textOf(parameters, 'chat_id'));
  const text = readText(parameters, 'text');
  return post(server, chat, parameters, { method: 'sendMessage', text, photo: null });
};

export const sendPhoto: Method = (server, parameters) => {
  const chat = chatForBot(server.state, textOf(parameters, 'chat_id'));
  const text = readText(parameters, 'caption');
  return post(server, chat, parameters, { method: 'sendPhoto', text, photo: () => photoOf(server, parameters) });
};

export const sendChatAction: Method = (server, parameters) => {
  const chat = chatForBot(server.state, textOf(parameters, 'chat_id'));
  const known = ['typing', 'upload_photo', 'upload_document', 'choose_sticker', 'find_location', 'record_video'];
  if (!known.includes(textOf(parameters, 'action'))) throw badRequest('wrong parameter action in request');
  requireRightToSend(server.state, chat, 'text messages');
  return true;
};

/** The upload in the field `photo` or the one named by `attach://`, or the file id of an earlier photo. */
function photoOf(server: TelegramServer, parameters: Parameters): { photo: PhotoSize[]; fileUniqueId: string } {
  const { files } = server;
  const given = textOf(parameters, 'photo');
  const attached = /^attach:\/\/(.+)$/.exec(given)?.[1];
  const upload = parameters.uploads.get(attached ?? 'photo');
  if (upload) {
    const photo = files.keepPhoto(upload.bytes);
    server.photoUploads += 1;
    return { photo, fileUniqueId: files.find(photo[0]?.file_id ?? '')?.fileUniqueId ?? '' };
  }
  if (given === '') throw badRequest('there is no photo in the request');
  const known = files.find(given);
  if (known) return known;
  // The sandbox fetches nothing from outside this machine.
  if (/^https?:\/\//i.test(given)) throw badRequest('failed to get HTTP URL content');
  throw badRequest('wrong file identifier/HTTP URL specified');
}

type Posted = {
  method: string;
  text: GivenText;
  photo: (() => { photo: PhotoSize[]; fileUniqueId: string }) | null;
};

/** Posts a message. The limits are checked last, so that only an otherwise acceptable message counts. */
function post(server: TelegramServer, chat: Chat, parameters: Parameters, posted: Posted): Record<string, unknown> {
  const { state } = server;
  const markup = readReplyMarkup(parameters);
  requireRightToSend(state, chat, posted.photo ? 'photos' : 'text messages');
  const threadId = threadOf(server, chat, parameters);
  const replyToMessageId = repliedTo(chat, parameters);
  const photo = posted.photo?.() ?? null;
  refuseIfAsked(chat);
  const retryAfter = server.limits.take(chat.id, chat.kind !== 'private');
  if (retryAfter !== null) {
    throw new Refusal(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
  }
  const entities = withMentions(posted.text.entities, state.users);
  const message = append(state, chat, {
    ...posted.text,
    entities,
    from: state.bot,
    atMs: server.now().getTime(),
    threadId,
    replyToMessageId,
    photo: photo?.photo ?? null,
    replyMarkup: markup.inline,
    otherMarkup: markup.other,
    isSilent: booleanOf(parameters, 'disable_notification'),
  });
  server.acceptedCount += 1;
  server.accepted.push({
    chatId: chat.id,
    messageId: message.messageId,
    method: posted.method,
    atMs: Date.now(),
    threadId,
    text: posted.text.text.slice(0, keptTextLength),
    sourceHash: createHash('sha256').update(posted.text.source).digest('hex').slice(0, 16),
    links: entities.flatMap(({ url }) => (url === undefined ? [] : [url])).slice(0, keptLinks),
    fileUniqueId: photo?.fileUniqueId ?? null,
  });
  return wireMessage(state, chat, message);
}

function refuseIfAsked({ refusesNext }: Chat): void {
  if (refusesNext.left === 0) return;
  refusesNext.left -= 1;
  throw badRequest(refusesNext.description);
}

function threadOf({ state }: TelegramServer, chat: Chat, parameters: Parameters): number | null {
  const threadId = integerOf(parameters, 'message_thread_id');
  const bot = memberOf(chat, state.bot.id);
  const mayManage = isAdministrator(bot) && bot?.rights.can_manage_topics === true;
  // The General topic is written to without a thread id.
  if (threadId === 0) {
    if (chat.isForum && chat.isGeneralClosed && !mayManage) throw badRequest('TOPIC_CLOSED');
    return null;
  }
  const topic = chat.topics.get(threadId);
  if (!chat.isForum || !topic || topic.isDeleted) throw badRequest('message thread not found');
  if (topic.isClosed && !mayManage) throw badRequest('TOPIC_CLOSED');
  return threadId;
}

function repliedTo(chat: Chat, parameters: Parameters): number | null {
  const given = jsonOf(parameters, 'reply_parameters', "can't parse reply parameters JSON object");
  const wanted = isRecord(given) ? Number(given.message_id) : integerOf(parameters, 'reply_to_message_id');
  if (!wanted) return null;
  if (findMessage(chat, wanted)) return wanted;
  const isLenient = isRecord(given)
    ? given.allow_sending_without_reply === true
    : booleanOf(parameters, 'allow_sending_without_reply');
  if (isLenient) return null;
  throw badRequest('message to be replied not found');
}
