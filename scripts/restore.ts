import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import type { Pool } from 'pg';

import { type Restored, restore } from './restore-database.ts';
import { runWithDatabase } from './run-with-database.ts';

/** `npm run restore -- <file>`: restores a backup into an empty database, all of it or nothing. */
const [file, ...rest] = process.argv.slice(2);
if (file === undefined || file.startsWith('-') || rest.length > 0) {
  fail('Usage: npm run restore -- <file>. DATABASE_URL or DATA_DIR names the database, which must be empty.');
} else {
  // Before the database: a wrong name must not leave a new, empty one behind.
  const handle = await openFile(resolve(file));
  if (handle !== null) {
    await runWithDatabase(async ({ pool }) => report(await restoreFile(pool, handle)), { mayMakeOne: true });
  }
}

function fail(sentence: string): null {
  console.error(sentence);
  process.exitCode = 1;
  return null;
}

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    const handle = await open(path);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      return fail(`${path} cannot be read by this user: chown it first.`);
    }
  }
  return fail(`${path} cannot be read: is that the right file?`);
}

function restoreFile(pool: Pool, handle: FileHandle): Promise<Restored> {
  const archive = createGunzip();
  // An error before the first read is thrown by that read.
  archive.on('error', () => {});
  pipeline(handle.createReadStream(), archive).catch(() => {});
  return restore(pool, archive);
}

function report({ takenAt, tableCount, rowCount, migratedOn }: Restored): string {
  const migrations = migratedOn === 1 ? '1 newer migration was' : `${migratedOn} newer migrations were`;
  const since = migratedOn === 0 ? '' : ` ${migrations} applied.`;
  return `Restored the backup of ${takenAt}: ${tableCount} tables, ${rowCount} rows, counted and compared.${since}
Both bots are off, so that this copy does not post alongside the original: start them at /admin once the original has stopped.
Leave ALARM_CHAT empty until then.
Waiting messages were dropped, and events since the backup are not posted. Everyone signs in again.
Payouts published since the backup are missing here, but may be paid: before you publish one, read 'After a restore' in docs/operations.md.
Payout numbers skip 100, so that none is given twice.`;
}
