import { untilAborted, withTimeout } from '../../process/in-time.ts';
import type { SendKind, Sending, SendLimits } from './limits.ts';
import { onTheirWayMax } from './message.ts';

const longestTimerMs = 1_000;
/** Cards leave a place to replies, and replies leave one to cards: neither waits for the other while Telegram answers slowly. */
const ofKindMax = onTheirWayMax - 1;
/** Messages to chats whose last try failed: the other chats never wait for these. */
export const failingMax = 2;
const kinds = ['reply', 'card'] as const;

interface Waiting {
  readonly kind: SendKind;
  readonly tryNow: () => number;
}

/**
 * Messages wait here for Telegram's limits and for one of the places for messages being sent: replies before cards, each
 * in order of arrival, as its chat allows.
 */
export function createSendGate(limits: SendLimits) {
  const waiting = new Set<Waiting>();
  /** Chats whose message is on its way: one each. */
  const onTheirWay = new Map<string, SendKind>();
  /** Each starts serving the chats that may get a message now, and returns how long until another may. */
  const queues = new Map<SendKind, () => number>();
  const hasPlace = (chatId: string, kind: SendKind): boolean =>
    !onTheirWay.has(chatId) &&
    onTheirWay.size < onTheirWayMax &&
    [...onTheirWay.values()].filter((each) => each === kind).length < ofKindMax;
  let timer: NodeJS.Timeout | undefined;
  /** Called when an answer has arrived or time has passed. */
  const check = (): void => {
    clearTimeout(timer);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const kind of kinds) {
      for (const each of waiting) {
        if (each.kind !== kind) continue;
        const waitMs = each.tryNow();
        if (waitMs > 0) nextMs = Math.min(nextMs, waitMs);
        else waiting.delete(each);
      }
      nextMs = Math.min(nextMs, queues.get(kind)?.() ?? nextMs);
    }
    if (Number.isFinite(nextMs)) timer = setTimeout(check, Math.ceil(Math.min(nextMs, longestTimerMs)));
  };
  return {
    check,
    serve: (kind: SendKind, beginDue: () => number): void => void queues.set(kind, beginDue),
    close: (): void => {
      queues.clear();
      clearTimeout(timer);
    },
    /** Resolves once the message may be sent; rejects with the signal's reason. */
    pass: async (chatId: string, kind: SendKind, stop: AbortSignal): Promise<Sending> => {
      stop.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<Sending>();
      const tryNow = (): number => {
        if (!hasPlace(chatId, kind)) return Number.POSITIVE_INFINITY;
        const waitMs = Math.max(limits.msUntilAny(kind), limits.msUntilChat(chatId, kind));
        if (waitMs > 0) return waitMs;
        onTheirWay.set(chatId, kind);
        resolve(limits.begin(chatId, kind));
        return 0;
      };
      const each = { kind, tryNow };
      waiting.add(each);
      check();
      try {
        return await untilAborted(promise, stop);
      } finally {
        waiting.delete(each);
      }
    },
    /** Called when the message has arrived or failed, and its outcome is stored. */
    leave: (chatId: string): void => {
      onTheirWay.delete(chatId);
      check();
    },
    /** Chats being served whose last try failed: at most `failingMax`. */
    failing: new Set<object>(),
  };
}
export type SendGate = ReturnType<typeof createSendGate>;

/** Changed only by tests and benchmarks. */
export const usualLimits = {
  /** Timeout for an answer: after it the message is in doubt. */
  answerWithinMs: 15_000,
  /** The shorter timeout while stopping. The whole product stops within 4.8 s. */
  stopWithinMs: 4_000,
  /** After this time cards may have become a backlog. */
  backlogAfterMs: 10 * 60_000,
  /** After this time a message goes without its picture. */
  pictureWaitMs: 3_000,
  /** Monotonic. */
  nowMs: () => performance.now(),
};
export type SenderLimits = Readonly<typeof usualLimits>;

/** For the last writes to the database. If it is down, the next sender finds unfinished messages in doubt. */
const writeWithinMs = 300;

/** Running tasks and their shutdown: first no new tasks, then no more waiting for answers, then no more writes. */
export function createTasks({ answerWithinMs, stopWithinMs }: SenderLimits) {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const cut = new AbortController();
  const abandoned = new AbortController();
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
      await withTimeout(ended, stopWithinMs, () => cut.abort());
      await withTimeout(ended, writeWithinMs, () => {});
      abandoned.abort();
    },
  };
}
