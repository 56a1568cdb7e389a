import { once } from 'node:events';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { createSessionLock, type SessionLock } from '../../db/session-lock.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Logger } from '../../process/logger.ts';
import { createOutageNote, type OutageNote } from '../../db/outage.ts';
import { cardsTopic } from '../notify/enqueue-messages.ts';
import type { Pictures } from './pictures.ts';
import { type CardQueue, createCardQueue } from './card-queue.ts';
import type { ChatLog } from '../configs/chat-changes.ts';
import { createSendGate, type TaskTimes } from './sending.ts';
import { createSendLimits, type SendLimits } from './limits.ts';
import { askedTopic, createReplies } from './replies.ts';
import { createReplyQueue } from './reply-queue.ts';
import { createSettling, type Settling, untilDone } from './settle.ts';
import type { Transport } from './transport.ts';

export interface SenderOptions {
  readonly db: Kysely<Database>;
  /** Of the database, for a dedicated connection. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly chatLog: ChatLog;
  readonly transport: Transport;
  readonly pictures: Pick<Pictures, 'fetch' | 'drop'>;
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

/**
 * The one sender of all copies (rulings R4, docs/decisions/0033): the copy that has the lock sends cards and replies,
 * and keeps Telegram's limits in its memory. The queue is in the database, so that another copy carries on when this
 * one dies.
 */
export function createSender(options: SenderOptions) {
  const { url, log, changes, db } = options;
  let wantsCards = false;
  let sending: Sending | null = null;
  let lock: SessionLock | null = null;
  let stopListening = async (): Promise<void> => {};
  const open = (): void => {
    if (lock !== null) return;
    stopListening = replies.listen();
    lock = createSessionLock({ url, name: 'telegram sender', onHeld, log });
    lock.start();
  };
  const replies = createReplies({ db, changes, onAsked: open });
  const settling = createSettling(options);
  const note = createOutageNote(log, 'What waits to be sent could not be read');
  const onHeld = async (over: AbortSignal): Promise<void> => {
    const limits = createSendLimits(options.limits.nowMs);
    await untilDone(() => settling.takeOver(limits), note, over);
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
    /** Starts sending cards, by this copy or another; safe to repeat. */
    start: (): void => {
      wantsCards = true;
      open();
      sending?.startCards();
    },
    /** Pauses this copy's cards; replies go on. Resolves when no card is being sent. */
    pause: async (): Promise<void> => {
      wantsCards = false;
      await sending?.pauseCards();
    },
    /** Finishes what is being sent, or marks it doubtful if that takes too long. May be started again. */
    stop: async (): Promise<void> => {
      wantsCards = false;
      const [ending, stopReading] = [lock, stopListening];
      lock = null;
      await ending?.stop();
      await stopReading();
    },
  };
}

interface SendingOptions extends SenderOptions {
  readonly settling: Settling;
  readonly note: OutageNote;
}
type Sending = ReturnType<typeof startSending>;

/** From getting the lock until losing it. */
function startSending(options: SendingOptions, limits: SendLimits) {
  const { changes, note } = options;
  const over = new AbortController();
  const gate = createSendGate(limits, options.limits.nowMs);
  const common = { ...options, ...options.limits, limits, gate };
  const replies = createReplyQueue(common);
  let cards: CardQueue | null = null;
  const refillReplies = oneAtATime(() => untilDone(replies.refill, note, over.signal));
  const refillCards = oneAtATime(() => {
    // Time may have been moved, too.
    gate.check();
    return untilDone(async () => cards?.refill(), note, over.signal);
  });
  const unsubscribes = [changes.subscribe(askedTopic, refillReplies), changes.subscribe(cardsTopic, refillCards)];
  refillReplies();
  const pauseCards = async (): Promise<void> => {
    const ending = cards;
    cards = null;
    await ending?.end();
  };
  return {
    startCards: (): void => {
      cards ??= createCardQueue({ ...common, onMigrated: refillCards, onFailed: note.failed });
      refillCards();
    },
    pauseCards,
    end: async (): Promise<void> => {
      over.abort();
      for (const unsubscribe of unsubscribes) unsubscribe();
      await Promise.all([pauseCards(), replies.end()]);
    },
  };
}

/** Requests during a run cause one more run. `run` never throws. */
function oneAtATime(run: () => Promise<void>): () => void {
  let [isRunning, isAsked] = [false, false];
  const work = async (): Promise<void> => {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await run();
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void work();
  };
}
