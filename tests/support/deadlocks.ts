import type { Pool } from 'pg';

/** How many deadlocks this database has had so far. The product retries, so no answer shows them. */
export const deadlocksOf = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks ?? Number.NaN;
};
