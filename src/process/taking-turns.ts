import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` over all items, at most `atOnceMax` at a time, and keeps their order. After the first failure no further
 * item is begun, and that failure is thrown: a part of the results is of no use here.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  atOnceMax: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  function* entries() {
    yield* items.entries();
  }
  // Shared by the workers: a loop that throws closes the generator that it reads from, and so ends the others.
  const queue = entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, worker));
  return results;
}

/** Runs at most that many at a time, the others in order; what is urgent comes before them. */
export function createTurns(most: number): <T>(work: () => Promise<T>, isUrgent?: boolean) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work, isUrgent = false) => {
    if (running >= most)
      await new Promise<void>((resolve) => (isUrgent ? waiting.unshift(resolve) : waiting.push(resolve)));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Long work in the same process yields to visitors: they wait for a small piece of it at most. */
export interface VisitorsFirst {
  /** Called for each request, so it must be cheap. */
  readonly onRequest: () => void;
  /** To be awaited between two pieces of long work; resolves at once without recent requests. */
  readonly stepBack: (workedMs: number) => Promise<void>;
}

/** Visitors of this long ago may come again. */
const presentForMs = 1_000;
/** Work gets a twentieth of the time, of the process and of the database behind it. */
const restPerWork = 19;
const longestRestMs = 200;

export function createVisitorsFirst(): VisitorsFirst {
  let askedAtMs = -Infinity;
  return {
    onRequest: () => {
      askedAtMs = performance.now();
    },
    stepBack: async (workedMs) => {
      if (performance.now() - askedAtMs > presentForMs) return;
      await delay(Math.min(workedMs * restPerWork, longestRestMs));
    },
  };
}
