import type { Clock } from './ports.ts';

/**
 * Runs `work` until it is done, the time is up or `stopped` aborts, whichever is first; then the wait ends with the reason.
 * What a hanging upstream still does afterwards is ignored, and bounded by its client's own timeout.
 */
export async function withDeadline<T>(
  clock: Clock,
  deadlineMs: number,
  stopped: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(deadlineMs, () => late.abort(new Error('The treasury refresh took too long')));
  const stop = AbortSignal.any([stopped, late.signal]);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(stop.reason as Error);
  stop.addEventListener('abort', onAbort, { once: true });
  if (stop.aborted) onAbort();
  try {
    return await Promise.race([work(stop), ended]);
  } finally {
    cancel();
    stop.removeEventListener('abort', onAbort);
  }
}
