/**
 * One door for all calls to an upstream that counts requests per address (public Sui full nodes: about 100 in 30 s).
 * At most `requests` pass in any window of `perMs`; the others wait in the order they came.
 */
export interface RateGate {
  /** Resolves when the caller may go. Rejects with the signal's reason when it aborts first. */
  readonly take: (signal: AbortSignal) => Promise<void>;
  /** Pauses all calls: the upstream has asked for it. Never shortens an earlier pause. */
  readonly pause: (pauseMs: number) => void;
  readonly waitingCount: () => number;
}

export interface RateGateOptions {
  readonly requests: number;
  readonly perMs: number;
  /** No upstream can hold us back longer than this at once. */
  readonly pauseMaxMs?: number;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

interface Waiting {
  readonly go: () => void;
}

/** A sliding window, not a bucket: a full bucket plus its refill can exceed the limit within one window. */
export function createRateGate(options: RateGateOptions): RateGate {
  const { requests, perMs, pauseMaxMs = 60_000, nowMs = () => performance.now() } = options;
  const passedAtMs: number[] = [];
  const queue: Waiting[] = [];
  let pausedUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const waitMs = (): number => {
    const now = nowMs();
    while ((passedAtMs[0] ?? now) <= now - perMs) passedAtMs.shift();
    const oldestMs = passedAtMs.length < requests ? undefined : passedAtMs[0];
    return Math.max(pausedUntilMs - now, oldestMs === undefined ? 0 : oldestMs + perMs - now, 0);
  };
  const letThrough = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (queue.length > 0) {
      const delayMs = waitMs();
      if (delayMs > 0) {
        timer = setTimeout(letThrough, Math.ceil(delayMs));
        return;
      }
      passedAtMs.push(nowMs());
      queue.shift()?.go();
    }
  };

  return {
    take: (signal) => {
      if (signal.aborted) return Promise.reject(asError(signal.reason));
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          go: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        const leave = (): void => {
          queue.splice(queue.indexOf(entry), 1);
          // The last one in the queue leaves no timer behind that would keep the process alive.
          letThrough();
          reject(asError(signal.reason));
        };
        signal.addEventListener('abort', leave, { once: true });
        queue.push(entry);
        letThrough();
      });
    },
    pause: (pauseMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, nowMs() + Math.min(pauseMs, pauseMaxMs));
    },
    waitingCount: () => queue.length,
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Aborted', { cause: reason });
}
