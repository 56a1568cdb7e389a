import type { Pool } from 'pg';

/** Asks the database a question it must answer in time; the answer fits `/readyz`. */
export function createDatabaseCheck(
  pool: Pick<Pool, 'query'>,
  withinMs = 2_000,
): () => Promise<{ readonly ready: true } | { readonly ready: false; readonly reason: string }> {
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), withinMs);
    const asked = pool.query('select 1').then(
      () => true,
      () => false,
    );
    const answered = await Promise.race([asked, late]);
    clearTimeout(timer);
    return answered ? { ready: true } : { ready: false, reason: 'The database does not answer.' };
  };
}
