import type { Purge } from '../../src/retention/purge.ts';

/** Every purge to its end, as the job does it; answers how many rows went from which table. */
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
