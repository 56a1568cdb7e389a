import { type Kysely, sql } from 'kysely';

import type { Clock } from '../../shared/clock.ts';
import { databaseOutage } from '../database/outage.ts';
import { createLeaseTurn } from '../lease-turn.ts';
import type { Leases } from '../leases.ts';
import type { Logger } from '../logger.ts';
import { createRepeatedLook, type RepeatedLook } from '../repeated-look.ts';
import type { Purge } from './purge.ts';

/** Rows of migrations/0017-retention.sql. `int8` comes from the driver as a decimal string. */
export interface RetentionTables {
  purge_runs: { table_name: string; succeeded_at: Date; purged_rows: string };
}

export interface PurgeJobOptions {
  readonly db: Kysely<RetentionTables>;
  readonly leases: Leases;
  readonly purges: readonly Purge[];
  /** For the figures of this copy. */
  readonly onPurged: (table: string, rows: number) => void;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Logger;
}

const everyMs = 10 * 60_000;

/** Removes what is over (src/shared/retention.ts), again and again; one copy of the product at a time. A purge that fails keeps no other from its work. */
export function createPurgeJob(options: PurgeJobOptions): RepeatedLook {
  const { leases, purges, clock, log } = options;
  const turn = createLeaseTurn(leases, 'retention');
  return createRepeatedLook({
    clock,
    everyMs,
    look: async (stop) => {
      await turn.runAlone(async () => {
        for (const purge of purges) {
          if (stop.aborted) return;
          await purgeToTheEnd(options, purge, stop).catch((error: unknown) => {
            // Without the database the others fail as well.
            if (databaseOutage(error) !== null) throw error;
            log.warn({ err: error, table: purge.table }, 'Old rows could not be purged; trying again');
          });
        }
      });
    },
    log,
    failing: 'Old rows could not be purged',
  });
}

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
  if (purgedRows > 0) log.info({ table, purgedRows }, 'Old rows were purged');
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
