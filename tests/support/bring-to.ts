import type { Pool } from 'pg';

import { readMigrations, runMigration } from '../../src/db/migrate.ts';

/** Migrates the schema to the state in which that migration was the newest. */
export async function bringTo(pool: Pool, newest: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const migration of await readMigrations()) {
      if (migration.name <= newest) await runMigration(client, migration);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}
