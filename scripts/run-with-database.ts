import { resolve } from 'node:path';

import { isInitialised } from '@sui-rocks/embedded-postgres/data-folder';

import { readDatabasePlace } from '../src/config.ts';
import { silentLog } from '../src/db/outage.ts';
import { createSharedDatabase, type ProductDatabase } from '../src/db/connect.ts';
import { Invalid, Refused, Unavailable } from '../src/shared/failure.ts';

/**
 * For commands about the product's database, whether the product runs or not: says what `work` answers, or in one sentence
 * why it did not work, with exit code 1. Only a command that `mayMakeOne` makes a database where DATA_DIR has none: the others
 * were given the wrong folder.
 */
export async function runWithDatabase(
  work: (database: ProductDatabase) => Promise<string>,
  { mayMakeOne = false } = {},
): Promise<void> {
  const place = readDatabasePlace();
  if (!place.ok) return fail(place.message);
  const { DATABASE_URL: url, DATA_DIR: dataDir } = place.config;
  try {
    // What else may be wrong with the folder is said by whoever opens it.
    const isNew = url === null && !(await isInitialised(resolve(dataDir, 'postgres')).catch(() => true));
    if (isNew && !mayMakeOne) throw noDatabase(dataDir);
    const opening = createSharedDatabase({ url, dataDir, log: silentLog });
    const stop = stopOnSignals(opening);
    try {
      console.log(await work(await opening));
      if (isNew) console.log(`A new database was made for it in ${resolve(dataDir)}.`);
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
    `There is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL as the product has it.`,
  );

/** Ends the database, once. A command that is broken off (Ctrl-C) ends it as well: a server started for it would go on for ever. */
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
