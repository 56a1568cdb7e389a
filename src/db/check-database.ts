import type { Pool } from 'pg';

import { takesChanges } from './outage.ts';
import { inTime } from '../process/in-time.ts';

type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

const silent: Readiness = { ready: false, reason: 'The database does not answer.' };
const readOnly: Readiness = { ready: false, reason: 'The database does not accept changes.' };

/**
 * Asks the database a question it must answer in time; the answer fits `/readyz`. One that answers and takes no changes (a
 * standby after a failover, a provider's with a full disk) lets no one sign in and nothing go on.
 */
export function createDatabaseCheck(pool: Pick<Pool, 'query'>, withinMs = 2_000): () => Promise<Readiness> {
  const check = (): Promise<Readiness> => {
    const asked = pool.query<{ takes_changes: boolean }>(`select ${takesChanges} as takes_changes`).then(
      ({ rows }): Readiness => (rows[0]?.takes_changes === true ? { ready: true } : readOnly),
      () => silent,
    );
    return inTime(asked, withinMs, () => silent);
  };
  let running: Promise<Readiness> | null = null;
  // Callers meanwhile share the answer: a thousand at once are one query.
  return () => (running ??= check().finally(() => void (running = null)));
}
