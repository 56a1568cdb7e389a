import { setTimeout as delay } from 'node:timers/promises';

import { type Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { kyselyOver, type TestDatabase, testDatabase } from '../../tests/support/database.ts';
import { databaseLine, type DatabaseLine } from '../../tests/support/database-line.ts';
import { createPool } from './connect.ts';
import { silentLog, databaseOutage } from './outage.ts';

const limits = { connectMs: 600, statementMs: 700, answerTimeoutMs: 900 };
/** The wait for a connection, then for an answer; the rest is for a slow machine. */
const longestMs = limits.connectMs + limits.answerTimeoutMs + 700;

interface Tables {
  pebbles: { name: string };
}

let database: TestDatabase;
let line: DatabaseLine;
let pool: Pool;
let db: Kysely<Tables>;
const warn = vi.fn();
beforeEach(async () => {
  database = await testDatabase();
  await database.pool.query('create table pebbles (name text primary key)');
  line = await databaseLine(database.url);
  pool = createPool(line.url, { ...silentLog, warn }, limits);
  db = kyselyOver<Tables>(pool);
  warn.mockClear();
});
afterEach(async () => {
  await pool.end();
  await line.end();
  await database.drop();
});

/** The outcome, and how long it took. */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; outcome: string }> {
  const startedAtMs = performance.now();
  const outcome = await work().then(
    () => 'answered',
    (error: unknown) => (databaseOutage(error) === null ? `a fault of ours: ${String(error)}` : 'an outage'),
  );
  return { outcome, ms: performance.now() - startedAtMs };
}

const inTransaction = (name: string): Promise<unknown> =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto('pebbles').values({ name }).execute();
    await trx
      .insertInto('pebbles')
      .values({ name: `${name}, too` })
      .execute();
  });
const manyAsks = (round: string): readonly (() => Promise<unknown>)[] =>
  Array.from({ length: 12 }, (_, index) => [
    () => pool.query('select 1'),
    () => db.selectFrom('pebbles').selectAll().execute(),
    () => inTransaction(`${round} ${index}`),
  ]).flat();
const rocks = () => database.rows<{ name: string }>('select name from pebbles order by name');

describe('a database that accepts queries but does not answer', () => {
  test('keeps no caller waiting for longer than the limits, and all is well when it is back', async () => {
    await Promise.all(manyAsks('before').map((ask) => ask()));
    line.silence();
    const silent = await Promise.all(manyAsks('meanwhile').map(timed));
    expect(new Set(silent.map(({ outcome }) => outcome))).toEqual(new Set(['an outage']));
    expect(Math.max(...silent.map(({ ms }) => ms))).toBeLessThan(longestMs);
    expect(warn).toHaveBeenCalledWith({ silentMs: 900 }, 'The database does not answer; the connection is closed');
    await line.mend();
    const after = await Promise.all(manyAsks('after').map(timed));
    expect(new Set(after.map(({ outcome }) => outcome))).toEqual(new Set(['answered']));
    expect(pool.waitingCount).toBe(0);
    expect(pool.totalCount).toBeLessThanOrEqual(10);
    // Nothing is half done: queries during the outage failed as one, and it is up to their callers to repeat them.
    expect((await rocks()).filter(({ name }) => !name.startsWith('meanwhile'))).toHaveLength(2 * 2 * 12);
    expect((await rocks()).filter(({ name }) => name.startsWith('meanwhile')).length % 2).toBe(0);
  });

  test('ends a transaction at once: its rollback does not wait too', async () => {
    const { ms, outcome } = await timed(() =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('pebbles').values({ name: 'pebble' }).execute();
        line.silence();
        await trx.insertInto('pebbles').values({ name: 'boulder' }).execute();
      }),
    );
    expect(outcome).toBe('an outage');
    expect(ms).toBeLessThan(limits.answerTimeoutMs + 500);
    await line.mend();
    expect(await rocks()).toEqual([]);
  });

  test('is noticed in the middle of an answer too', async () => {
    // Each row is larger than the server's buffer, and therefore sent by itself.
    const slowly = () => sql`select repeat('rock', 5000), pg_sleep(0.02) from generate_series(1, 25)`.execute(db);
    expect(await timed(slowly)).toMatchObject({ outcome: 'answered' });
    const asked = timed(slowly);
    await delay(150);
    line.silence();
    expect(await asked).toMatchObject({ outcome: 'an outage' });
  });

  test('does not matter without a query: a connection may be idle for any length of time', async () => {
    const { rows: before } = await pool.query('select pg_backend_pid() as pid');
    await delay(limits.answerTimeoutMs + 300);
    const { rows: after } = await pool.query('select pg_backend_pid() as pid');
    expect(after).toEqual(before);
    expect(warn).not.toHaveBeenCalled();
  });

  test('is noticed on a connection that was idle before', async () => {
    await pool.query('select 1');
    await delay(limits.answerTimeoutMs + 300);
    line.silence();
    const { ms, outcome } = await timed(() => pool.query('select 1'));
    expect(outcome).toBe('an outage');
    expect(ms).toBeLessThan(longestMs);
  });
});

describe('a statement that takes too long', () => {
  const backend = async (): Promise<unknown> => (await sql`select pg_backend_pid() as pid`.execute(db)).rows;

  test('is ended by the server itself, before its connection is cut', async () => {
    const before = await backend();
    await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toMatchObject({ code: '57014' });
    expect(await backend()).toEqual(before);
    expect(warn).not.toHaveBeenCalled();
  });

  test('is also ended by the server while it waits for a lock', async () => {
    const holder = await database.pool.connect();
    await holder.query("begin; insert into pebbles values ('held')");
    await expect(pool.query("insert into pebbles values ('held')")).rejects.toMatchObject({ code: '57014' });
    await holder.query('commit');
    holder.release();
  });
});
