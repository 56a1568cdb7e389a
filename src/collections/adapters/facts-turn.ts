import type { Leases } from '../../platform/leases.ts';
import type { FactsTurn } from '../ports.ts';

/** The turn as a database lease (rulings R7); `ttlMs` must exceed the longest refresh, as it is not renewed. */
export function createFactsTurn(leases: Leases, name: string, ttlMs: number): FactsTurn {
  return {
    runAlone: async (work) => {
      const lease = await leases.acquire(name, ttlMs);
      if (lease === null) return false;
      try {
        await work();
      } finally {
        await leases.release(lease);
      }
      return true;
    },
  };
}
