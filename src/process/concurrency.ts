import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` over all items, at most `atOnceMax` at a time, and keeps their order. After the first failure no further
 * item is started, and that failure is thrown: partial results are of no use here.
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
  // Shared by the workers: a loop that throws closes the generator it reads from, which ends the others.
  const queue = entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, worker));
  return results;
}

type Limiter = <T>(work: () => Promise<T>, turn?: { readonly isUrgent?: boolean }) => Promise<T>;

/** Runs at most that many at a time and queues the others in order, urgent ones before those that wait already. */
export function createLimiter(atOnceMax: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work, { isUrgent = false } = {}) => {
    if (running < atOnceMax) running += 1;
    else await new Promise<void>((resolve) => (isUrgent ? waiting.unshift(resolve) : waiting.push(resolve)));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Long work in the same process yields to visitors: they wait at most for a small piece of it. */
export interface RequestPriority {
  /** Called for each request, so it must be cheap. */
  readonly onRequest: () => void;
  /** Await it between two pieces of long work; resolves at once without recent requests. */
  readonly yieldToRequests: (workedMs: number) => Promise<void>;
}

/** For this long after a request, more requests are expected. */
const presentForMs = 1_000;
/** Work gets a twentieth of the time, of the process and of the database behind it. */
const restPerWork = 19;
const longestRestMs = 200;

export function createRequestPriority(): RequestPriority {
  let lastRequestAtMs = -Infinity;
  return {
    onRequest: () => {
      lastRequestAtMs = performance.now();
    },
    yieldToRequests: async (workedMs) => {
      if (performance.now() - lastRequestAtMs > presentForMs) return;
      await delay(Math.min(workedMs * restPerWork, longestRestMs));
    },
  };
}
