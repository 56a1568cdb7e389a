import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import type { JobDefinition } from '../../jobs/define-job.ts';
import { databaseOutage } from '../../db/outage.ts';
import type { Logger } from '../logger.ts';
import type { Purge } from './purge.ts';

/** Rows of migrations/0017-retention.sql. `int8` comes from the driver as a decimal string. */
export interface RetentionTables {
  purge_runs: { table_name: string; succeeded_at: Date; purged_rows: string };
}

export interface PurgeJobOptions {
  readonly db: Kysely<RetentionTables>;
  readonly purges: readonly Purge[];
  /** For the figures of this copy. */
  readonly onPurged: (table: string, rows: number) => void;
  readonly log: Logger;
}

const everyMs = 10 * 60_000;

/** Deletes expired rows (src/shared/retention.ts). A table that fails keeps no other from being purged. */
export const purgeJob = (options: PurgeJobOptions): JobDefinition<object> => ({
  name: 'purge',
  payload: z.object({}),
  repeats: { payload: {}, everyMs },
  failing: 'Expired rows could not be deleted',
  run: async (_payload, stop) => {
    for (const purge of options.purges) {
      if (stop.aborted) return;
      await purgeToTheEnd(options, purge, stop).catch((error: unknown) => {
        // Without the database the others fail as well.
        if (databaseOutage(error) !== null) throw error;
        options.log.warn({ err: error, table: purge.table }, 'Expired rows could not be deleted; trying again');
      });
    }
  },
});

async function purgeToTheEnd(
  { db, onPurged, log }: PurgeJobOptions,
  { table, step }: Purge,
  stop: AbortSignal,
): Promise<void> {
  let purgedRows = 0;
  let hasMore = true;
  while (hasMore && !stop.aborted) {
    const done = await step();
    hasMore = done.hasMore;
    purgedRows += done.purgedRows;
    onPurged(table, done.purgedRows);
  }
  if (purgedRows > 0) log.info({ table, purgedRows }, 'Expired rows were deleted');
  if (!hasMore) await noteRun(db, table, purgedRows);
}

async function noteRun(db: Kysely<RetentionTables>, table: string, purgedRows: number): Promise<void> {
  await sql`
    insert into purge_runs (table_name, succeeded_at, purged_rows) values (${table}, clock_timestamp(), ${purgedRows})
    on conflict (table_name) do update
      set succeeded_at = excluded.succeeded_at, purged_rows = purge_runs.purged_rows + excluded.purged_rows`.execute(
    db,
  );
}
