import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { createSessionLock, type SessionLock } from '../../db/session-lock.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Logger } from '../../process/logger.ts';
import { createOutageNote, type OutageNote } from '../../process/outage-note.ts';
import type { ChatLog } from './chat-log.ts';
import { cardsTopic } from '../notify/enqueue-messages.ts';
import { createPictureStore } from '../pictures/picture-store.ts';
import { type CardQueue, createCardQueue } from './card-queue.ts';
import { createCardStore } from './card-store.ts';
import { createSendGate } from './gate.ts';
import { createSendLimits, type SendLimits } from './limits.ts';
import type { Pictures, Transport } from './message.ts';
import { createOutageWatch } from './outage-watch.ts';
import { answeredTopic, askedTopic, createReplies, type Replies } from './replies.ts';
import { createReplyQueue } from './reply-queue.ts';
import { createReplyStore } from './reply-store.ts';
import { endTrouble, noteLimit } from './settle.ts';
import { createSettling, type Settling } from './settling.ts';
import type { TaskTimes } from './tasks.ts';

export interface Sender extends Pick<Replies, 'sendNow' | 'say'> {
  /** Starts sending cards, by this copy or another; safe to repeat. */
  start(): void;
  /** Pauses this copy's cards; replies go on. Resolves when no card is being sent. */
  pause(): Promise<void>;
  /** Finishes what is being sent, or marks it doubtful if that takes too long. May be started again. */
  stop(): Promise<void>;
}

export interface SenderOptions {
  readonly db: Kysely<Database>;
  /** Of the database, for a dedicated connection. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly chatLog: ChatLog;
  readonly transport: Transport;
  readonly pictures: Pictures;
  readonly compact: (chatId: string) => Promise<void>;
  readonly log: Logger;
  readonly limits: SenderLimits;
}

export interface SenderLimits extends TaskTimes {
  /** After this time cards may have become a backlog. */
  readonly backlogAfterMs: number;
  /** Monotonic. */
  readonly nowMs: () => number;
}

export const senderLimits: SenderLimits = {
  stopWithinMs: 4_000,
  answerWithinMs: 15_000,
  backlogAfterMs: 10 * 60_000,
  nowMs: () => performance.now(),
};

const takeOverAgainAfterMs = 250;

/**
 * The one sender of all copies (rulings R4, docs/decisions/0033): the copy that has the lock sends cards and replies,
 * and keeps Telegram's limits in its memory. The queue is in the database, so that another copy carries on when this
 * one dies.
 */
export function createSender(options: SenderOptions): Sender {
  const { url, log, changes, db } = options;
  let wantsCards = false;
  let sending: Sending | null = null;
  let lock: SessionLock | null = null;
  let stopListening = (): void => {};
  const open = (): void => {
    if (lock !== null) return;
    stopListening = replies.listen();
    lock = createSessionLock({ url, name: 'telegram sender', onHeld, log });
    lock.start();
  };
  const replies = createReplies({ db, changes, onAsked: open });
  const settling = createSettling({
    ...options,
    answeredTopic,
    onAnswered: (id, answer) => replies.answered(id, answer),
  });
  const note = createOutageNote(log, 'What waits to be sent could not be read');
  const onHeld = async (over: AbortSignal): Promise<void> => {
    const limits = createSendLimits(options.limits.nowMs);
    while (!over.aborted && !(await succeeds(() => settling.takeOver(limits), note))) {
      await delay(takeOverAgainAfterMs, undefined, { signal: over }).catch(() => {});
    }
    if (over.aborted) return;
    const begun = startSending({ ...options, settling, note }, limits);
    sending = begun;
    if (wantsCards) begun.startCards();
    await once(over, 'abort');
    sending = null;
    await begun.end();
  };
  return {
    sendNow: replies.sendNow,
    say: replies.say,
    start: () => {
      wantsCards = true;
      open();
      sending?.startCards();
    },
    pause: async () => {
      wantsCards = false;
      await sending?.pauseCards();
    },
    stop: async () => {
      wantsCards = false;
      stopListening();
      const ending = lock;
      lock = null;
      await ending?.stop();
    },
  };
}

async function succeeds(work: () => Promise<void>, note: OutageNote): Promise<boolean> {
  try {
    await work();
    note.done();
    return true;
  } catch (error) {
    note.failed(error);
    return false;
  }
}

interface Sending {
  startCards(): void;
  pauseCards(): Promise<void>;
  end(): Promise<void>;
}

interface SendingOptions extends SenderOptions {
  readonly settling: Settling;
  readonly note: OutageNote;
}

/** From getting the lock until losing it. */
function startSending(options: SendingOptions, limits: SendLimits): Sending {
  const { db, changes, settling, note, log } = options;
  const { nowMs, backlogAfterMs, ...times } = options.limits;
  let cards: CardQueue | null = null;
  const gate = createSendGate({ limits, nowMs, cardsWaitIn: (chatId) => cards?.hasWaiting(chatId) ?? false });
  const outages = createOutageWatch(limits, log);
  const common = { ...options, limits, gate, outages, times, nowMs };
  const replies = createReplyQueue({
    ...common,
    store: createReplyStore(db),
    pictureStore: createPictureStore(db),
    settle: (...given) => settling.settleReply(...given),
    onArrived: (chatId) => endTrouble(db, chatId),
    onLimited: (chatId, forMs) => noteLimit(db, chatId, forMs),
  });
  const refillReplies = oneAtATime(() => succeeds(() => replies.refill(), note));
  const refillCards = oneAtATime(async () => {
    // Time may have been moved, too.
    gate.check();
    const queue = cards;
    return queue === null || succeeds(() => queue.refill(), note);
  });
  const unsubscribes = [changes.subscribe(askedTopic, refillReplies), changes.subscribe(cardsTopic, refillCards)];
  refillReplies();
  const pauseCards = async (): Promise<void> => {
    const ending = cards;
    cards = null;
    await ending?.end();
  };
  return {
    startCards: () => {
      cards ??= createCardQueue({
        ...common,
        store: createCardStore(db, { backlogAfterMs }),
        settle: (...given) => settling.settleCard(...given),
        onMigrated: refillCards,
        onFailed: note.failed,
      });
      refillCards();
    },
    pauseCards,
    end: async () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      await Promise.all([pauseCards(), replies.end()]);
    },
  };
}

/** Requests during a run cause one more run; a failed run is repeated. */
function oneAtATime(run: () => Promise<boolean>): () => void {
  let asked = 0;
  const work = async (): Promise<void> => {
    for (let done = 0; done < asked;) {
      const now = asked;
      if (await run()) done = now;
      else await delay(takeOverAgainAfterMs);
    }
    asked = 0;
  };
  return () => {
    asked += 1;
    if (asked === 1) void work();
  };
}
