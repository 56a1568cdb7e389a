import { backOffMs, rightsBackOffMs } from './back-off.ts';
import { refusalWords as words } from './refusal-words.ts';
import type { Message, MessageForm, Outcome, Picture, SendAnswer } from './message.ts';

type Refused = Extract<SendAnswer, { readonly kind: 'refused' }>;

const simplerAfterMs = 0;

/** What a send came to, and what follows from it for the message and its chat (rulings R4, issue part E). */
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
  // A refused token (401, 404) and an error of Telegram's own are no fault of the message.
  if (answer.code >= 500 || answer.code === 401 || answer.code === 404) {
    return { kind: 'again', reason: answer.description, isDoubtful: false, delayMs: backOffMs(message.attempts) };
  }
  return (
    readEditRefusal(answer, message) ?? readChatRefusal(answer, message) ?? readMessageRefusal(answer, message, picture)
  );
}

/** Rulings R4, running cards: an edit that was made before is done; one whose message is gone is sent as a message of its own. */
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

/** What the chat does not allow, whatever the message says; null: it is about the message. */
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

/** Poison never holds up a chat: once more in a simpler form, then set aside with Telegram's own reason. */
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

/** Telegram as a whole is away, or refuses the bot itself: every chat would only hear the same. */
export const isOutage = (answer: SendAnswer): boolean =>
  answer.kind === 'unanswered' ||
  (answer.kind === 'refused' && (answer.code >= 500 || answer.code === 401 || answer.code === 404));
