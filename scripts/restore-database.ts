import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { lockMigrations, type Migration, readMigrations, runMigration } from '../src/db/migrate.ts';
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

export interface Restored {
  /** ISO. */
  readonly takenAt: string;
  readonly tableCount: number;
  readonly rowCount: number;
  /** Migrations newer than the backup. */
  readonly migratedOn: number;
}

/**
 * Restores a backup into an empty database: the schema of that time, the rows, then newer migrations. All of it or nothing, in one
 * transaction. `archive` is uncompressed. Throws Refused `restore-not-empty`, `restore-newer`, `restore-unlike` or
 * `restore-damaged`, each with a sentence that says what to do.
 */
export async function restore(pool: Pool, archive: Readable): Promise<Restored> {
  const client = await pool.connect();
  const lines = intactLines(archive);
  try {
    await lockMigrations(client);
    await client.query(textSettings);
    await client.query('begin');
    await refuseTables(client);
    const restored = await restoreAll(client, lines);
    await client.query('commit');
    return restored;
  } finally {
    // Closed, not returned to the pool: that rolls back whatever is not committed and ends its lock and settings.
    client.release(true);
    await lines.return(undefined);
  }
}

/** The archive's lines; an error while reading or decompressing becomes `restore-damaged`. */
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
    'This database is not empty: give an empty one in DATABASE_URL, or leave that empty and give a new folder in DATA_DIR.',
  );
}

async function restoreAll(client: PoolClient, lines: AsyncGenerator<Buffer>): Promise<Restored> {
  const header = readHeader(await nextLine(lines));
  if (header === null) throw notABackup();
  const { ofBackup, newer } = sortMigrations(await readMigrations(), header);
  for (const migration of ofBackup) await runMigration(client, migration);
  await emptyTables(client, header.tables);
  const insertedRows = new Map<string, number>();
  for (const table of header.tables) {
    if (readTable(await nextLine(lines)) !== table.name) throw damaged();
    insertedRows.set(table.name, await insertRows(client, table, lines));
  }
  const end = readEnd(await nextLine(lines));
  // The decompressor checks the whole file only after the last line.
  if (end === null || (await lines.next()).done !== true) throw damaged();
  for (const table of header.tables) await verify(client, table, end, insertedRows.get(table.name));
  await setSequences(client, end);
  for (const migration of newer) await runMigration(client, migration);
  await quietenCopy(client);
  const rowCount = end.tables.reduce((sum, { rows }) => sum + rows, 0);
  return { takenAt: header.takenAt, tableCount: end.tables.length, rowCount, migratedOn: newer.length };
}

/** Splits the known migrations into those of the backup and newer ones. */
function sortMigrations(known: readonly Migration[], { migrations }: BackupHeader) {
  for (const { name, checksum } of migrations) {
    const own = known.find((migration) => migration.name === name);
    if (own === undefined) {
      throw new Refused(
        'restore-newer',
        `The backup has migration ${name}, which this version does not know: restore it with a newer one.`,
      );
    }
    if (own.checksum !== checksum) {
      throw new Refused('restore-unlike', `Migration ${name} has changed since the backup was made.`);
    }
  }
  const applied = new Set(migrations.map(({ name }) => name));
  return {
    ofBackup: known.filter(({ name }) => applied.has(name)),
    newer: known.filter(({ name }) => !applied.has(name)),
  };
}

/** Some migrations insert rows; the backup has its own version of them. */
async function emptyTables(client: PoolClient, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')} cascade`);
}

async function insertRows(client: PoolClient, table: StoredTable, lines: AsyncGenerator<Buffer>): Promise<number> {
  const copy = client.query(copyFrom(copyIn(table)));
  const ended = finished(copy);
  // Awaited below; it may already fail while the next row is being read.
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
    throw isDataError(error) ? damaged(error) : error;
  }
  return copy.rowCount;
}

/** SQLSTATE classes 22 and 23: values that no row of the product can have. */
const isDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);

/** Reads the table back and compares its rows with those of the backup. */
async function verify(
  client: PoolClient,
  table: StoredTable,
  end: BackupEnd,
  insertedRows: number | undefined,
): Promise<void> {
  const expected = end.tables.find(({ name }) => name === table.name);
  const found = createRowSum();
  for await (const _row of rowsOf(client, table, found)) continue;
  if (expected === undefined || insertedRows !== expected.rows) throw damaged();
  if (found.rows !== expected.rows || found.sum !== expected.sum) throw damaged();
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

const notABackup = (): Refused => new Refused('restore-damaged', 'This file is not a backup of the product.');

/** `cause`: the error of the database or the decompressor. */
const damaged = (cause?: unknown): Refused =>
  new Refused('restore-damaged', 'The backup is damaged or cut off: use another one. Nothing was changed.', { cause });
