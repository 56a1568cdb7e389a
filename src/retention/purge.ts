import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type PurgedTable, retention } from '../shared/retention.ts';

export interface PurgeStep {
  readonly purgedRows: number;
  /** There may be more: another step is wanted. */
  readonly hasMore: boolean;
}

/** Deletes expired rows of one table, in steps so small that no query waits for one. Throws what the database throws. */
export interface Purge {
  readonly table: PurgedTable;
  readonly step: () => Promise<PurgeStep>;
}

export const rowsAtOnceMax = 5_000;

/** When that which expires now began. Constant within a statement, so that an index on the time can be used. */
export const keptSince = (table: PurgedTable): RawBuilder<Date> =>
  sql<Date>`(statement_timestamp() - ${retention[table].days} * interval '1 day')`;

interface Due {
  readonly table: PurgedTable;
  /** Left out: what is older than its rule by `oldestBy`. */
  readonly isDue?: RawBuilder<boolean>;
  /** The column whose index finds the oldest. */
  readonly oldestBy?: string;
}

/** A purge with a single condition. Locked rows are left for the next time, so no lock is waited for. */
export function purgeOf<Tables>(db: Kysely<Tables>, { table, isDue, oldestBy }: Due): Purge {
  const name = sql.table(table);
  const oldest = oldestBy === undefined ? null : sql.ref(oldestBy);
  const due = isDue ?? sql`${oldest} < ${keptSince(table)}`;
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
