import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { allowSilence } from '../src/db/guard-connections.ts';
import { holdMigrations, type Migration, readMigrations, runMigration } from '../src/db/migrate.ts';
import { Refused } from '../src/shared/failure.ts';
import {
  type BackupEnd,
  type BackupHeader,
  createRowSum,
  endOfRows,
  linesOf,
  readEnd,
  readHeader,
  readTable,
} from './backup-archive.ts';
import { rowsOf } from './backup-database.ts';
import { copyIn, type StoredTable, textSettings } from './backup-tables.ts';
import { quietenCopy } from './restored-copy.ts';

const silentMs = 31 * 60_000;

export interface Restored {
  /** ISO. */
  readonly takenAt: string;
  readonly tableCount: number;
  readonly rowCount: number;
  /** Migrations that the backup did not know yet. */
  readonly migratedOn: number;
}

/**
 * Puts a backup into an empty database: the schema as it was then, the rows, what was applied since. All of it or nothing, because
 * it is one transaction. `archive` is the archive uncompressed. Throws Refused `restore-not-empty`, `restore-newer`,
 * `restore-unlike` or `restore-damaged`, each one sentence that says what to do.
 */
export async function restore(pool: Pool, archive: Readable): Promise<Restored> {
  const client = await pool.connect();
  const lines = intactLines(archive);
  try {
    allowSilence(client, silentMs);
    await holdMigrations(client);
    await client.query(textSettings);
    await client.query('begin');
    await refuseTables(client);
    const restored = await putBack(client, lines);
    await client.query('commit');
    return restored;
  } finally {
    // Closed rather than given back: whatever is not committed is undone, and its lock and settings end with it.
    client.release(true);
    await lines.return(undefined);
  }
}

/** What the file or its compression cannot give back. */
async function* intactLines(archive: Readable): AsyncGenerator<Buffer> {
  try {
    yield* linesOf(archive);
  } catch (error) {
    throw damaged(error);
  }
}

async function refuseTables(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_tables where schemaname = current_schema() limit 1');
  if (rowCount === 0) return;
  throw new Refused(
    'restore-not-empty',
    'This database is not empty: give an empty one in DATABASE_URL, or a new folder in DATA_DIR.',
  );
}

async function putBack(client: PoolClient, lines: AsyncGenerator<Buffer>): Promise<Restored> {
  const header = readHeader(await nextLine(lines));
  if (header === null) throw notABackup();
  const { before, since } = sortMigrations(await readMigrations(), header);
  for (const migration of before) await runMigration(client, migration);
  await emptyTables(client, header.tables);
  const put = new Map<string, number>();
  for (const table of header.tables) {
    if (readTable(await nextLine(lines)) !== table.name) throw damaged();
    put.set(table.name, await putRows(client, table, lines));
  }
  const end = readEnd(await nextLine(lines));
  // What the decompressor has to say of the whole file comes after the last line.
  if (end === null || (await lines.next()).done !== true) throw damaged();
  for (const table of header.tables) await verify(client, table, end, put.get(table.name));
  await setSequences(client, end);
  for (const migration of since) await runMigration(client, migration);
  await quietenCopy(client);
  const rowCount = end.tables.reduce((sum, { rows }) => sum + rows, 0);
  return { takenAt: header.takenAt, tableCount: end.tables.length, rowCount, migratedOn: since.length };
}

/** What the backup's schema was made by, and what came since. */
function sortMigrations(known: readonly Migration[], { migrations }: BackupHeader) {
  for (const { name, checksum } of migrations) {
    const ours = known.find((migration) => migration.name === name);
    if (ours === undefined) {
      throw new Refused(
        'restore-newer',
        `The backup knows migration ${name}, which this program does not bring: restore it with a newer version.`,
      );
    }
    if (ours.checksum !== checksum) {
      throw new Refused('restore-unlike', `Migration ${name} is not what it was when the backup was made.`);
    }
  }
  const applied = new Set(migrations.map(({ name }) => name));
  return {
    before: known.filter(({ name }) => applied.has(name)),
    since: known.filter(({ name }) => !applied.has(name)),
  };
}

/** Migrations bring rows of their own; the backup has them as they were. */
async function emptyTables(client: PoolClient, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')} cascade`);
}

async function putRows(client: PoolClient, table: StoredTable, lines: AsyncGenerator<Buffer>): Promise<number> {
  const copy = client.query(copyFrom(copyIn(table)));
  const ended = finished(copy);
  // Heard below; a refusal may come while the next row is being read.
  ended.catch(() => {});
  try {
    for (;;) {
      const { value: row, done } = await lines.next();
      if (done === true) throw damaged();
      if (textOf(row) === endOfRows) break;
      if (!copy.write(row)) await Promise.race([once(copy, 'drain'), ended]);
    }
    copy.end();
    await ended;
  } catch (error) {
    throw isOfTheData(error) ? damaged(error) : error;
  }
  return copy.rowCount;
}

/** SQLSTATE classes 22 and 23: what no row of the product's can be. */
const isOfTheData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);

/** Reads what is in the database now, and compares it with what was read for the backup. */
async function verify(client: PoolClient, table: StoredTable, end: BackupEnd, put: number | undefined): Promise<void> {
  const told = end.tables.find(({ name }) => name === table.name);
  const found = createRowSum();
  for await (const _row of rowsOf(client, table, found)) continue;
  if (told === undefined || put !== told.rows || found.rows !== told.rows || found.sum !== told.sum) throw damaged();
}

async function setSequences(client: PoolClient, { sequences }: BackupEnd): Promise<void> {
  for (const { table, column, lastValue } of sequences) {
    if (lastValue === null) continue;
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', [`"${table}"`, column, lastValue]);
  }
}

async function nextLine(lines: AsyncGenerator<Buffer>): Promise<string> {
  const { value, done } = await lines.next();
  if (done === true) throw damaged();
  return textOf(value);
}

const textOf = (row: Buffer): string => row.toString('utf8').replace(/\n$/, '');

const notABackup = (): Refused => new Refused('restore-damaged', 'This file is no backup of the product.');

/** `cause`: the database's or the decompressor's words. */
const damaged = (cause?: unknown): Refused =>
  new Refused('restore-damaged', 'The backup is damaged or cut off: use another one. Nothing was changed.', { cause });
