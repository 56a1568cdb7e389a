import type { Pool } from 'pg';

import { createPool } from '../src/platform/database/connect.ts';
import { silentLog } from '../src/platform/database/database-log.ts';
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { temporaryDataDir } from '../tests/support/temporary-data-dir.ts';

interface BenchDatabase {
  readonly url: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

/** A migrated database as the product brings it along; `drop` leaves nothing behind. */
export const startBenchDatabase = async (): Promise<BenchDatabase> => {
  const dataDir = await temporaryDataDir('disk');
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path, log: silentLog });
  const pool = createPool(postgres.url, silentLog);
  await migrate(pool, silentLog);
  return {
    url: postgres.url,
    pool,
    drop: async () => {
      await pool.end();
      await postgres.stop();
      await dataDir.remove();
    },
  };
};
