import type { Pool } from 'pg';

import { until } from './until.ts';

/** Somebody with an open transaction of their own, who holds rows that others then wait for. */
export interface RowHolder {
  /** Throws where a row is held by somebody else: it never waits. */
  hold(table: string, where: string, values: readonly unknown[]): Promise<void>;
  change(statement: string, values: readonly unknown[]): Promise<void>;
  /** Somebody waits for a row. */
  isWaitedFor(): Promise<void>;
  /** Lets go of everything; what was changed stays. */
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

/** Somebody waits for a row, whoever holds it. */
export const somebodyWaits = (pool: Pool): Promise<void> =>
  until('somebody waits for a row', async () => {
    const { rows } = await pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
