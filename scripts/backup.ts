import { open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Pool } from 'pg';

import { Refused } from '../src/shared/failure.ts';
import { type Backup, backUp } from './backup-database.ts';
import { leftOutTables } from './backup-tables.ts';
import { giveName } from './give-name.ts';
import { runWithDatabase } from './run-with-database.ts';

/** `npm run backup -- <file or folder>`: the whole database of one moment, whether the product runs or not. */
const [place, ...rest] = process.argv.slice(2);
if (place === undefined || rest.length > 0) {
  console.error('Use npm run backup -- <file or folder>. DATABASE_URL or DATA_DIR say where the data is.');
  process.exitCode = 1;
} else {
  await runWithDatabase(async ({ pool }) => told(await keep(pool, resolve(place), new Date())));
}

interface Kept {
  readonly file: string;
  readonly bytes: number;
  readonly end: ReturnType<Backup['end']>;
}

/** Written beside and given its name when it is whole: a file with that name is always a whole backup. */
async function keep(pool: Pool, place: string, now: Date): Promise<Kept> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // Otherwise the first of the daily backups would be a file with the name of the folder, and the second would be refused.
  if (!isFolder && !place.endsWith('.gz')) {
    throw new Refused('no-such-folder', `${place} is no folder: make it first, or name a file that ends in .gz.`);
  }
  const name = `sui-rocks-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.gz`;
  const file = isFolder ? join(place, name) : place;
  const draft = `${file}.${process.pid}.partial`;
  try {
    const backup = backUp(pool, now);
    // Passwords' hashes and personal data: for its owner alone.
    const handle = await open(draft, 'wx', 0o600);
    await pipeline(backup.pieces, createGzip(), handle.createWriteStream({ flush: true }));
    const { size: bytes } = await stat(draft);
    await giveName(draft, file);
    return { file, bytes, end: backup.end() };
  } catch (error) {
    throw refusalOf(error, file) ?? error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** What is wrong with the place, for whoever typed it; null: something else is. */
function refusalOf(error: unknown, file: string): Refused | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  const folder = dirname(file);
  if (error.code === 'EEXIST') {
    return new Refused('backup-exists', `${file} exists already: name another file, or remove it.`, { cause: error });
  }
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new Refused('backup-disk-full', `There is no room in ${folder}: free some. Nothing was kept.`, {
      cause: error,
    });
  }
  // A connection that breaks has no path.
  if (!('path' in error)) return null;
  const sentence = `${folder} cannot be written (${String(error.code)}): make it, or give this user the right to write there.`;
  return new Refused('backup-unwritable', sentence, { cause: error });
}

function told({ file, bytes, end }: Kept): string {
  const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${file}
${end.tables.length} tables, ${rows} rows, ${bytes} bytes.
It holds hashes of passwords and personal data: keep it where only you can read it.
Not in it: ${leftOutTables.join(', ')}, the webhook's secret, and everything of the environment (tokens, SESSION_SECRET).`;
}
