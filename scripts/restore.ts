import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import type { Pool } from 'pg';

import { Refused } from '../src/shared/failure.ts';
import { type Restored, restore } from './restore-database.ts';
import { runWithDatabase } from './run-with-database.ts';

/** `npm run restore -- <file>`: restores a backup into an empty database, all of it or nothing. */
const [file, ...rest] = process.argv.slice(2);
if (file === undefined || file.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run restore -- <file>. DATABASE_URL or DATA_DIR names the database, which must be empty.');
  process.exitCode = 1;
} else {
  await runWithDatabase(async ({ pool }) => report(await restoreFile(pool, resolve(file))), { mayMakeOne: true });
}

async function restoreFile(pool: Pool, path: string): Promise<Restored> {
  const unreadable = (cause?: NodeJS.ErrnoException) => {
    const why = cause?.code === 'EACCES' ? ' by this user: chown it first.' : ': is that the right file?';
    return new Refused('restore-unreadable', `${path} cannot be read${why}`, { cause });
  };
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(error);
  });
  if (!(await handle.stat()).isFile()) throw unreadable();
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
