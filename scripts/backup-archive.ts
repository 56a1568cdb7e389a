import { hash } from 'node:crypto';

import { z } from 'zod';

/**
 * A backup is a gzip of lines (docs/decisions/0025), readable with `zcat`: a header, then for each table its name and its
 * rows in PostgreSQL's COPY format up to a line `\.`, and a last line with the expected counts and sums.
 */
const headerMark = '-- sui-rocks-backup ';
const tableMark = '-- table ';
const endMark = '-- end ';
/** The end marker of COPY's text format. No row equals it, because COPY doubles backslashes. */
export const endOfRows = String.raw`\.`;

/** Far longer than any row of the product: a damaged file must not fill the memory. */
const longestLineBytes = 64 * 1024 * 1024;
const newline = 0x0a;
const sumBytes = 32;

const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

const backupHeader = z.object({
  format: z.literal(1),
  /** ISO. */
  takenAt: z.iso.datetime(),
  /** The migrations that had been applied. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** In the order of a restore: each table after those it refers to. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1).readonly() })).readonly(),
});
export type BackupHeader = z.infer<typeof backupHeader>;

const backupEnd = z.object({
  tables: z.array(z.object({ name, rows: z.int().min(0), sum: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** The last identity value that was given; null: none yet. */
  sequences: z.array(z.object({ table: name, column: name, lastValue: z.string().regex(/^\d+$/).nullable() })),
});
export type BackupEnd = z.infer<typeof backupEnd>;

export const headerLine = (header: BackupHeader): string => headerMark + JSON.stringify(header);
export const tableLine = (table: string): string => tableMark + table;
export const endLine = (end: BackupEnd): string => endMark + JSON.stringify(end);

/** null: not a header, table line or end line that this program understands. */
export const readHeader = (line: string): BackupHeader | null => readMarked(line, headerMark, backupHeader);
export const readTable = (line: string): string | null =>
  line.startsWith(tableMark) ? line.slice(tableMark.length) : null;
export const readEnd = (line: string): BackupEnd | null => readMarked(line, endMark, backupEnd);

function readMarked<T>(line: string, mark: string, schema: z.ZodType<T>): T | null {
  if (!line.startsWith(mark)) return null;
  try {
    return schema.parse(JSON.parse(line.slice(mark.length)));
  } catch {
    return null;
  }
}

/** Lines of a stream, each with its line break; the last may lack one. Throws RangeError for a line of more than 64 MiB. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline)) {
      yield bytes.subarray(0, end + 1);
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > longestLineBytes) throw new RangeError('a line is too long');
    rest = bytes;
  }
  if (rest.length > 0) yield rest;
}

export interface RowSum {
  add(row: Buffer): void;
  readonly rows: number;
  /** 64 hex digits. */
  readonly sum: string;
}

/**
 * A checksum of a table's rows that does not depend on their order: the sha256 of each line, XORed. Two equal rows would cancel
 * each other out, but every table has a key.
 */
export function createRowSum(): RowSum {
  const total = Buffer.alloc(sumBytes);
  let rows = 0;
  return {
    add: (row) => {
      const digest = hash('sha256', row, 'buffer');
      for (let index = 0; index < sumBytes; index += 1) total[index] = (total[index] ?? 0) ^ (digest[index] ?? 0);
      rows += 1;
    },
    get rows() {
      return rows;
    },
    get sum() {
      return total.toString('hex');
    },
  };
}
