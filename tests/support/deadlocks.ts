import type { Pool } from 'pg';

/** How often two transactions of this database waited for each other so far. The product tries again: no answer tells of it. */
export const deadlocksOf = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks ?? Number.NaN;
};
