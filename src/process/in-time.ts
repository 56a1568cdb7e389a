/** Node runs a timer of more at once. After these 24 days whoever waits looks again. */
const longestTimerMs = 2 ** 31 - 1;

/** Runs once after that time, and does not keep the process alive for it; the answer cancels it. */
export function later(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(delayMs, longestTimerMs)).unref();
  return () => clearTimeout(timer);
}

/** What `work` comes to, or what `late` says after that time. `work` goes on; how it ends then is of no interest. */
export async function inTime<T, L>(work: Promise<T>, withinMs: number, late: () => L): Promise<T | L> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, withinMs);
  try {
    return await Promise.race([work, timeIsUp.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** What `work` comes to, or a rejection with the signal's reason. `work` goes on; how it ends then is of no interest. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Resolves after that time, or as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await untilAborted(timeIsUp, signal).catch(() => {});
  clearTimeout(timer);
}

interface Deadline {
  readonly withinMs: number;
  readonly stop: AbortSignal | undefined;
  readonly late: () => Error;
  readonly stopped: (cause: unknown) => Error;
}

/**
 * Runs `work` under a signal that aborts when time is up, when `stop` does, and when it is done. The first two are thrown, whether
 * or not `work` heeds the signal.
 */
export async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, deadline: Deadline): Promise<T> {
  const { withinMs, stop, late, stopped } = deadline;
  const over = new AbortController();
  const onStop = (): void => over.abort(stopped(stop?.reason));
  // A timer of its own instead of AbortSignal.timeout: it ends with the work, so nothing piles up under load.
  const timer = setTimeout(() => over.abort(late()), withinMs);
  stop?.addEventListener('abort', onStop);
  if (stop?.aborted === true) onStop();
  try {
    return await untilAborted(work(over.signal), over.signal);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', onStop);
    over.abort(stopped('done'));
  }
}

/** The real time, as capabilities ask for it. */
export const systemClock = {
  now: (): Date => new Date(),
  /** Runs once after `delayMs`; the answer cancels it. */
  after: later,
};
