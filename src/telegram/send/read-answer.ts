import { refusalWords as words } from './refusal-words.ts';
import type { Message, MessageForm, Outcome, Picture, SendAnswer } from './message.ts';

type Refused = Extract<SendAnswer, { readonly kind: 'refused' }>;

const simplerAfterMs = 0;

/** The outcome of a send, and what follows for the message and its chat (rulings R4, issue part E). */
export function readAnswer(answer: SendAnswer, message: Message, picture: Picture): Outcome {
  if (answer.kind === 'sent') {
    const uploadedFileId = picture?.kind === 'bytes' ? answer.fileId : null;
    return { kind: 'sent', platformMessageId: answer.messageId, uploadedFileId };
  }
  if (answer.kind === 'unanswered') {
    const { reason, isDoubtful } = answer;
    return { kind: 'again', reason, isDoubtful, delayMs: backOffMs(message.attempts) };
  }
  if (answer.retryAfterMs !== null || answer.code === 429) {
    return { kind: 'limited', retryAfterMs: answer.retryAfterMs ?? 1_000 };
  }
  // A refused token (401, 404) or an error of Telegram's own is not the message's fault.
  if (answer.code >= 500 || answer.code === 401 || answer.code === 404) {
    return { kind: 'again', reason: answer.description, isDoubtful: false, delayMs: backOffMs(message.attempts) };
  }
  return (
    readEditRefusal(answer, message) ?? readChatRefusal(answer, message) ?? readMessageRefusal(answer, message, picture)
  );
}

/** Rulings R4, running cards: an unchanged edit is done; if the message is gone, a new one is sent. */
function readEditRefusal(answer: Refused, { editsMessageId }: Message): Outcome | null {
  if (editsMessageId === null) return null;
  const { description } = answer;
  if (words.notModified.test(description)) {
    return { kind: 'sent', platformMessageId: editsMessageId, uploadedFileId: null };
  }
  // The card went without its picture.
  if (words.noCaption.test(description)) return { ...again(answer), form: 'without-picture' };
  return words.cardGone.test(description) ? { ...again(answer), form: 'full', losesCard: true } : null;
}

/** What the chat does not allow, regardless of the message; null: it is about the message. */
function readChatRefusal(answer: Refused, message: Message): Outcome | null {
  const { code, description, migrateToChatId } = answer;
  if (migrateToChatId !== null) return { kind: 'migrated', toChatId: migrateToChatId };
  if (words.photoRight.test(description)) {
    return { ...again(answer), form: 'without-picture', lacksPhotoRight: true };
  }
  if (message.topicId !== null && words.topic.test(description)) {
    return { ...again(answer), leavesTopic: /closed/i.test(description) ? 'closed' : 'gone' };
  }
  if (words.rights.test(description)) {
    return { ...again(answer), delayMs: rightsBackOffMs(message.attempts), trouble: description };
  }
  if (words.gone.test(description)) return { kind: 'removed', reason: description, botStatus: 'left' };
  if (code !== 403) return null;
  if (!words.putOut.test(description)) {
    return { ...again(answer), delayMs: rightsBackOffMs(message.attempts), trouble: description };
  }
  const botStatus = /kicked|blocked/i.test(description) ? 'kicked' : 'left';
  return { kind: 'removed', reason: description, botStatus };
}

/** A refused message never blocks its chat: one more try in a simpler form, then set aside with Telegram's reason. */
function readMessageRefusal(answer: Refused, message: Message, picture: Picture): Outcome {
  const { code, description } = answer;
  if (picture?.kind === 'file-id' && words.fileId.test(description)) return { ...again(answer), forgetsFileId: true };
  if (picture !== null && (code === 413 || words.picture.test(description) || words.fileId.test(description))) {
    const badPicture = picture.kind === 'bytes' && !/caption/i.test(description);
    return { ...again(answer), form: 'without-picture', badPicture };
  }
  const simpler: MessageForm | null = message.form === 'plain' ? null : 'plain';
  return simpler === null ? { kind: 'failed', reason: description } : { ...again(answer), form: simpler };
}

const again = ({ description }: Refused) =>
  ({ kind: 'again', reason: description, isDoubtful: false, delayMs: simplerAfterMs }) as const;

/** Telegram as a whole is down, or refuses the bot itself: every chat would get the same. */
export const isOutage = (answer: SendAnswer): boolean =>
  answer.kind === 'unanswered' ||
  (answer.kind === 'refused' && (answer.code >= 500 || answer.code === 401 || answer.code === 404));

const firstMs = 1_000;
/** The longest wait: when Telegram is back after an outage, the next try comes soon. */
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
