export interface RepeatedLook {
  /** Looks at once and then again and again; harmless when it does already. */
  start(): void;
  /** Resolves when the look under way is over. May be started again. */
  stop(): Promise<void>;
}

export interface RepeatedLookOptions {
  readonly clock: { after(delayMs: number, run: () => void): () => void };
  readonly everyMs: number;
  /** `stop` ends it early; what it throws goes to `onFailure`, and it is tried again. */
  readonly look: (stop: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** One look at a time, with a pause between them. */
export function createRepeatedLook({ clock, everyMs, look, onFailure }: RepeatedLookOptions): RepeatedLook {
  let stopped: AbortController | null = null;
  let looking: Promise<void> = Promise.resolve();
  let cancel = (): void => {};
  const lookOnce = async (stop: AbortSignal): Promise<void> => {
    try {
      await look(stop);
    } catch (error) {
      onFailure(error);
    }
    if (!stop.aborted) cancel = clock.after(everyMs, () => void (looking = lookOnce(stop)));
  };
  return {
    start: () => {
      if (stopped !== null) return;
      stopped = new AbortController();
      looking = lookOnce(stopped.signal);
    },
    stop: async () => {
      stopped?.abort();
      stopped = null;
      cancel();
      await looking;
    },
  };
}
