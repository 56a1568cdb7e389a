import type { Db } from 'pg-boss';

/** The waiting jobs in pg-boss's table, changed in ways for which it has no call. */
const now = 'pgboss.job_now()';
const later = `${now} + $1::float8 * interval '1 second'`;

/** pg-boss can change the waiting job of a key, but would also postpone it. */
export const bringForward = (db: Db, name: string, key: string, inSeconds: number): Promise<unknown> =>
  db.executeSql(
    `update pgboss.job set start_after = ${later}
      where name = $2 and singleton_key = $3 and state < 'active' and start_after > ${later}`,
    [inSeconds, name, key],
  );

const checkClockEveryMs = 10_000;

/**
 * The database's clock was set back, as happens after a start with a wrong one: what waits from before would wait until the old
 * time is reached again. Such a job was made or last begun in what is now the future, and runs at once.
 */
const runAfterClockSetBack = (db: Db): Promise<unknown> =>
  db.executeSql(
    `update pgboss.job set start_after = ${now}, created_on = ${now},
        started_on = case when started_on > ${now} then ${now} else started_on end
      where state < 'active' and start_after > ${now} and greatest(created_on, started_on) > ${now} + interval '1 second'`,
  );

/** Looks for that every ten seconds. Returns how to stop. */
export function watchForClockSetBack(db: Db, failed: (error: unknown) => void): () => void {
  const timer = setInterval(() => void runAfterClockSetBack(db).catch(failed), checkClockEveryMs);
  return () => clearInterval(timer);
}
