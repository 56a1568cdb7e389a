import { Readable } from 'node:stream';

import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { allowLongStatements } from '../src/db/guard-connections.ts';
import { Refused } from '../src/shared/failure.ts';
import {
  type BackupEnd,
  createRowSum,
  endLine,
  endOfRows,
  headerLine,
  linesOf,
  type RowSum,
  tableLine,
} from './backup-archive.ts';
import { copyOut, type StoredTable, tablesToKeep, textSettings } from './backup-tables.ts';

/** Lines are passed on in pieces of about this size: one piece per row would cost more than the rows. */
const pieceBytes = 64 * 1024;

export interface Backup {
  /** The uncompressed archive, to be read once; after that, `end` has its counts and sums. */
  readonly pieces: Readable;
  readonly end: () => BackupEnd;
}

/**
 * A consistent snapshot of the whole database, however long reading takes (repeatable read). It blocks nothing.
 * `pieces` fails with Refused `backup-nothing` if this is not a database of the product.
 */
export function backUp(pool: Pool, takenAt: Date): Backup {
  let end: BackupEnd | null = null;
  const pieces = Readable.from(
    inPieces(
      readAll(pool, takenAt, (read) => {
        end = read;
      }),
    ),
    { objectMode: false },
  );
  return {
    pieces,
    end: () => {
      if (end === null) throw new Error('the backup has not been read to its end');
      return end;
    },
  };
}

async function* readAll(pool: Pool, takenAt: Date, onEnd: (end: BackupEnd) => void): AsyncGenerator<Buffer> {
  const client = await pool.connect();
  try {
    await allowLongStatements(client);
    await client.query(textSettings);
    await client.query('begin isolation level repeatable read read only');
    const migrations = await readMigrations(client);
    const tables = await tablesToKeep(client);
    yield line(headerLine({ format: 1, takenAt: takenAt.toISOString(), migrations, tables }));
    const sums: BackupEnd['tables'] = [];
    for (const table of tables) {
      yield line(tableLine(table.name));
      const sum = createRowSum();
      yield* rowsOf(client, table, sum);
      yield line(endOfRows);
      sums.push({ name: table.name, rows: sum.rows, sum: sum.sum });
    }
    const end = { tables: sums, sequences: await readSequences(client, tables) };
    await client.query('commit');
    onEnd(end);
    yield line(endLine(end));
  } finally {
    // Closed, not returned to the pool: its settings and its transaction end with it.
    client.release(true);
  }
}

const line = (text: string): Buffer => Buffer.from(`${text}\n`);

/** The table's rows as COPY writes them, each added to the sum. */
export async function* rowsOf(client: PoolClient, table: StoredTable, sum: RowSum): AsyncGenerator<Buffer> {
  for await (const row of linesOf(client.query(copyTo(copyOut(table))))) {
    sum.add(row);
    yield row;
  }
}

async function* inPieces(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const next of lines) {
    gathered.push(next);
    bytes += next.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
  }
  yield Buffer.concat(gathered);
}

async function readMigrations(client: PoolClient): Promise<{ name: string; checksum: string }[]> {
  const { rows: found } = await client.query<{ is_product: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_product",
  );
  if (found[0]?.is_product !== true) {
    throw new Refused('backup-nothing', 'There is nothing to back up: this database holds no data of the product yet.');
  }
  const query = 'select name, checksum from schema_migrations order by name';
  return (await client.query<{ name: string; checksum: string }>(query)).rows;
}

/** Read after the rows: sequences are not part of the snapshot, and a later value does no harm. */
async function readSequences(client: PoolClient, tables: readonly StoredTable[]): Promise<BackupEnd['sequences']> {
  const { rows } = await client.query<BackupEnd['sequences'][number]>(
    `select table_name::text as table, column_name::text as column, last_value::text as "lastValue"
    from information_schema.columns
    join pg_sequences on format('%I.%I', schemaname, sequencename)
      = pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name)
    where table_schema = current_schema() and table_name = any($1) order by table_name`,
    [tables.map(({ name }) => name)],
  );
  return rows;
}
