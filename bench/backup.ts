import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

import type { Pool } from 'pg';

import { backUp } from '../scripts/backup-database.ts';
import { restore } from '../scripts/restore-database.ts';
import { startBenchDatabase } from './bench-database.ts';
import { atMost, type Row } from './row.ts';

const rowCount = 500_000;
const batches = 5;
const lookEveryMs = 20;

/** Half a million entries of the log of changes out into a file and into a new database, with the files on a disk. */
export const benchBackup = async (): Promise<Row[]> => {
  const [original, copy] = [await startBenchDatabase(), await startBenchDatabase()];
  // Migrated for what other benches need; a restore wants an empty one.
  await copy.pool.query('drop schema public cascade; create schema public');
  const file = join(tmpdir(), `bench-${process.pid}.backup.gz`);
  try {
    await fill(original.pool);
    const out = await measure(() =>
      pipeline(backUp(original.pool, new Date()).pieces, createGzip(), createWriteStream(file)),
    );
    const { size: bytes } = await stat(file);
    const into = await measure(async () => {
      const archive = createGunzip();
      void pipeline(createReadStream(file), archive);
      await restore(copy.pool, archive);
    });
    const what = `${rowCount} rows`;
    return [
      atMost(`backup of ${what}`, out.seconds, 60, ' s', `${Math.round(bytes / 1e6)} MB`),
      atMost('restore, counted and compared', into.seconds, 180, ' s'),
      atMost('memory that either takes at most', Math.max(out.grownMb, into.grownMb), 150, ' MB'),
      atMost('rows that differ', Math.abs((await count(copy.pool)) - rowCount), 0),
    ];
  } finally {
    await Promise.all([original.drop(), copy.drop(), rm(file, { force: true })]);
  }
};

const fill = async (pool: Pool): Promise<void> => {
  for (let batch = 0; batch < batches; batch += 1) {
    await pool.query(
      `insert into audit_entries (actor_kind, actor_name, action, subject_kind, subject_id, subject_label, after)
      select 'system', 'role check', 'discord-role-ending', 'discord-member', md5(nth::text), 'Granite Gwen',
        jsonb_build_object('endsAt', md5(nth::text)) from generate_series(1, $1::int) nth`,
      [rowCount / batches],
    );
  }
};

const count = async (pool: Pool): Promise<number> =>
  Number((await pool.query<{ count: string }>('select count(*) from audit_entries')).rows[0]?.count);

const measure = async (work: () => Promise<unknown>): Promise<{ seconds: number; grownMb: number }> => {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, lookEveryMs);
  const startedAtMs = performance.now();
  await work();
  clearInterval(look);
  return { seconds: (performance.now() - startedAtMs) / 1_000, grownMb: (most - before) / 1e6 };
};
