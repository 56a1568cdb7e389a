/** How many checks somebody may cause one after the other, and how often later. */
const atOnceMax = 5;
const everyMs = 60_000;
/** Above so many those whose budget is whole again are forgotten. */
const rememberedMax = 10_000;

export interface CheckBudget {
  /** In how many ms the next check that `key` causes may begin; 0: now. Two that have to wait are the same check. */
  take(key: string): number;
}

/**
 * A check reads every kiosk of every wallet: hundreds of calls to the chain, for which everybody else waits as well. So whoever may
 * cause one has a budget, whatever they do for it. Kept in memory, for 'Delete my data' would end one that is stored; each copy has
 * its own.
 */
export function createCheckBudget(nowMs: () => number): CheckBudget {
  const freeAtMs = new Map<string, number>();
  return {
    take: (key) => {
      const now = nowMs();
      const first = now - (atOnceMax - 1) * everyMs;
      if (freeAtMs.size > rememberedMax)
        for (const [known, freeMs] of freeAtMs) if (freeMs <= first) freeAtMs.delete(known);
      const nextMs = Math.max(freeAtMs.get(key) ?? first, first);
      // One waits already: this is the same.
      if (nextMs - everyMs > now) return nextMs - everyMs - now;
      freeAtMs.set(key, nextMs + everyMs);
      return Math.max(0, nextMs - now);
    },
  };
}
