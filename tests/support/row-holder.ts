import type { Pool } from 'pg';

import { until } from './until.ts';

/** An open transaction that locks rows, so that others must wait for them. */
export interface RowHolder {
  /** Locks rows; throws if another transaction holds one: it never waits. */
  hold(table: string, where: string, values: readonly unknown[]): Promise<void>;
  change(statement: string, values: readonly unknown[]): Promise<void>;
  /** Waits until another transaction waits for a row. */
  isWaitedFor(): Promise<void>;
  /** Commits, which releases all rows and keeps the changes. */
  end(): Promise<void>;
}

export async function rowHolder(pool: Pool): Promise<RowHolder> {
  const client = await pool.connect();
  await client.query('begin');
  return {
    hold: async (table, where, values) => {
      await client.query(`select 1 from ${table} where ${where} for no key update nowait`, [...values]);
    },
    change: async (statement, values) => void (await client.query(statement, [...values])),
    isWaitedFor: () => somebodyWaits(pool),
    end: async () => {
      await client.query('commit');
      client.release();
    },
  };
}

/** Waits until any transaction waits for a row. */
export const somebodyWaits = (pool: Pool): Promise<void> =>
  until('a transaction waits for a row', async () => {
    const { rows } = await pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
