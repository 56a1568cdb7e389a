import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { backUp } from '../../scripts/backup-database.ts';
import { leftOutTables } from '../../scripts/backup-tables.ts';
import { restore } from '../../scripts/restore-database.ts';
import { readMigrations } from '../../src/db/migrate.ts';
import { childEnv } from '../support/child.ts';
import { bringTo } from '../support/bring-to.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../support/database.ts';
import { everyRow, putKeptRows, tablesOf } from '../support/kept-rows.ts';

const webhookSecret = 'secret-of-the-webhook';
let folder: string;
let original: TestDatabase;
let archive: Buffer;
const opened: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  original = await testDatabase();
  await putKeptRows(original.pool);
  await original.pool.query('update telegram_service set webhook_secret = $1', [webhookSecret]);
  await original.pool.query(`select setval(pg_get_serial_sequence('audit_entries', 'id'), 11)`);
  archive = await archiveOf(original.pool);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.drop()));
});
afterAll(async () => {
  await original.drop();
  await rm(folder, { recursive: true });
});

async function empty(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  opened.push(database);
  return database;
}

/** Runs `npm run backup` or `restore`; returns its exit code and output. */
async function run(
  script: string,
  args: readonly string[],
  url: string,
  dataDir = '',
): Promise<readonly [number | null, string]> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { ...childEnv, DATABASE_URL: url, DATA_DIR: dataDir },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, said.trim()];
}

/** The archive before it is compressed. */
const archiveOf = async (pool: Pool): Promise<Buffer> => buffer(backUp(pool, new Date()).pieces);

const putBack = (pool: Pool, bytes: Buffer | string) => restore(pool, Readable.from([Buffer.from(bytes)]));

/** Tables that a restore changes on purpose (restored-copy.test.ts). */
const quietened = [
  'activity_listeners',
  'telegram_service',
  'discord_service',
  'tracked_collections',
  'discord_guild_configs',
];

/** Also changed on purpose: members are told of payouts from the moment of the restore on. */
const withoutSince = (row: string): string => row.replace(/"payout_messages_since": "[^"]+"/, '');
async function keptRows(pool: Pool): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = Object.entries(await everyRow(pool));
  return Object.fromEntries(tables.map(([table, rows]) => [table, rows.map(withoutSince)]));
}

async function rowsToKeep(pool: Pool): Promise<Readonly<Record<string, unknown>>> {
  const left = Object.entries(await keptRows(pool)).filter(([table]) => !quietened.includes(table));
  return Object.fromEntries(left.map(([table, rows]) => [table, leftOutTables.includes(table) ? [] : rows]));
}

describe('npm run backup and npm run restore', () => {
  test('a restored copy has every row, and new rows do not collide with them', async () => {
    const [code, said] = await run('backup', [folder], original.url);
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/\.backup\.gz\n\d+ tables, \d+ rows, \d+ bytes\.\nIt holds/),
    ]);
    const file = said.split('\n')[0] ?? '';
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const copy = await empty();
    const [restored, told] = await run('restore', [file], copy.url);
    expect([restored, told]).toEqual([0, expect.stringMatching(/counted and compared\.\nBoth bots are off/)]);
    expect(await keptRows(copy.pool)).toMatchObject(await rowsToKeep(original.pool));
    const next = async ({ pool }: TestDatabase) =>
      (await pool.query<{ id: string }>("select nextval(pg_get_serial_sequence('audit_entries', 'id')) as id")).rows;
    expect(await next(copy)).toEqual(await next(original));
  });

  test('a backup shows one moment, whatever is written while it is read', async () => {
    const source = await testDatabase();
    opened.push(source);
    await source.pool.query(
      `insert into audit_entries (actor_kind, actor_name, action, subject_kind, subject_id, subject_label)
      select 'system', repeat('x', 200), 'a', 'b', 'c', 'd' from generate_series(1, 5000)`,
    );
    const { pieces, end } = backUp(source.pool, new Date());
    const reading = pieces[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await reading.next();
    await source.pool
      .query(`delete from audit_entries; insert into users (username, username_key, password_hash, rights, created_at, updated_at)
      values ('Later', 'later', 'x', null, now(), now())`);
    const rest: Buffer[] = [first.value as Buffer];
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) rest.push(next.value);
    expect(end().tables.find(({ name }) => name === 'audit_entries')?.rows).toBe(5_000);
    const copy = await empty();
    expect(await putBack(copy.pool, Buffer.concat(rest))).toMatchObject({ rowCount: 5_002 });
    // Read after the audit entries.
    expect(await copy.rows('select 1 from users')).toEqual([]);
  });

  test('a backup contains no secret: no session, no link, no webhook secret', async () => {
    const text = archive.toString();
    const [session] = await original.rows<{ hex: string }>(`select encode(token_hash, 'hex') as hex from sessions`);
    const [link] = await original.rows<{ hex: string }>(
      `select encode(token_hash, 'hex') as hex from discord_verifications`,
    );
    for (const secret of [webhookSecret, session?.hex, link?.hex]) expect(text).not.toContain(secret);
  });

  test('a backup of an older version is restored and migrated to the newest', async () => {
    const older = await empty();
    await bringTo(older.pool, '0011-discord.sql');
    const all = await readMigrations();
    await putKeptRows(older.pool);
    const copy = await empty();
    const { migratedOn } = await putBack(copy.pool, await archiveOf(older.pool));
    expect(migratedOn).toBe(all.filter(({ name }) => name > '0012').length);
    expect(await copy.rows('select display_name from discord_members')).toEqual(
      await older.rows('select display_name from discord_members'),
    );
    expect(await tablesOf(copy.pool)).toEqual(await tablesOf(original.pool));
  });

  test('a schema whose name needs quotes is restored into and backed up', async () => {
    const { pool, url } = await empty();
    await pool.query('create schema "SuiRocks"');
    await pool.query(`alter database ${new URL(url).pathname.slice(1)} set search_path = "SuiRocks"`);
    const file = join(folder, 'original.gz');
    await writeFile(file, gzipSync(archive));
    expect(await run('restore', [file], url)).toMatchObject([0, expect.stringContaining('counted and compared')]);
    const again = join(folder, 'again.gz');
    const [, said] = await run('backup', [again], url);
    expect(said.split('\n').slice(0, 2)).toEqual([again, expect.stringMatching(/^\d+ tables, \d+ rows/)]);
  });

  test('a missing folder is not taken for a file name, one that cannot be written is named, and no folder is restored', async () => {
    const missing = join(folder, 'not-yet-made');
    const noFolder = `${missing} is not a folder: create it first, or name a file that ends in .gz.`;
    expect(await run('backup', [missing], original.url)).toEqual([1, noFolder]);
    await expect(readFile(missing)).rejects.toMatchObject({ code: 'ENOENT' });
    const unwritable = `${missing} cannot be written to (ENOENT): create it, or give this user write permission.`;
    expect(await run('backup', [join(missing, 'a.gz')], original.url)).toEqual([1, unwritable]);
    const unreadable = `${folder} cannot be read: is that the right file?`;
    expect(await run('restore', [folder], (await empty()).url)).toEqual([1, unreadable]);
    const newPlace = join(folder, 'new-data');
    const noFile = `${missing} cannot be read: is that the right file?`;
    expect(await run('restore', [missing], '', newPlace)).toEqual([1, noFile]);
    await expect(stat(newPlace)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('neither command overwrites anything: not a file, not a database that is not empty', async () => {
    const file = join(folder, 'kept.gz');
    await writeFile(file, 'mine');
    expect(await run('backup', [file], original.url)).toEqual([
      1,
      `${file} already exists: name another file, or remove it.`,
    ]);
    expect(await readFile(file, 'utf8')).toBe('mine');
    const before = await everyRow(original.pool);
    await expect(putBack(original.pool, archive)).rejects.toMatchObject({
      reason: 'restore-not-empty',
    });
    expect(await everyRow(original.pool)).toEqual(before);
    expect(await run('backup', [join(folder, 'nothing.gz')], (await empty()).url)).toEqual([
      1,
      'There is nothing to back up: this database holds no data of the product yet.',
    ]);
  });
});

describe('a backup that cannot be restored leaves nothing behind', () => {
  const spoil: readonly (readonly [name: string, reason: string, change: (text: string) => string])[] = [
    ['is not a backup', 'restore-damaged', () => 'rocks\n'],
    ['is empty', 'restore-damaged', () => ''],
    [
      'ends in the middle of a table',
      'restore-damaged',
      (text) => text.slice(0, text.indexOf('-- table telegram_setups')),
    ],
    ['lacks its end', 'restore-damaged', (text) => text.slice(0, text.lastIndexOf('-- end'))],
    ['has another value in a row', 'restore-damaged', (text) => text.replace('Rock Holder', 'Rock Hoarder')],
    ['lacks a row', 'restore-damaged', (text) => text.replace(/(-- table discord_wallets\n).*\n/, '$1')],
    [
      'has a row that is malformed',
      'restore-damaged',
      (text) => text.replace('-- table users\n', '-- table users\nx\ty\n'),
    ],
    ['is of a newer version', 'restore-newer', (text) => text.replace('0001-platform.sql', '9001-ahead.sql')],
    ['has another schema', 'restore-unlike', (text) => text.replace(/"checksum":"..../, '"checksum":"0000')],
  ];
  test.each(spoil)('one that %s (%s)', async (_name, reason, change) => {
    const database = await empty();
    const spoilt = change(archive.toString());
    await expect(putBack(database.pool, spoilt)).rejects.toMatchObject({ reason });
    expect(await tablesOf(database.pool)).toEqual([]);
  });

  test('a file that is cut off, or has a wrong byte, is reported as damaged', async () => {
    const whole = gzipSync(archive);
    const wrong = Buffer.from(whole);
    wrong[wrong.length - 6]! ^= 1;
    for (const [index, bytes] of [whole.subarray(0, -9), wrong].entries()) {
      const database = await empty();
      const file = join(folder, `damaged-${index}.gz`);
      await writeFile(file, bytes);
      expect(await run('restore', [file], database.url)).toEqual([
        1,
        'The backup is damaged or cut off: use another one. Nothing was changed.',
      ]);
      expect(await tablesOf(database.pool)).toEqual([]);
    }
  });
});
