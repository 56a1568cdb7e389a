import { pause, untilAborted } from '../process/in-time.ts';

export type RateLimiter = ReturnType<typeof createRateLimiter>;

export interface RateLimiterOptions {
  readonly requests: number;
  readonly perMs: number;
  /** The longest pause that an upstream can ask for. */
  readonly pauseMaxMs?: number;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * One rate limit for all calls to an upstream that counts requests per address (public Sui full nodes: about 100 in 30 s).
 * At most `requests` pass in any window of `perMs`; the others wait in the order they came. A sliding window, not a bucket:
 * a full bucket plus its refill can exceed the limit within one window.
 */
export function createRateLimiter(options: RateLimiterOptions) {
  const { requests, perMs, pauseMaxMs = 60_000, nowMs = () => performance.now() } = options;
  const passedAtMs: number[] = [];
  let pausedUntilMs = 0;
  let lastTurn: Promise<void> = Promise.resolve();

  const waitMs = (): number => {
    const now = nowMs();
    while ((passedAtMs[0] ?? now) <= now - perMs) passedAtMs.shift();
    const oldestMs = passedAtMs.length < requests ? undefined : passedAtMs[0];
    return Math.max(pausedUntilMs - now, oldestMs === undefined ? 0 : oldestMs + perMs - now, 0);
  };
  /** An aborted caller does not delay the others and does not count. */
  const pass = async (signal: AbortSignal): Promise<void> => {
    for (let ms = waitMs(); ms > 0 && !signal.aborted; ms = waitMs()) await pause(Math.ceil(ms), signal);
    if (!signal.aborted) passedAtMs.push(nowMs());
  };

  return {
    /** Resolves when the caller may go. Rejects with the signal's reason when it aborts first. */
    take: (signal: AbortSignal): Promise<void> => {
      lastTurn = lastTurn.then(() => pass(signal));
      return untilAborted(lastTurn, signal);
    },
    /** Pauses all calls because the upstream asked for it. Never shortens an earlier pause. */
    pause: (pauseMs: number): void => {
      pausedUntilMs = Math.max(pausedUntilMs, nowMs() + Math.min(pauseMs, pauseMaxMs));
    },
  };
}

/** A stricter limiter before `limiter`, for background work: the rest of its limit stays free for everything else. */
export function createBackgroundLimiter(limiter: RateLimiter, options: RateLimiterOptions): RateLimiter {
  const own = createRateLimiter(options);
  return {
    take: async (signal) => {
      await own.take(signal);
      await limiter.take(signal);
    },
    pause: limiter.pause,
  };
}
