import { systemClock } from '../../process/in-time.ts';

interface KeyedWorkOptions {
  readonly work: (key: string) => Promise<void>;
  /** Called with what the work throws; it is retried after `retryMs`. */
  readonly onFailure: (error: unknown, key: string) => void;
  readonly retryMs: number;
  /** Delay before a run, so that a burst becomes one. */
  readonly debounceMs?: number;
  /** How many keys run at a time; the others wait in order. Omitted: all of them. */
  readonly atOnce?: number;
}

/**
 * Work on this copy's connection, requested by key: one run at a time per key; requests during a run cause one more. Not jobs: those run
 * in any copy, and this work depends on what this connection has received.
 */
export function createKeyedWork(options: KeyedWorkOptions) {
  const { work, onFailure, retryMs, debounceMs = 0, atOnce = Infinity } = options;
  /** Keys that have not started, with how to cancel their delay; in `due` once the delay is over. */
  const scheduled = new Map<string, () => void>();
  const due = new Set<string>();
  const running = new Map<string, Promise<void>>();
  let isStopped = false;

  const schedule = (key: string, delayMs: number): void => {
    if (isStopped || scheduled.has(key)) return;
    const begin = (): void => {
      due.add(key);
      beginDue();
    };
    scheduled.set(key, systemClock.after(delayMs, begin));
  };
  const beginDue = (): void => {
    for (const key of due) {
      if (isStopped || running.size >= atOnce) return;
      if (running.has(key)) continue;
      due.delete(key);
      scheduled.delete(key);
      running.set(key, run(key));
    }
  };
  const run = async (key: string): Promise<void> => {
    try {
      await work(key);
    } catch (error) {
      if (!isStopped) onFailure(error, key);
      schedule(key, retryMs);
    }
    running.delete(key);
    beginDue();
  };
  return {
    request: (key: string): void => schedule(key, debounceMs),
    /** Stops accepting work; resolves when running work has finished. */
    stop: async (): Promise<void> => {
      isStopped = true;
      for (const cancel of scheduled.values()) cancel();
      await Promise.all(running.values());
    },
  };
}
