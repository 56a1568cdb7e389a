import { createAlarm } from '../../platform/alarm.ts';

export interface ClaimedWork {
  /** Begins; harmless when it does already. */
  start(): void;
  /** Claims nothing more and ends what is under way, or leaves it to its claim's end. May be started again. */
  stop(): Promise<void>;
  /** Something may be due now. */
  wake(): void;
}

export interface ClaimedWorkOptions<Item> {
  /** How much is under way at once. */
  readonly atOnceMax: number;
  /** What is due, as rows claimed for this copy; asked again after `idleMs` at the latest. */
  readonly claim: (countMax: number) => Promise<readonly Item[]>;
  /** `stop` asks it to end early. */
  readonly work: (item: Item, stop: AbortSignal) => Promise<void>;
  readonly idleMs: number;
  readonly onFailure: (error: unknown) => void;
}

const stopWithinMs = 4_000;
const firstRetryMs = 250;
const longestRetryMs = 5_000;

/** Claims rows and works on them, some at once: one that takes long holds back no other. */
export function createClaimedWork<Item>(options: ClaimedWorkOptions<Item>): ClaimedWork {
  let running: { readonly stop: () => Promise<void>; readonly wake: () => void } | null = null;
  let stopping: Promise<void> = Promise.resolve();
  return {
    start: () => void (running ??= run(options)),
    stop: () => {
      const ending = running;
      running = null;
      if (ending !== null) stopping = ending.stop();
      return stopping;
    },
    wake: () => running?.wake(),
  };
}

function run<Item>({ atOnceMax, claim, work, idleMs, onFailure }: ClaimedWorkOptions<Item>) {
  const alarm = createAlarm();
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();

  const begin = (item: Item): void => {
    const working = work(item, stop.signal)
      .catch(onFailure)
      .finally(() => {
        const wasFull = underWay.size === atOnceMax;
        underWay.delete(working);
        // Where there was room anyway, what is still due (it waits for an admin, or failed) would be begun again without a pause.
        if (wasFull) alarm.ring();
      });
    underWay.add(working);
  };

  /** null: it failed. Told once for each time the database is away. */
  const claimOrTell = async (room: number, isNews: boolean): Promise<readonly Item[] | null> => {
    try {
      return await claim(room);
    } catch (error) {
      if (isNews) onFailure(error);
      return null;
    }
  };

  const loop = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted;) {
      const room = atOnceMax - underWay.size;
      const claimed = room === 0 ? [] : await claimOrTell(room, failures === 0);
      failures = claimed === null ? failures + 1 : 0;
      for (const item of claimed ?? []) begin(item);
      const pauseMs = failures === 0 ? idleMs : Math.min(longestRetryMs, firstRetryMs * 2 ** failures);
      // A full turn means that there may be more.
      if (room === 0 || claimed?.length !== room) await alarm.wait(pauseMs, failures === 0);
    }
    await Promise.all(underWay);
  };
  const ended = loop();
  return {
    wake: alarm.ring,
    stop: async () => {
      stop.abort();
      alarm.ring();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, stopWithinMs);
      await Promise.race([ended, late]);
      clearTimeout(timer);
    },
  };
}
