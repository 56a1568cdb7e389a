import { type Kysely, sql } from 'kysely';

import { databaseNow } from '../db/expressions.ts';
import type { Figure } from '../db/figures.ts';
import { databaseOutage } from '../db/outage.ts';
import type { Database } from '../db/schema.ts';
import type { JobDefinition } from '../jobs/jobs.ts';
import type { Logger } from '../process/logger.ts';
import { retainedSince, type PurgedTable, retention, type RetentionRule } from './retention.ts';

export interface PurgeStep {
  readonly purgedRows: number;
  /** There may be more rows: run another step. */
  readonly hasMore: boolean;
}

/** Deletes expired rows of one table, in steps so small that no query waits for one. Throws what the database throws. */
export interface Purge {
  readonly table: PurgedTable;
  readonly step: () => Promise<PurgeStep>;
}

export const rowsAtOnceMax = 5_000;
/** For rows that others refer to: an event has one delivery in each group, a digest one for each of its events. */
export const parentsAtOnceMax = 200;

/** A purge for every table: the capabilities' own in their order, then one by its rule for each other table. */
export function purgesOf(db: Kysely<Database>, own: readonly Purge[]): readonly Purge[] {
  const rules: readonly (readonly [string, RetentionRule])[] = Object.entries(retention);
  const others = rules.filter(([, { purgedBy }]) => purgedBy === undefined);
  return [...own, ...others.map(([table, rule]) => purgeOf(db, table as PurgedTable, rule))];
}

/** Locked rows are left for the next run, so no lock is waited for. */
function purgeOf(db: Kysely<Database>, table: PurgedTable, { oldestBy, isDue }: RetentionRule): Purge {
  const name = sql.table(table);
  const oldest = oldestBy === undefined ? null : sql.ref(oldestBy);
  const due = isDue?.(retainedSince(table)) ?? sql`${oldest} < ${retainedSince(table)}`;
  const order = oldest === null ? sql`` : sql`order by ${oldest}`;
  return {
    table,
    step: async () => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${name} where ctid = any(array(
          select ctid from ${name} where ${due} ${order} limit ${rowsAtOnceMax} for update skip locked))`.execute(db);
      return stepOf(Number(numAffectedRows));
    },
  };
}

/** A full step means that there may be more. */
export const stepOf = (purgedRows: number): PurgeStep => ({ purgedRows, hasMore: purgedRows >= rowsAtOnceMax });

export interface PurgeJobOptions {
  readonly database: Kysely<Database>;
  readonly purges: readonly Purge[];
  /** For the metrics of this copy. */
  readonly onPurged: (table: string, rows: number) => void;
  readonly log: Logger;
}

const everyMs = 10 * 60_000;

/** Deletes expired rows (retention.ts). A table that fails does not keep others from being purged. */
export const purgeJob = (options: PurgeJobOptions): JobDefinition<object> => ({
  name: 'purge',
  everyMs,
  failing: 'Expired rows could not be deleted',
  run: async (_payload, stop) => {
    for (const purge of options.purges) {
      if (stop.aborted) return;
      await purgeToTheEnd(options, purge, stop).catch((error: unknown) => {
        // Without the database the others fail too.
        if (databaseOutage(error) !== null && !tookTooLong(error)) throw error;
        options.log.warn({ err: error, table: purge.table }, 'Expired rows could not be deleted; trying again');
      });
    }
  },
});

/** PostgreSQL's code for a statement that its limit ended. */
const tookTooLong = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '57014';

async function purgeToTheEnd(
  { database, onPurged, log }: PurgeJobOptions,
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
  if (!hasMore) await noteRun(database, table, purgedRows);
}

async function noteRun(database: Kysely<Database>, tableName: string, purgedRows: number): Promise<void> {
  await database
    .insertInto('purgeRuns')
    .values({ tableName, succeededAt: databaseNow, purgedRows })
    .onConflict((conflict) =>
      conflict.column('tableName').doUpdateSet((row) => ({
        succeededAt: row.ref('excluded.succeededAt'),
        purgedRows: row('purgeRuns.purgedRows', '+', row.ref('excluded.purgedRows')),
      })),
    )
    .execute();
}

/** Whether expired rows are still being deleted (docs/decisions/0022). */
export const retentionFigures: readonly Figure[] = [
  {
    name: 'purge_oldest_run_seconds',
    help: 'Time since the last purge of the table that has waited longest for one',
    // A table of an earlier version is not purged any more.
    sql: `select extract(epoch from clock_timestamp() - min(succeeded_at)) from purge_runs
      where to_regclass(table_name) is not null`,
  },
];
