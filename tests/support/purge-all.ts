import type { Purge } from '../../src/retention/purge.ts';

/** Runs every purge to its end, as the job does; returns the number of deleted rows by table. */
export async function purgeAll(purges: readonly Purge[]): Promise<Readonly<Record<string, number>>> {
  const purgedRows: Record<string, number> = {};
  for (const { table, step } of purges) {
    let done = await step();
    purgedRows[table] = done.purgedRows;
    while (done.hasMore) {
      done = await step();
      purgedRows[table] += done.purgedRows;
    }
  }
  return purgedRows;
}
