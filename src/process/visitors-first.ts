import { setTimeout as delay } from 'node:timers/promises';

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
