import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { emptyDatabase, testDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { until } from '../../tests/support/until.ts';
import { createChangeSignal, runningLock } from './change-signal.ts';
import { createPool } from './connect.ts';
import { silentLog } from './outage.ts';
import { migrate, readMigrations, watchForUpgrade } from './migrate.ts';

let database: TestDatabase;
let folder = '';

beforeEach(async () => {
  database = await emptyDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'sui-rocks-migrations-'));
  await write(
    '0001-first.sql',
    'create table steps (at serial, name text); insert into steps (name) values ($$first$$);',
  );
  await write('0002-second.sql', 'insert into steps (name) values ($$second$$);');
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, sql: string) => writeFile(path.join(folder, name), sql);
const run = () => migrate(database.pool, silentLog, folder);
const steps = async () => {
  const { rows } = await database.pool.query<{ name: string }>('select name from steps order by at');
  return rows.map(({ name }) => name);
};

test('Migrations run once each, in the order of their numbers, and later ones are added', async () => {
  expect(await run()).toEqual(['0001-first.sql', '0002-second.sql']);
  expect(await run()).toEqual([]);
  await write('0003-third.sql', 'insert into steps (name) values ($$third$$);');
  expect(await run()).toEqual(['0003-third.sql']);
  expect(await steps()).toEqual(['first', 'second', 'third']);
});

test('Several copies that start at once apply each migration once', async () => {
  const pools = [1, 2, 3].map(() => createPool(database.url, silentLog));
  try {
    const applied = await Promise.all(pools.map((pool) => migrate(pool, silentLog, folder)));
    expect(applied.flat()).toEqual(['0001-first.sql', '0002-second.sql']);
    expect(await steps()).toEqual(['first', 'second']);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
});

test('Migrations wait until no other copy runs on the database, and are refused if one does not stop', async () => {
  await run();
  await write('0003-third.sql', 'insert into steps (name) values ($$third$$);');
  const { url, pool } = database;
  const other = await createChangeSignal({ url, pool, log: silentLog });
  await expect(migrate(pool, silentLog, folder, 100)).rejects.toMatchObject({
    reason: 'copies-running',
    message: 'Another copy still runs on this database. Stop it first.',
  });
  const said: string[] = [];
  const waiting = migrate(pool, { ...silentLog, info: (_details: object, words: string) => said.push(words) }, folder);
  await until('it waits', () => said.length > 0);
  expect(await steps()).toEqual(['first', 'second']);
  await other.stop();
  expect(await waiting).toEqual(['0003-third.sql']);
  const next = await createChangeSignal({ url, pool, log: silentLog });
  expect(await run()).toEqual([]);
  await next.stop();
});

test('A copy that comes back to a database of a newer version notices it', async () => {
  await run();
  const { url, pool } = database;
  const copy = await createChangeSignal({ url, pool, log: silentLog });
  const refused: string[] = [];
  await watchForUpgrade(copy, pool, ({ reason }) => refused.push(reason), folder);
  await pool.query("insert into schema_migrations (name, checksum) values ('0099-later.sql', 'x')");
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like '%changes' and datname = current_database()`);
  await until('it notices', () => refused.length > 0);
  expect(refused).toEqual(['database-newer']);
  await copy.stop();
});

test('A copy that starts while a newer version migrates is refused as soon as it may run', async () => {
  await run();
  const { url, pool } = database;
  const newer = await pool.connect();
  await newer.query('select pg_advisory_lock($1)', [runningLock]);
  const starting = createChangeSignal({ url, pool, log: silentLog });
  await newer.query("insert into schema_migrations (name, checksum) values ('0099-later.sql', 'x')");
  newer.release(true);
  const copy = await starting;
  await expect(watchForUpgrade(copy, pool, () => {}, folder)).rejects.toMatchObject({ reason: 'database-newer' });
  await copy.stop();
});

test('A migration may take longer than other queries', async () => {
  await write('0003-slow.sql', 'select pg_sleep(0.8);');
  const pool = createPool(database.url, silentLog, { connectMs: 5_000, statementMs: 200, answerTimeoutMs: 400 });
  expect(await migrate(pool, silentLog, folder)).toContain('0003-slow.sql');
  await expect(pool.query('select pg_sleep(0.8)')).rejects.toMatchObject({ code: '57014' });
  await pool.end();
});

test('A migration that fails is undone completely, and those before it stay', async () => {
  await write('0003-broken.sql', 'insert into steps (name) values ($$half$$); select * from nowhere;');
  await expect(run()).rejects.toMatchObject({
    reason: 'migration-failed',
    message: 'Migration 0003-broken.sql failed and was undone: relation "nowhere" does not exist.',
  });
  expect(await steps()).toEqual(['first', 'second']);
  await write('0003-broken.sql', 'insert into steps (name) values ($$third$$);');
  expect(await run()).toEqual(['0003-broken.sql']);
});

test('A migration that was changed after it was applied is refused by name', async () => {
  await run();
  await write('0001-first.sql', 'drop table steps;');
  await expect(run()).rejects.toMatchObject({
    reason: 'migration-changed',
    message: expect.stringContaining('0001-first.sql was changed'),
  });
  expect(await steps()).toEqual(['first', 'second']);
});

test('A database that is newer than the program is refused', async () => {
  await run();
  await rm(path.join(folder, '0002-second.sql'));
  await expect(run()).rejects.toMatchObject({
    reason: 'database-newer',
    message: expect.stringContaining('0002-second.sql'),
  });
});

test("Another program's list of migrations is refused and left as it was", async () => {
  await database.pool.query('create table schema_migrations (version bigint primary key, dirty boolean not null)');
  await database.pool.query('insert into schema_migrations values (7, false)');
  await expect(run()).rejects.toMatchObject({ reason: 'database-foreign' });
  const { rows } = await database.pool.query('select * from schema_migrations');
  expect(rows).toEqual([{ version: '7', dirty: false }]);
  await expect(steps()).rejects.toThrow('relation "steps" does not exist');
});

test("Another program's table with the name of one of ours is refused and left as it was", async () => {
  await database.pool.query("create table steps (at int, name text); insert into steps values (1, 'theirs')");
  await expect(run()).rejects.toThrow('relation "steps" already exists');
  expect(await steps()).toEqual(['theirs']);
});

test('Each migration has a number of its own', async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  expect(names.filter((name) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
});

test('With nothing to do it runs one query', async () => {
  await run();
  const queries: string[] = [];
  const counted = { query: (text: string) => (queries.push(text), database.pool.query(text)) };
  await migrate(Object.assign(Object.create(database.pool), counted), silentLog, folder);
  expect(queries).toEqual(['select name, checksum from schema_migrations']);
});

test("The test template has all of the program's own migrations", async () => {
  const migrated = await testDatabase();
  try {
    const { rows } = await migrated.pool.query('select name, checksum from schema_migrations order by name');
    expect(rows).toEqual((await readMigrations()).map(({ name, checksum }) => ({ name, checksum })));
  } finally {
    await migrated.drop();
  }
});
