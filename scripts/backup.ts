import { rmSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Pool } from 'pg';

import { Refused } from '../src/shared/failure.ts';
import { type Backup, backUp } from './backup-database.ts';
import { leftOutTables } from './backup-tables.ts';
import { giveName } from './give-name.ts';
import { runWithDatabase } from './run-with-database.ts';

/** `npm run backup -- <file or folder>`: a snapshot of the whole database, whether or not the product is running. */
const [place, ...rest] = process.argv.slice(2);
if (place === undefined || place.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run backup -- <file or folder>. DATABASE_URL or DATA_DIR says where the data is.');
  process.exitCode = 1;
} else {
  await runWithDatabase(async ({ pool }) => report(await write(pool, resolve(place), new Date())));
}

interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly end: ReturnType<Backup['end']>;
}

/** Writes a draft and names it when complete: a file with the final name is always a complete backup. */
async function write(pool: Pool, place: string, now: Date): Promise<Written> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // Otherwise the first daily backup would become a file with the folder's name, and the second would be refused.
  if (!isFolder && !place.endsWith('.gz')) {
    throw new Refused('no-such-folder', `${place} is not a folder: create it first, or name a file that ends in .gz.`);
  }
  const name = `sui-rocks-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.gz`;
  const file = isFolder ? join(place, name) : place;
  const draft = `${file}.${process.pid}.partial`;
  try {
    const backup = backUp(pool, now);
    // It holds password hashes and personal data: only its owner may read it.
    const handle = await open(draft, 'wx', 0o600);
    // Also after Ctrl-C, which ends the process without coming back here.
    process.once('exit', () => rmSync(draft, { force: true }));
    await pipeline(backup.pieces, createGzip(), handle.createWriteStream({ flush: true }));
    const { size: bytes } = await stat(draft);
    await giveName(draft, file);
    return { file, bytes, end: backup.end() };
  } catch (error) {
    throw refusalOf(error, file) ?? error;
  }
}

/** A sentence on what is wrong with the file or folder; null for any other error. */
function refusalOf(error: unknown, file: string): Refused | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  const folder = dirname(file);
  if (error.code === 'EEXIST') {
    return new Refused('backup-exists', `${file} already exists: name another file, or remove it.`, { cause: error });
  }
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new Refused('backup-disk-full', `No space left in ${folder}: free some. Nothing was saved.`, {
      cause: error,
    });
  }
  // The error of a broken connection has no path.
  if (!('path' in error)) return null;
  const sentence = `${folder} cannot be written to (${String(error.code)}): create it, or give this user write permission.`;
  return new Refused('backup-unwritable', sentence, { cause: error });
}

function report({ file, bytes, end }: Written): string {
  const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${file}
${end.tables.length} tables, ${rows} rows, ${bytes} bytes.
It holds password hashes and personal data: keep it where only you can read it.
Not in it: ${leftOutTables.join(', ')}, the webhook's secret, and the environment (tokens, SESSION_SECRET).`;
}
