import { untilAborted, inTime } from '../../process/in-time.ts';
import type { ReplyKind, Sending, SendLimits } from './limits.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Pictures } from './pictures.ts';
import type { Settling } from './settle.ts';
import type { Transport } from './transport.ts';

interface WaitingReply {
  readonly chatId: string;
  readonly kind: ReplyKind;
  /** How long it has waited elsewhere. */
  readonly ageMs: number;
}

/** The chats that cards wait for. */
interface WaitingChats {
  /** Begins with those that may get a card now; returns how long until another may. */
  readonly beginDue: () => number;
  readonly has: (chatId: string) => boolean;
}

const patienceMs: Readonly<Record<ReplyKind, number>> = { question: 4_000, notice: 2_000, change: 61_000 };
/** Waiting cards go first, mostly within a second or two; then the question has its turn. */
const cardsGoWithinMs = 1_000;
const longestTimerMs = 1_000;

interface Waiting {
  readonly isReply: boolean;
  /** How long it still waits; 0: sent or dropped. */
  readonly tryNow: () => number;
}

/** Where messages wait for Telegram's limits: replies before cards, each in order of arrival, as its chat allows. */
export function createSendGate(limits: SendLimits, nowMs: () => number) {
  const waiting = new Set<Waiting>();
  let chats: WaitingChats | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Something changed: an answer arrived, or time has passed. */
  const check = (): void => {
    clearTimeout(timer);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const isReply of [true, false]) {
      for (const each of waiting) {
        if (each.isReply !== isReply) continue;
        const waitMs = each.tryNow();
        if (waitMs > 0) nextMs = Math.min(nextMs, waitMs);
        else waiting.delete(each);
      }
    }
    if (chats !== null) nextMs = Math.min(nextMs, chats.beginDue());
    if (Number.isFinite(nextMs)) timer = setTimeout(check, Math.ceil(Math.min(nextMs, longestTimerMs)));
  };
  const enter = async <T>(isReply: boolean, stop: AbortSignal, attempt: () => T | number): Promise<T> => {
    stop.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<T>();
    const tryNow = (): number => {
      const passed = attempt();
      if (typeof passed === 'number') return passed;
      resolve(passed);
      return 0;
    };
    const each = { isReply, tryNow };
    waiting.add(each);
    check();
    try {
      return await untilAborted(promise, stop);
    } finally {
      waiting.delete(each);
    }
  };
  return {
    check,
    /** null: no cards are sent. */
    serve: (given: WaitingChats | null): void => {
      chats = given;
      check();
    },
    /** Resolves with the message once it may be sent; rejects with the signal's reason. */
    passCard: (chatId: string, stop: AbortSignal): Promise<Sending> =>
      enter(false, stop, () => {
        const waitMs = Math.max(limits.msUntilAny('card'), limits.msUntilChat(chatId, 'card', true));
        return waitMs > 0 ? waitMs : limits.begin(chatId, 'card');
      }),
    /** `waitMs`: it would have to wait longer than anyone is patient. */
    passReply: ({ chatId, kind, ageMs }: WaitingReply, stop: AbortSignal) => {
      const cameAtMs = nowMs() - ageMs;
      return enter<Sending | { readonly waitMs: number }>(true, stop, () => {
        const anyMs = limits.msUntilAny(kind);
        const waitMs = Math.max(anyMs, limits.msUntilChat(chatId, kind, chats?.has(chatId) ?? false));
        if (waitMs <= 0) return limits.begin(chatId, kind);
        const onceCardsWentMs = Math.max(anyMs, limits.msUntilChat(chatId, kind, false), cardsGoWithinMs);
        const leastMs = Math.min(waitMs, onceCardsWentMs);
        return nowMs() - cameAtMs + leastMs > patienceMs[kind] ? { waitMs } : leastMs;
      });
    },
  };
}
type SendGate = ReturnType<typeof createSendGate>;

/** What cards and replies are sent with. */
export interface SendingParts extends TaskTimes {
  readonly db: Kysely<Database>;
  readonly transport: Transport;
  readonly pictures: Pick<Pictures, 'fetch' | 'drop'>;
  readonly limits: SendLimits;
  readonly gate: SendGate;
  readonly settling: Settling;
}

export interface TaskTimes {
  /** Timeout for an answer: after it the message is in doubt. */
  readonly answerWithinMs: number;
  /** The shorter timeout while stopping. The whole product stops within 4.8 s. */
  readonly stopWithinMs: number;
}

/** For the last writes to the database. It may be down: the next sender finds unfinished messages in doubt. */
const writeWithinMs = 300;

/** Running tasks and their shutdown: first no new tasks, then no more waiting for answers, then no more writes. */
export function createTasks({ answerWithinMs, stopWithinMs }: TaskTimes) {
  const running = new Set<Promise<void>>();
  const [stopping, cut, abandoned] = [new AbortController(), new AbortController(), new AbortController()];
  return {
    stopping: stopping.signal,
    abandoned: abandoned.signal,
    count: () => running.size,
    /** `work` never throws. */
    add: (work: () => Promise<void>): void => {
      const task: Promise<void> = work().finally(() => running.delete(task));
      running.add(task);
    },
    /** Aborts the wait for one answer. */
    answerBy: (): AbortSignal => AbortSignal.any([AbortSignal.timeout(answerWithinMs), cut.signal]),
    end: async (): Promise<void> => {
      stopping.abort(new Error('Sending stopped'));
      const ended = Promise.all(running);
      await inTime(ended, stopWithinMs, () => cut.abort());
      await inTime(ended, writeWithinMs, () => {});
      abandoned.abort();
    },
  };
}
export type Tasks = ReturnType<typeof createTasks>;
