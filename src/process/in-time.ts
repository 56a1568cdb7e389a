/** Node fires a longer timer at once. After these 24 days, callers check again. */
const longestTimerMs = 2 ** 31 - 1;

/** Runs once after that time, without keeping the process alive for it. Returns a function that cancels it. */
export function runAfter(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(delayMs, longestTimerMs)).unref();
  return () => clearTimeout(timer);
}

/** The result of `work`, or of `late` after that time. `work` then continues, but its result is ignored. */
export async function withTimeout<T, L>(work: Promise<T>, withinMs: number, late: () => L): Promise<T | L> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, withinMs);
  try {
    return await Promise.race([work, timeIsUp.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`, or a rejection with the signal's reason. `work` then continues, but its result is ignored. */
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
 * Runs `work` with a signal that aborts when time is up, when `stop` aborts, and when `work` is done. The first two throw, whether
 * or not `work` obeys the signal.
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

/** The real clock, in the form that capabilities take. */
export const systemClock = {
  now: (): Date => new Date(),
  /** Runs once after `delayMs`; returns a function that cancels it. */
  after: runAfter,
};
