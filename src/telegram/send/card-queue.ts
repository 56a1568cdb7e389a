import type { Logger } from '../../process/logger.ts';
import type { CardStore, Head } from './card-store.ts';
import type { SendGate } from './gate.ts';
import type { Sending, SendLimits } from './limits.ts';
import { type Message, onTheirWayMax, type Outcome, type Picture, type Pictures, type Transport } from './message.ts';
import type { OutageWatch } from './outage-watch.ts';
import { readAnswer } from './read-answer.ts';
import { createTasks, type Tasks, type TaskTimes } from './tasks.ts';
import { createTurns } from './turns.ts';

export interface CardQueue {
  /** A new message may wait. */
  refill(): Promise<void>;
  hasWaiting(chatId: string): boolean;
  /** Time has passed. */
  check(): void;
  /** Starts nothing more; resolves when nothing is in progress. */
  end(): Promise<void>;
}

export interface CardQueueOptions {
  readonly store: CardStore;
  readonly transport: Transport;
  readonly pictures: Pictures;
  readonly limits: SendLimits;
  readonly gate: SendGate;
  readonly outages: OutageWatch;
  /** Turns a chat's backlog into a digest and the newest few messages. */
  readonly compact: (chatId: string) => Promise<void>;
  /** Never throws. */
  readonly settle: (message: Message, outcome: Outcome, abandoned: AbortSignal) => Promise<void>;
  readonly times: TaskTimes;
  readonly onMigrated: () => void;
  readonly onFailed: (error: unknown) => void;
  readonly nowMs: () => number;
  readonly log: Logger;
}

interface Chat {
  readonly id: string;
  notBeforeMs: number;
  /** Its last try failed. */
  isFailing: boolean;
  isBusy: boolean;
  /** How often a message was found waiting in it. */
  seenCount: number;
}

/** In preparation, besides those being sent. */
const servedMax = onTheirWayMax + 6;
/** How many may go to chats whose last try failed: the others never wait for these. */
const failingMax = 2;
const longestSleepMs = 1_000;
const restAfterFailureMs = 1_000;
const unsettledLookMs = 100;

/**
 * Waiting cards: the chats are in the memory of the sending copy, their messages in the database. Each chat gets one
 * message at a time, in order; the longest waiting chat goes first, and a chat that fails or waits for a picture holds
 * up no other.
 */
export function createCardQueue(options: CardQueueOptions): CardQueue {
  const { store, limits, nowMs } = options;
  const chats = new Map<string, Chat>();
  const tasks = createTasks(options.times);
  const work = { options, tasks, uploads: createUploads(options.pictures), inTurn: createTurns(onTheirWayMax) };
  let failingCount = 0;
  let timer: NodeJS.Timeout | undefined;

  const check = (): void => {
    clearTimeout(timer);
    let sleepMs = longestSleepMs;
    for (const chat of chats.values()) {
      if (tasks.count() >= servedMax || tasks.stopping.aborted) return;
      if (chat.isBusy || (chat.isFailing && failingCount >= failingMax)) continue;
      const waitMs = Math.max(chat.notBeforeMs - nowMs(), limits.msUntilChat(chat.id, 'card', true));
      if (waitMs > 0) sleepMs = Math.min(sleepMs, waitMs);
      else begin(chat);
    }
    if (chats.size > 0) timer = setTimeout(check, Math.ceil(sleepMs));
  };

  const begin = (chat: Chat): void => {
    const { isFailing, seenCount } = chat;
    chat.isBusy = true;
    if (isFailing) failingCount += 1;
    tasks.add(async () => {
      const served = await serveChat(chat, work).catch((error: unknown): Served => {
        options.onFailed(error);
        chat.notBeforeMs = nowMs() + restAfterFailureMs;
        return {};
      });
      if (isFailing) failingCount -= 1;
      if (served.isEmpty === true && chat.seenCount === seenCount) chats.delete(chat.id);
      if (served.upload === undefined) release(chat);
      else void served.upload.finally(() => release(chat));
    });
  };

  /** Moves the chat to the end of the queue. */
  const release = (chat: Chat): void => {
    chat.isBusy = false;
    if (chats.delete(chat.id)) chats.set(chat.id, chat);
    setImmediate(check);
  };

  return {
    refill: async () => {
      for (const { chatId, attempts } of await store.waitingChats()) {
        const known = chats.get(chatId);
        if (known !== undefined) known.seenCount += 1;
        else {
          const chat = { id: chatId, notBeforeMs: 0, isFailing: attempts > 0, isBusy: false, seenCount: 0 };
          chats.set(chatId, chat);
        }
      }
      check();
    },
    hasWaiting: (chatId) => chats.has(chatId),
    check,
    end: async () => {
      clearTimeout(timer);
      await tasks.end();
    },
  };
}

interface Work {
  readonly options: CardQueueOptions;
  readonly tasks: Tasks;
  readonly uploads: ReturnType<typeof createUploads>;
  readonly inTurn: ReturnType<typeof createTurns>;
}

interface Served {
  /** Nothing waits in the chat. */
  readonly isEmpty?: true;
  /** Another chat is uploading the same picture. */
  readonly upload?: Promise<void>;
}

/** One step with the chat's first message: sends it, or does what must happen before. */
async function serveChat(chat: Chat, work: Work): Promise<Served> {
  const { store, nowMs, compact } = work.options;
  const head = await store.head(chat.id);
  if (head === null) return { isEmpty: true };
  if (head.state === 'sending') chat.notBeforeMs = nowMs() + unsettledLookMs;
  else if (head.isOfDeleted) await store.drop(head.id, 'configuration-deleted');
  else if (head.isBacklog) await compact(chat.id);
  else {
    const imageUrl = head.wantsPicture && head.fileId === null ? head.imageUrl : null;
    if (imageUrl === null) await sendHead(chat, head, fileOf(head), work);
    else {
      const upload = work.uploads.of(imageUrl);
      if (upload !== undefined) return { upload };
      await work.uploads.run(imageUrl, (picture) => sendHead(chat, head, picture, work));
    }
  }
  return {};
}

const sendHead = (chat: Chat, head: Head, picture: Picture, { options, tasks, uploads, inTurn }: Work): Promise<void> =>
  inTurn(async () => {
    const { gate, limits, store, nowMs } = options;
    const sending = await gate.passCard(chat.id, tasks.stopping).catch(() => null);
    if (sending === null) return;
    // Marked as late as possible: a marked message is in doubt if this copy dies.
    const message = await store.mark(head.id, head.editsMessageId).catch((error: unknown) => {
      options.onFailed(error);
      return null;
    });
    if (message === null) return limits.end(sending, 'does-not-count');
    const outcome = await sendMarked({ message, picture, sending }, options, tasks);
    await options.settle(message, outcome, tasks.abandoned);
    const delayMs = outcome.kind === 'again' ? outcome.delayMs : 0;
    chat.notBeforeMs = nowMs() + delayMs;
    if (delayMs > 0) chat.isFailing = true;
    else if (outcome.kind === 'sent') chat.isFailing = false;
    if (outcome.kind === 'sent' && outcome.uploadedFileId !== null) uploads.done(message.content.imageUrl);
    if (outcome.kind === 'migrated') options.onMigrated();
  });

const fileOf = ({ wantsPicture, fileId }: Head): Picture =>
  wantsPicture && fileId !== null ? { kind: 'file-id', fileId } : null;

interface Marked {
  readonly message: Message;
  readonly picture: Picture;
  readonly sending: Sending;
}

async function sendMarked(
  { message, picture, sending }: Marked,
  { gate, limits, transport, outages, log }: CardQueueOptions,
  { answerBy }: Tasks,
): Promise<Outcome> {
  const { chatId } = message;
  const answer = await transport.send(message, picture, answerBy());
  const outcome = readAnswer(answer, message, picture);
  const mayCount = outcome.kind === 'limited' ? 'does-not-count' : 'may-count';
  limits.end(sending, answer.kind === 'sent' ? 'arrived' : mayCount);
  if (outcome.kind === 'limited') limits.limited(chatId, outcome.retryAfterMs);
  if (answer.kind === 'refused') {
    const { code, description } = answer;
    log.info({ chatId, messageId: message.id, code, description }, 'Telegram refused a message');
  }
  outages.note(chatId, answer);
  gate.check();
  return outcome;
}

/** A picture is uploaded once (rulings R4): until its file_id is stored, other chats with the same one wait. */
function createUploads(pictures: Pictures) {
  const running = new Map<string, Promise<void>>();
  return {
    of: (imageUrl: string) => running.get(imageUrl),
    run: async (imageUrl: string, send: (picture: Picture) => Promise<void>): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(imageUrl, promise);
      try {
        if (pictures.get(imageUrl) === null) await pictures.prepare(imageUrl);
        const bytes = pictures.get(imageUrl);
        // A failure is remembered: the next step sends the message without the picture.
        if (bytes !== null) await send({ kind: 'bytes', bytes });
      } finally {
        running.delete(imageUrl);
        resolve();
      }
    },
    done: (imageUrl: string | null) => {
      if (imageUrl !== null) pictures.drop(imageUrl);
    },
  };
}
