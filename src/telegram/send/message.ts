import type { MessageContent } from '../cards/message-html.ts';

/** Rulings R4: messages sent at the same time. A crash leaves at most this many in doubt. */
export const onTheirWayMax = 4;

type MessageForm = 'full' | 'without-picture' | 'plain';

/** Uploaded before, or to be uploaded now; null: text only. */
export type Picture =
  { readonly kind: 'file-id'; readonly fileId: string } | { readonly kind: 'bytes'; readonly bytes: Uint8Array } | null;

/** A message marked as being sent, in a committed row. */
export interface Message {
  readonly id: string;
  readonly chatId: string;
  readonly topicId: number | null;
  readonly content: MessageContent;
  readonly form: MessageForm;
  /** Earlier attempts, except those held back by Telegram's limits. */
  readonly attempts: number;
  /** The message that this one edits (rulings R4, running cards; the message of a pressed button); null: a new message. */
  readonly editsMessageId: number | null;
  /** An earlier attempt may have arrived; never set for an edit, which may be done twice. */
  readonly isDoubtful: boolean;
  /** It answers someone who is waiting for it. */
  readonly isReply: boolean;
}

export type Outcome =
  | {
      readonly kind: 'sent';
      readonly platformMessageId: number | null;
      readonly uploadedFileId: string | null;
      readonly hasPhoto: boolean;
    }
  | {
      readonly kind: 'again';
      readonly reason: string;
      readonly delayMs: number;
      /** The request was sent and its answer was lost: it may have arrived. */
      readonly isDoubtful: boolean;
      readonly form?: MessageForm;
      /** Goes to the chat itself while its topic is in this state. */
      readonly leavesTopic?: 'closed' | 'gone';
      /** For the chat's admins: Telegram's own words. */
      readonly trouble?: string;
      readonly lacksPhotoRight?: boolean;
      readonly isFileIdInvalid?: boolean;
      readonly isPictureBad?: boolean;
      readonly isCardGone?: boolean;
    }
  /** Telegram asked to wait: not counted as an attempt. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** `trouble`: what is wrong with the chat itself. */
  | { readonly kind: 'failed'; readonly reason: string; readonly trouble?: string }
  | { readonly kind: 'removed'; readonly reason: string; readonly botStatus: 'left' | 'kicked' }
  | { readonly kind: 'migrated'; readonly toChatId: string };

/** Telegram's answer to one send, without secrets. */
export type SendAnswer =
  | { readonly kind: 'sent'; readonly messageId: number | null; readonly fileId: string | null }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs: number | null;
      readonly migrateToChatId: string | null;
    }
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isDoubtful: boolean };

/** The meaning of Telegram's error texts. They are not stable: see tdlib/td and telegram-bot-api, `Client.cpp`. */
const words = {
  gone: /chat not found|peer_id_invalid|chat_id_invalid|chat_id is empty|group chat was deactivated|user not found|input_user_deactivated/i,
  removed: /kicked|blocked|not a member|deactivated|deleted|can't initiate|bot is not|channel_private/i,
  topic: /message thread not found|topic_closed|topic_deleted|topic closed|thread_id_invalid|message thread/i,
  photoRight: /not enough rights to send photos|chat_send_photos_forbidden|chat_send_media_forbidden/i,
  rights:
    /not enough rights|chat_write_forbidden|have no rights|chat_restricted|chat_send_plain_forbidden|need administrator rights|chat_admin_required|frozen_method_invalid/i,
  payment: /allow_payment_required/i,
  fileId:
    /wrong file.?identifier|wrong file_id|wrong remote file|file_reference|wrong padding|invalid file_id|wrong type of file/i,
  picture:
    /photo_|image_process|failed to get http url|wrong type of the web page|caption is too long|caption_too_long|file is too big|request entity too large/i,
  notModified: /message is not modified/i,
  noCaption: /there is no caption in the message to edit/i,
  cardGone:
    /message to edit not found|message can't be edited|message_id_invalid|there is no text in the message to edit/i,
} as const;

type Refused = Extract<SendAnswer, { readonly kind: 'refused' }>;

/** The outcome of a send, and what follows for the message and its chat (rulings R4, issue part E). */
export function readAnswer(answer: SendAnswer, message: Message, picture: Picture): Outcome {
  if (answer.kind === 'sent') {
    const uploadedFileId = picture?.kind === 'bytes' ? answer.fileId : null;
    return { kind: 'sent', platformMessageId: answer.messageId, uploadedFileId, hasPhoto: answer.fileId !== null };
  }
  if (answer.kind === 'unanswered') {
    const { reason, isDoubtful } = answer;
    // Rulings R4: sent again once.
    if (isDoubtful && message.isDoubtful)
      return { kind: 'failed', reason: `${reason}, for the second time: the message may have arrived` };
    return { kind: 'again', reason, isDoubtful, delayMs: backOffMs(message.attempts) };
  }
  if (answer.retryAfterMs !== null || answer.code === 429) {
    // At least a second: a wait of 0 would repeat the send at once, and without end.
    return { kind: 'limited', retryAfterMs: Math.max(1_000, answer.retryAfterMs ?? 0) };
  }
  // A refused token (401, 404) or an error of Telegram's own is not the message's fault.
  if (answer.code >= 500 || answer.code === 401 || answer.code === 404) {
    return { kind: 'again', reason: answer.description, isDoubtful: false, delayMs: backOffMs(message.attempts) };
  }
  return (
    readEditRefusal(answer, message) ?? readChatRefusal(answer, message) ?? readMessageRefusal(answer, message, picture)
  );
}

/** Rulings R4, running cards, and answers to presses: an edit that changes nothing counts as done; if the message is gone, a new one is sent. */
function readEditRefusal(answer: Refused, { editsMessageId }: Message): Outcome | null {
  if (editsMessageId === null) return null;
  const { description } = answer;
  if (words.notModified.test(description)) {
    return { kind: 'sent', platformMessageId: editsMessageId, uploadedFileId: null, hasPhoto: false };
  }
  // The card was sent without its picture.
  if (words.noCaption.test(description)) return { ...again(answer), form: 'without-picture' };
  return words.cardGone.test(description) ? { ...again(answer), form: 'full', isCardGone: true } : null;
}

/** What the chat does not allow, regardless of the message; null: the refusal is about the message. */
function readChatRefusal(answer: Refused, message: Message): Outcome | null {
  const { code, description, migrateToChatId } = answer;
  if (migrateToChatId !== null) return { kind: 'migrated', toChatId: migrateToChatId };
  if (words.photoRight.test(description)) {
    return { ...again(answer), form: 'without-picture', lacksPhotoRight: true };
  }
  if (message.topicId !== null && words.topic.test(description)) {
    return { ...again(answer), leavesTopic: /closed/i.test(description) ? 'closed' : 'gone' };
  }
  if (words.payment.test(description)) return withoutRights(mustPay, message);
  if (words.topic.test(description))
    return message.isReply ? { kind: 'failed', reason: description } : withoutRights(generalClosed, message);
  if (words.rights.test(description)) return withoutRights(description, message);
  if (words.gone.test(description)) return { kind: 'removed', reason: description, botStatus: 'left' };
  if (code !== 403) return null;
  if (!words.removed.test(description)) return withoutRights(description, message);
  const botStatus = /kicked|blocked/i.test(description) ? 'kicked' : 'left';
  return { kind: 'removed', reason: description, botStatus };
}

/** Bot API, ChatMemberAdministrator: admins send 'without paying Telegram Stars'. */
const mustPay =
  'Members pay Telegram Stars for each message here; make the bot an admin of the group, as admins pay nothing';

/** A message without a topic was for the General topic, which admins can close too. */
const generalClosed = 'The General topic is closed; reopen it, or send /tracking in another topic';

/** Only a person can give the right: a card waits for that; by then nobody waits for a reply any more. */
const withoutRights = (reason: string, { isReply, attempts }: Message): Outcome =>
  isReply
    ? { kind: 'failed', reason, trouble: reason }
    : { kind: 'again', reason, isDoubtful: false, delayMs: rightsBackOffMs(attempts), trouble: reason };

/** A refused message never blocks its chat: one more try in a simpler form, then set aside with Telegram's reason. */
function readMessageRefusal(answer: Refused, message: Message, picture: Picture): Outcome {
  const { code, description } = answer;
  if (picture?.kind === 'file-id' && words.fileId.test(description)) return { ...again(answer), isFileIdInvalid: true };
  if (picture !== null && (code === 413 || words.picture.test(description) || words.fileId.test(description))) {
    const isPictureBad = picture.kind === 'bytes' && !/caption/i.test(description);
    return { ...again(answer), form: 'without-picture', isPictureBad };
  }
  return message.form === 'plain' ? { kind: 'failed', reason: description } : { ...again(answer), form: 'plain' };
}

const again = ({ description }: Refused) =>
  ({ kind: 'again', reason: description, isDoubtful: false, delayMs: 0 }) as const;

/** Whether the chat might delay others, and so shares a few places with others like it; until a message arrives in time. */
export const isFailingAfter = (
  outcome: Outcome,
  { isSlow, wasFailing }: { readonly isSlow: boolean; readonly wasFailing: boolean },
): boolean => {
  if (isSlow) return true;
  if (outcome.kind === 'again' && outcome.delayMs > 0) return true;
  return wasFailing && outcome.kind !== 'sent';
};

const firstMs = 1_000;
/** The longest wait, so that the next try comes soon when Telegram is back after an outage. */
const longestMs = 30_000;
const firstForRightsMs = 60_000;
/** By then waiting messages are stale (rulings R4) and become part of a digest. */
const longestForRightsMs = 6 * 3_600_000;

/** Doubles with each attempt, with jitter, so that chats which failed together do not retry together. */
export const backOffMs = (attempts: number): number =>
  jittered(Math.min(longestMs, firstMs * 2 ** Math.min(attempts, 20)));

/** The same for what only a person can change: the bot's rights in a group. */
export const rightsBackOffMs = (attempts: number): number =>
  jittered(Math.min(longestForRightsMs, firstForRightsMs * 2 ** Math.min(attempts, 20)));

const jittered = (ms: number): number => Math.round(ms * (0.75 + Math.random() / 4));
