import { readDatabasePlace } from '../src/config.ts';
import { silentLog } from '../src/platform/database/database-log.ts';
import { createSharedDatabase } from '../src/platform/database/shared-database.ts';
import type { ProductDatabase } from '../src/platform/database/connect.ts';
import { Invalid, Refused, Unavailable } from '../src/shared/failure.ts';

/**
 * For commands about the product's database, whether the product runs or not: says what `work` answers, or in one sentence
 * why it did not work, with exit code 1.
 */
export async function runWithDatabase<Tables>(
  work: (database: ProductDatabase<Tables>) => Promise<string>,
): Promise<void> {
  const place = readDatabasePlace();
  if (!place.ok) return fail(place.message);
  const { databaseUrl: url, dataDir } = place.config;
  try {
    const database = await createSharedDatabase<Tables>({ url, dataDir, log: silentLog });
    try {
      console.log(await work(database));
    } finally {
      await database.stop();
    }
  } catch (error) {
    const isOurs = error instanceof Invalid || error instanceof Refused || error instanceof Unavailable;
    fail(isOurs ? error.message : `That did not work: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
