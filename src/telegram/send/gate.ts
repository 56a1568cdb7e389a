import type { ReplyKind, Sending, SendLimits } from './limits.ts';

/** Where messages wait for Telegram's limits: replies before cards, each in order of arrival, as its chat allows. */
export interface SendGate {
  /** Resolves with the message once it may be sent; rejects with the signal's reason. */
  passCard(chatId: string, stop: AbortSignal): Promise<Sending>;
  /** `waitMs`: it would have to wait longer than anyone is patient. */
  passReply(reply: WaitingReply, stop: AbortSignal): Promise<Sending | { readonly waitMs: number }>;
  /** Something changed: an answer arrived, or time has passed. */
  check(): void;
}

interface WaitingReply {
  readonly chatId: string;
  readonly kind: ReplyKind;
  /** How long it has waited elsewhere. */
  readonly ageMs: number;
}

interface GateOptions {
  readonly limits: SendLimits;
  readonly nowMs: () => number;
  readonly cardsWaitIn: (chatId: string) => boolean;
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

export function createSendGate({ limits, nowMs, cardsWaitIn }: GateOptions): SendGate {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    clearTimeout(timer);
    let nextMs = longestTimerMs;
    for (const isReply of [true, false]) {
      for (const each of waiting) {
        if (each.isReply !== isReply) continue;
        const waitMs = each.tryNow();
        if (waitMs > 0) nextMs = Math.min(nextMs, waitMs);
        else waiting.delete(each);
      }
    }
    if (waiting.size > 0) timer = setTimeout(check, Math.ceil(nextMs));
  };
  const enter = <T>(isReply: boolean, stop: AbortSignal, attempt: () => T | number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(each);
        reject(stop.reason as Error);
      };
      const each: Waiting = {
        isReply,
        tryNow: () => {
          const passed = attempt();
          if (typeof passed === 'number') return passed;
          stop.removeEventListener('abort', leave);
          resolve(passed);
          return 0;
        },
      };
      if (stop.aborted) return leave();
      stop.addEventListener('abort', leave, { once: true });
      waiting.add(each);
      check();
    });
  return {
    check,
    passCard: (chatId, stop) =>
      enter(false, stop, () => {
        const waitMs = Math.max(limits.msUntilAny('card'), limits.msUntilChat(chatId, 'card', true));
        return waitMs > 0 ? waitMs : limits.begin(chatId, 'card');
      }),
    passReply: ({ chatId, kind, ageMs }, stop) => {
      const cameAtMs = nowMs() - ageMs;
      return enter<Sending | { readonly waitMs: number }>(true, stop, () => {
        const anyMs = limits.msUntilAny(kind);
        const waitMs = Math.max(anyMs, limits.msUntilChat(chatId, kind, cardsWaitIn(chatId)));
        if (waitMs <= 0) return limits.begin(chatId, kind);
        const onceCardsWentMs = Math.max(anyMs, limits.msUntilChat(chatId, kind, false), cardsGoWithinMs);
        const leastMs = Math.min(waitMs, onceCardsWentMs);
        return nowMs() - cameAtMs + leastMs > patienceMs[kind] ? { waitMs } : leastMs;
      });
    },
  };
}
