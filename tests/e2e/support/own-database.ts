import type { Pool } from 'pg';

import { createPool } from '../../../src/db/connect.ts';
import { silentLog } from '../../../src/db/outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';
import { temporaryDataDir } from '../../support/temporary-data-dir.ts';
import { expect, test as base } from './admin.ts';

export { expect };

interface OwnDatabase {
  /** Set in the product's environment, so that the test can reach the product's database. */
  readonly databaseUrl: string;
  /** The product's stored data, in which a test moves time. */
  readonly pool: Pool;
}

/** The whole product on a PostgreSQL that the test can reach; it polls for sales every 300 to 500 ms. */
export const test = base.extend<object, { readonly database: OwnDatabase }>({
  database: [
    async ({ playwright: _unused }, use) => {
      const folder = await temporaryDataDir();
      const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: folder.path, log: silentLog });
      const pool = createPool(postgres.url, silentLog);
      await use({ databaseUrl: postgres.url, pool });
      await pool.end();
      await postgres.stop();
      await folder.remove();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  productEnv: [
    async ({ database }, use) => {
      await use({
        DATABASE_URL: database.databaseUrl,
        SESSION_SECRET: 'a secret of at least 32 characters',
        TRACKER_POLL_MIN_MS: '300',
        TRACKER_POLL_MAX_MS: '500',
      });
    },
    { scope: 'worker' },
  ],
});
