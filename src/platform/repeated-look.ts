import { createOutageNote, type OutageLog } from './outage-note.ts';

export interface RepeatedLook {
  /** Looks at once and then again and again; harmless when it does already. */
  start(): void;
  /** Resolves when the look under way is over. May be started again. */
  stop(): Promise<void>;
}

export interface RepeatedLookOptions {
  readonly clock: { after(delayMs: number, run: () => void): () => void };
  readonly everyMs: number;
  /** `stop` ends it early; what it throws is told as `failing`, and it is tried again. */
  readonly look: (stop: AbortSignal) => Promise<void>;
  readonly log: OutageLog;
  /** As an outage note says it: 'Recaps could not be made'. */
  readonly failing: string;
}

/** One look at a time, with a pause between them. */
export function createRepeatedLook({ clock, everyMs, look, log, failing }: RepeatedLookOptions): RepeatedLook {
  const note = createOutageNote(log, failing);
  let stopped: AbortController | null = null;
  let looking: Promise<void> = Promise.resolve();
  let cancel = (): void => {};
  const lookOnce = async (stop: AbortSignal): Promise<void> => {
    try {
      await look(stop);
      note.done();
    } catch (error) {
      note.failed(error);
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
