import type { OutageLog } from '../../db/outage.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { compactChat, type EventCards } from '../notify/event-cards.ts';
import { isQuiet } from '../time-zone.ts';
import { knownPicture, type Pictures } from './pictures.ts';
import { dropMessage, markSending, readHead, readWaitingChats } from './message-store.ts';
import type { Sending, SendKind, SendLimits } from './limits.ts';
import { isFailingAfter, type Message, onTheirWayMax, type Outcome, type Picture, readAnswer } from './message.ts';
import { createTasks, failingMax, type SenderLimits, type SendGate } from './sending.ts';
import type { OutcomeStore } from './settle.ts';
import type { Transport } from './transport.ts';

/** What sending needs of the rest of the bot, for both kinds of messages. */
export interface QueueParts extends SenderLimits, Pick<TelegramParts, 'db' | 'clock' | 'log'> {
  readonly transport: Transport;
  readonly pictures: Pick<Pictures, 'fetch'>;
  readonly cards: EventCards;
  readonly limits: SendLimits;
  readonly gate: SendGate;
  readonly outcomes: OutcomeStore;
  readonly outages: OutageLog;
}

interface Chat {
  readonly id: string;
  notBeforeMs: number;
  isFailing: boolean;
  /** The last try failed for a right that only a person can give: once it is given, the chat waits no longer. */
  lacksRights: boolean;
  isBusy: boolean;
  /** Set if its first message was found marked as being sent. */
  sending: { readonly id: string; readonly sinceMs: number } | null;
  /** How often a message was found waiting in it. */
  seenCount: number;
}

const newChat = { notBeforeMs: 0, lacksRights: false, isBusy: false, sending: null, seenCount: 0 };

type Head = NonNullable<Awaited<ReturnType<typeof readHead>>>;

interface Served {
  readonly isEmpty?: true;
  /** Set if another chat is uploading the same picture. Never rejects. */
  readonly upload?: Promise<void>;
}

/** Chats served at once: those being sent to, and six in preparation. */
const servedMax = onTheirWayMax + 6;
const restAfterFailureMs = 1_000;
const sendingRecheckMs = 1_000;
/** In quiet hours: until someone's message, or their end, is noticed. */
const quietRecheckMs = 15_000;
/** A healthy chat answers sooner; one in slow mode is answered up to 10 s late each time (tdlib/telegram-bot-api#75). */
const slowAnswerMs = 5_000;
/** Longer than any answer is awaited. */
const longestSendingMs = 20_000;

/**
 * Waiting messages of one kind: the chats are in the memory of the sending copy, their messages in the database. Each
 * chat gets one message at a time, in order; the longest waiting chat goes first, and a chat that fails or waits for a
 * picture holds up no other.
 */
export function createMessageQueue(parts: QueueParts, kind: SendKind) {
  const { db, limits, gate, outages, nowMs } = parts;
  const chats = new Map<string, Chat>();
  /** Chats whose last try failed or was answered late, even while nothing waits in them. */
  const failing = new Set<string>();
  const tasks = createTasks(parts);
  const serve = createServing(parts, kind, tasks);

  const beginDue = (): number => {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const chat of chats.values()) {
      if (tasks.count() >= servedMax) break;
      if (chat.isBusy) continue;
      const waitMs = Math.max(chat.notBeforeMs - nowMs(), limits.msUntilChat(chat.id, kind));
      if (waitMs > 0) nextMs = Math.min(nextMs, waitMs);
      else if (!chat.isFailing || gate.failing.size < failingMax) begin(chat);
    }
    return nextMs;
  };

  const begin = (chat: Chat): void => {
    const { seenCount } = chat;
    chat.isBusy = true;
    if (chat.isFailing) gate.failing.add(chat);
    tasks.add(async () => {
      const served = await serve(chat).catch((error: unknown): Served => {
        outages.failed(error);
        chat.notBeforeMs = nowMs() + restAfterFailureMs;
        return {};
      });
      gate.failing.delete(chat);
      if (chat.isFailing) failing.add(chat.id);
      else failing.delete(chat.id);
      if (served.isEmpty === true && chat.seenCount === seenCount) chats.delete(chat.id);
      void (served.upload ?? Promise.resolve()).then(() => release(chat));
    });
  };

  /** Moves the chat to the end of the queue. */
  const release = (chat: Chat): void => {
    chat.isBusy = false;
    if (chats.delete(chat.id)) chats.set(chat.id, chat);
    setImmediate(gate.check);
  };

  gate.serve(kind, beginDue);
  return {
    refill: async (): Promise<void> => {
      for (const { chatId: id, attempts, mayTryNow } of await readWaitingChats(db, kind)) {
        const known = chats.get(id) ?? { ...newChat, id, isFailing: attempts > 0 || failing.has(id) };
        chats.set(id, known);
        known.seenCount += 1;
        if (known.lacksRights && mayTryNow) known.notBeforeMs = 0;
      }
      gate.check();
    },
    /** Stops sending; resolves when no send is in progress. */
    end: tasks.end,
  };
}

/** One step with a chat's first message: sends it, or does what must happen first. */
function createServing(parts: QueueParts, kind: SendKind, tasks: ReturnType<typeof createTasks>) {
  const { db, pictures, limits, gate, outcomes, outages, nowMs } = parts;
  /** A picture is uploaded once (rulings R4): until its file_id is stored, other chats with the same picture wait. */
  const uploads = new Map<string, Promise<void>>();

  const send = async (chat: Chat, head: Head, picture: Picture): Promise<void> => {
    const sending = await gate.pass(chat.id, kind, tasks.stopping).catch(() => null);
    if (sending !== null) await sendNow(chat, head, picture, sending).finally(() => gate.leave(chat.id));
  };

  const sendNow = async (chat: Chat, head: Head, picture: Picture, sending: Sending): Promise<void> => {
    // Marked as late as possible: a marked message is in doubt if this copy dies.
    const message = await markSending(db, head).catch((error: unknown) => {
      outages.failed(error);
      return null;
    });
    if (message === null) return limits.cancel(sending);
    const sentAtMs = nowMs();
    const outcome = await sendMarked(message, picture, sending, parts, tasks.answerBy());
    const isSlow = nowMs() - sentAtMs > slowAnswerMs;
    await outcomes.settle(message, outcome, tasks.abandoned);
    chat.notBeforeMs = nowMs() + (outcome.kind === 'again' ? outcome.delayMs : 0);
    chat.lacksRights = outcome.kind === 'again' && outcome.trouble !== undefined;
    chat.isFailing = isFailingAfter(outcome, { isSlow, wasFailing: chat.isFailing });
  };

  const upload = async (chat: Chat, head: Head, imageUrl: string): Promise<void> => {
    const picture = await pictures.fetch(imageUrl);
    // A failure is remembered: the next step sends the message without the picture.
    if (picture !== null) await send(chat, head, picture);
  };

  const sendHead = async (chat: Chat, head: Head): Promise<Served> => {
    const { imageUrl } = head;
    const picture = await knownPicture(db, imageUrl);
    if (picture !== undefined || imageUrl === null) {
      await send(chat, head, picture ?? null);
      return {};
    }
    const other = uploads.get(imageUrl);
    if (other !== undefined) return { upload: other };
    const own = upload(chat, head, imageUrl).finally(() => uploads.delete(imageUrl));
    const ended = own.catch(() => {});
    uploads.set(imageUrl, ended);
    await own;
    return {};
  };

  const serve = async (chat: Chat, isQuiet: boolean): Promise<Served> => {
    const head = await readHead(db, chat.id, kind, { backlogAfterMs: parts.backlogAfterMs, isQuiet });
    if (head === null && !isQuiet) return { isEmpty: true };
    if (head === null) chat.notBeforeMs = nowMs() + quietRecheckMs;
    else if (head.state === 'sending') await awaitSending(chat, head.id, parts);
    else if (head.isOfDeleted) await dropMessage(db, head.id, 'configuration-deleted');
    else if (head.isTooLate) await dropMessage(db, head.id, 'too-late');
    else if (isHeldBack(head, parts.clock.now())) return serve(chat, true);
    else if (head.isBacklog) await compactChat(db, parts.cards, chat.id);
    else return sendHead(chat, head);
    return {};
  };
  return (chat: Chat) => serve(chat, false);
}

/** Rulings R4: the message was due before the chat's quiet hours, and waits for their end. What someone asks for passes it. */
const isHeldBack = ({ quiet }: Head, now: Date): boolean => quiet !== null && isQuiet(now, quiet.hours, quiet.timeZone);

/** Another copy is sending it, or none: a copy may have marked it without receiving the database's answer. */
async function awaitSending(chat: Chat, id: string, { outcomes, nowMs }: QueueParts): Promise<void> {
  chat.notBeforeMs = nowMs() + sendingRecheckMs;
  if (chat.sending?.id !== id) chat.sending = { id, sinceMs: nowMs() };
  else if (nowMs() - chat.sending.sinceMs > longestSendingMs) await outcomes.requeue(id);
}

async function sendMarked(
  message: Message,
  picture: Picture,
  sending: Sending,
  { limits, transport, log }: QueueParts,
  answerBy: AbortSignal,
): Promise<Outcome> {
  const { chatId } = message;
  const answer = await transport(message, picture, answerBy);
  const outcome = readAnswer(answer, message, picture);
  if (outcome.kind === 'limited') {
    limits.cancel(sending);
    limits.limited(chatId, outcome.retryAfterMs);
  } else limits.end(sending);
  if (answer.kind === 'refused') {
    const { code, description } = answer;
    log.info({ chatId, messageId: message.id, code, description }, 'Telegram refused a message');
  }
  return outcome;
}
