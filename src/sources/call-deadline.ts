/** The end of a whole call: by time, by the caller's wish, or because it is done. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Must be called when the call is over: releases the timer and the caller's signal. */
  readonly end: () => void;
}

export interface CallDeadlineOptions {
  readonly deadlineMs: number;
  readonly stop: AbortSignal | undefined;
  readonly failureOnTime: () => Error;
  readonly failureOnStop: (cause: unknown) => Error;
}

/** A timer of its own instead of AbortSignal.timeout: it ends with the call, so nothing piles up under load. */
export function createCallDeadline(options: CallDeadlineOptions): CallDeadline {
  const { stop } = options;
  const controller = new AbortController();
  const onStop = (): void => controller.abort(options.failureOnStop(stop?.reason));
  const timer = setTimeout(() => controller.abort(options.failureOnTime()), options.deadlineMs);
  stop?.addEventListener('abort', onStop);
  if (stop?.aborted === true) onStop();
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', onStop);
      controller.abort(options.failureOnStop('done'));
    },
  };
}
