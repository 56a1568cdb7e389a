import { resolve } from 'node:path';

import { isInitialised } from '@sui-rocks/embedded-postgres/data-folder';

import { readDatabasePlace } from '../src/config.ts';
import { silentLog } from '../src/db/outage.ts';
import { createSharedDatabase, type ProductDatabase } from '../src/db/connect.ts';
import { Invalid, Refused, Unavailable } from '../src/shared/failure.ts';

/**
 * For commands on the product's database, whether or not the product is running: prints the result of `work`, or one sentence on
 * why it failed, with exit code 1. Only with `mayMakeOne` is a database created where DATA_DIR has none: otherwise it is the
 * wrong folder.
 */
export async function runWithDatabase(
  work: (database: ProductDatabase) => Promise<string>,
  { mayMakeOne = false } = {},
): Promise<void> {
  const place = readDatabasePlace();
  if (!place.ok) return fail(place.message);
  const { DATABASE_URL: url, DATA_DIR: dataDir } = place.config;
  try {
    // Any other problem with the folder is reported when the database is opened.
    const isNew = url === null && !(await isInitialised(resolve(dataDir, 'postgres')).catch(() => true));
    if (isNew && !mayMakeOne) throw noDatabase(dataDir);
    const opening = createSharedDatabase({ url, dataDir, log: silentLog });
    const stop = stopOnSignals(opening);
    try {
      console.log(await work(await opening));
      if (isNew) console.log(`A new database was created in ${resolve(dataDir)}.`);
    } finally {
      await stop();
    }
  } catch (error) {
    const isOurs = error instanceof Invalid || error instanceof Refused || error instanceof Unavailable;
    fail(isOurs ? error.message : `That did not work: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const noDatabase = (dataDir: string): Refused =>
  new Refused(
    'no-database',
    `There is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL to the product's.`,
  );

/** Returns how to stop the database, once. Ctrl-C stops it too: a server started for this command would run for ever. */
function stopOnSignals(opening: Promise<{ readonly stop: () => Promise<void> }>): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= opening.then((database) => database.stop()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const end = (): never => process.exit(1);
      stop().then(end, end);
    });
  }
  return stop;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
