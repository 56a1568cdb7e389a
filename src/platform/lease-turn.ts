import type { Leases } from './leases.ts';

/** Work that only one copy of the product does at a time (rulings R7). */
export interface LeaseTurn {
  /** False: another copy is at it, and `work` was not run. What `work` throws is thrown. */
  runAlone(work: () => Promise<void>): Promise<boolean>;
}

/** A copy that dies at work holds the others up for so long at most. */
const defaultTtlMs = 15_000;

/**
 * The turn as a database lease, renewed while the work goes on. A copy that was paused for longer than the lease may find
 * itself at work beside another one: whatever the work writes must not replace something newer.
 */
export function createLeaseTurn(leases: Leases, name: string, ttlMs: number = defaultTtlMs): LeaseTurn {
  return {
    runAlone: async (work) => {
      const lease = await leases.acquire(name, ttlMs);
      if (lease === null) return false;
      // A renewal that fails is tried again; without any the lease ends by itself.
      const renewing = setInterval(() => void leases.renew(lease, ttlMs).catch(() => false), ttlMs / 3);
      try {
        await work();
      } finally {
        clearInterval(renewing);
        // A lease that cannot be given back ends by itself; what the work came to stands.
        await leases.release(lease).catch(() => undefined);
      }
      return true;
    },
  };
}
