import type { WorldControl } from '../world/control.ts';
import { createRandom } from '../world/random.ts';
import { Impossible } from '../world/state.ts';
import { happenings } from './happenings.ts';

export type LivingMarket = {
  /** Runs one event now and returns its name. */
  tick: () => string;
  start: () => void;
  stop: () => void;
  isRunning: () => boolean;
};

const shortestPauseMs = 2500;
const longestPauseMs = 6500;
const mostAttempts = 20;

/** A seeded stream of mints, listings, sales, bids and price moves, all through the world's operations. */
export function createLivingMarket(world: WorldControl, seed: number): LivingMarket {
  const random = createRandom(seed);
  let timer: NodeJS.Timeout | null = null;
  const deck = happenings.flatMap((happening) => Array.from({ length: happening.weight }, () => happening));
  const tick = (): string => {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const happening = random.pick(deck);
      try {
        if (happening.happen(world, random)) return happening.name;
      } catch (error) {
        // For example minted out: try another event.
        if (!(error instanceof Impossible)) throw error;
      }
    }
    return 'nothing';
  };
  const schedule = (): void => {
    const pauseMs = shortestPauseMs + random.below(longestPauseMs - shortestPauseMs);
    timer = setTimeout(() => {
      tick();
      schedule();
    }, pauseMs);
  };
  return {
    tick,
    start: () => {
      if (timer === null) schedule();
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
    isRunning: () => timer !== null,
  };
}
