import { join } from 'node:path';

import type { Pool } from 'pg';

import { createPool } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { migrate } from '../src/db/migrate.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';

interface BenchDatabase {
  readonly url: string;
  /** Where the server keeps its files. */
  readonly folder: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

/** A migrated database on the product's embedded PostgreSQL; `drop` leaves nothing behind. */
export const startBenchDatabase = async (settings: Readonly<Record<string, string>> = {}): Promise<BenchDatabase> => {
  const dataDir = await temporaryDataDir('disk');
  const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: dataDir.path, log: silentLog, settings });
  const pool = createPool(postgres.url, silentLog);
  await migrate(pool, silentLog);
  return {
    url: postgres.url,
    folder: join(dataDir.path, 'postgres'),
    pool,
    drop: async () => {
      await pool.end();
      await postgres.stop();
      await dataDir.remove();
    },
  };
};
