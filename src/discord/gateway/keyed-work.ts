/** Work requested by name, repeatedly: one run at a time per name; requests during a run cause one more. */
export interface KeyedWork {
  ask(key: string): void;
  /** Accepts nothing new; resolves when running work is done. */
  stop(): Promise<void>;
}

export interface KeyedWorkOptions {
  readonly work: (key: string) => Promise<void>;
  /** Called with what the work throws; it is retried after `retryMs`. */
  readonly onFailure: (error: unknown, key: string) => void;
  readonly retryMs: number;
  /** Delay before a run, so that a burst becomes one. */
  readonly gatherMs?: number;
  /** How many names run at a time; the others wait in order. All of them when left out. */
  readonly atOnce?: number;
}

export function createKeyedWork(options: KeyedWorkOptions): KeyedWork {
  const { work, onFailure, retryMs, gatherMs = 0, atOnce = Infinity } = options;
  const asked = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const waiting = new Set<string>();
  let isStopped = false;

  const begin = (key: string): void => {
    timers.delete(key);
    if (isStopped || running.has(key)) return;
    if (running.size >= atOnce) {
      waiting.add(key);
      return;
    }
    waiting.delete(key);
    running.set(key, run(key));
  };
  const beginNext = (): void => {
    const [next] = waiting;
    if (next !== undefined) begin(next);
  };
  const beginIn = (key: string, ms: number): void => {
    if (isStopped || timers.has(key)) return;
    timers.set(
      key,
      setTimeout(() => begin(key), ms),
    );
  };
  const run = async (key: string): Promise<void> => {
    asked.delete(key);
    let waitMs = gatherMs;
    try {
      await work(key);
    } catch (error) {
      if (!isStopped) onFailure(error, key);
      asked.add(key);
      waitMs = retryMs;
    }
    running.delete(key);
    if (asked.has(key)) beginIn(key, waitMs);
    beginNext();
  };
  return {
    ask: (key) => {
      asked.add(key);
      if (!running.has(key)) beginIn(key, gatherMs);
    },
    stop: async () => {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all(running.values());
    },
  };
}
