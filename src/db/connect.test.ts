import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { emptyDatabase, kyselyOver, testDatabase } from '../../tests/support/database.ts';
import { temporaryDataDir } from '../../tests/support/temporary-data-dir.ts';
import { createDatabase, createPool } from './connect.ts';
import { silentLog } from './outage.ts';

const within = { timeout: 15_000, interval: 10 };

test('A database that cannot be reached gives one sentence without the password', async () => {
  // Port 1 is reserved and nothing listens there.
  const url = 'postgresql://someone:secret@127.0.0.1:1/rocks';
  await expect(createDatabase({ url, dataDir: '', log: silentLog })).rejects.toMatchObject({
    reason: 'database-unreachable',
    message:
      'The database cannot be used (connect ECONNREFUSED 127.0.0.1:1): ' +
      'check DATABASE_URL and that the server is running.',
  });
});

test.each([
  'postgres://someone:p@ss/w:rd@127.0.0.1:1/rocks',
  'postgres://someone:p@ss?w:rd@127.0.0.1:1/rocks',
  'postgres://someone:p@ss#w:rd@127.0.0.1:1/rocks',
  'postgres://someone:ss/w:rd@127.0.0.1:1/rocks',
])('No part of a password that is not percent-encoded is shown: %s', async (url) => {
  const failure: unknown = await createDatabase({ url, dataDir: '', log: silentLog }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    reason: 'database-unreachable',
    message:
      'The database cannot be used: check DATABASE_URL, where special characters of a password ' +
      'must be percent-encoded (@ as %40, / as %2F).',
  });
  // The log shows causes too.
  expect(failure).not.toHaveProperty('cause');
});

test('An address that the driver cannot read gives one sentence that names DATABASE_URL', async () => {
  const database = await testDatabase();
  const url = new URL(database.url);
  url.searchParams.set('sslrootcert', '/nonexistent');
  await expect(createDatabase({ url: url.href, dataDir: '', log: silentLog })).rejects.toMatchObject({
    reason: 'database-unreachable',
    message: expect.stringMatching(
      /^The database cannot be used \(ENOENT.*'\/nonexistent'\): check DATABASE_URL and [^.]*\.$/,
    ),
  });
  await database.drop();
});

test('A database that is not in UTF-8 is refused: it would count bytes as characters, or take no emoji', async () => {
  const database = await emptyDatabase();
  const url = new URL(database.url);
  const name = `${url.pathname.slice(1)}_ascii`;
  const [server] = await database.rows<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  // PostgreSQL 14 has no other provider.
  const provider = Number(server?.major) > 14 ? 'locale_provider libc' : '';
  await database.pool.query(`create database ${name} template template0 encoding 'SQL_ASCII' ${provider} locale 'C'`);
  url.pathname = name;
  await expect(createDatabase({ url: url.href, dataDir: '', log: silentLog })).rejects.toMatchObject({
    reason: 'database-not-utf8',
    message: 'The database has the encoding SQL_ASCII: use one with the encoding UTF8 in DATABASE_URL.',
  });
  await database.pool.query(`drop database ${name} with (force)`);
  await database.drop();
});

test('A database that does not write times as ISO 8601 does is refused: each would be read as null', async () => {
  const database = await emptyDatabase();
  await database.pool.query(`alter database ${new URL(database.url).pathname.slice(1)} set datestyle = 'German, DMY'`);
  await expect(createDatabase({ url: database.url, dataDir: '', log: silentLog })).rejects.toMatchObject({
    reason: 'database-not-iso',
    message: "The database has the DateStyle 'German, DMY': use one with the DateStyle ISO in DATABASE_URL.",
  });
  await database.drop();
});

test('DATABASE_URL and DATA_DIR use the same driver; a stop ends the embedded server and no other', async () => {
  const dataDir = await temporaryDataDir();
  const first = await createDatabase({ url: null, dataDir: dataDir.path, log: silentLog });
  const second = await createDatabase({ url: first.url, dataDir: '', log: silentLog });
  const { rows } = await sql`select 9007199254740993 as whole, 10::numeric ^ 30 as amount, now() as at`.execute(
    second.database,
  );
  expect(rows).toEqual([{ whole: '9007199254740993', amount: 10n ** 30n, at: expect.any(Date) }]);
  await expect(second.pool.query('select 0.5 as amount')).rejects.toThrow(/0\.5/);
  await second.stop();
  expect((await first.pool.query('select 1 as alive')).rows).toEqual([{ alive: 1 }]);
  await first.stop();
  await expect(createDatabase({ url: first.url, dataDir: '', log: silentLog })).rejects.toMatchObject({
    reason: 'database-unreachable',
  });
  await dataDir.remove();
});

test('Connections that break are replaced and do not end the process', async () => {
  const database = await testDatabase();
  const warn = vi.fn();
  const pool = createPool(database.url, { ...silentLog, warn });
  const borrowed = await pool.connect();
  await pool.query('select 1');
  await database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), within);
  borrowed.release(true);
  await vi.waitFor(() => expect(pool.totalCount).toBe(0), within);
  const { rows } = await sql`select 1 as alive`.execute(kyselyOver<object>(pool));
  expect(rows).toEqual([{ alive: 1 }]);
  await pool.end();
  await database.drop();
});

test('An orderly stop logs nothing, even when a query is running', async () => {
  const dataDir = await temporaryDataDir();
  const warn = vi.fn();
  const { pool, stop } = await createDatabase({ url: null, dataDir: dataDir.path, log: { ...silentLog, warn } });
  const borrowed = await pool.connect();
  const cut = borrowed.query('select pg_sleep(60)').catch((error: unknown) => String(error));
  await stop();
  expect(await cut).toMatch(/terminat/);
  borrowed.release(true);
  expect(warn.mock.calls).toEqual([]);
  await dataDir.remove();
});

test('A statement that never ends is ended by the database', async () => {
  const database = await testDatabase();
  const { rows } = await database.pool.query('show statement_timeout');
  expect(rows).toEqual([{ statement_timeout: '8s' }]);
  await database.drop();
});
