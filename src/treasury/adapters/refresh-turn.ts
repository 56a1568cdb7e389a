import type { Leases } from '../../platform/leases.ts';
import type { RefreshTurn } from '../ports.ts';

/**
 * The turn as a database lease (rulings R7). `ttlMs` must exceed the longest refresh: the lease is not renewed, and a copy
 * that dies holding it delays the others by at most so much.
 */
export const createRefreshTurn = (leases: Leases, name: string, ttlMs: number): RefreshTurn => ({
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
});
