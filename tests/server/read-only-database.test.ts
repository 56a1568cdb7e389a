import { afterAll, beforeAll, expect, test } from 'vitest';

import { createPool } from '../../src/db/connect.ts';
import { silentLog, createDatabaseCheck, databaseOutage } from '../../src/db/outage.ts';
import { createFigureReader } from '../../src/db/figures.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

/** A standby after a failover, or a provider's database whose disk is full: it answers, but accepts no changes. */
let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await testDatabase();
  await database.rows(
    `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`,
  );
  pool = createPool(database.url, silentLog);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('A database that accepts no changes is an outage: writes are retried later', async () => {
  const refusal: unknown = await pool
    .query("insert into activity_listeners (name, is_paused) values ('a', true)")
    .catch((error: unknown) => error);
  expect(databaseOutage(refusal)).toMatchObject({ reason: 'database-unavailable' });
});

test('A copy on such a database is not ready, and says why', async () => {
  expect(await createDatabaseCheck(pool)()).toEqual({ ready: false, reason: 'The database does not accept changes.' });
  expect(await createDatabaseCheck(database.pool)()).toEqual({ ready: true });
});

test('Its figures are not reported: they would look good only because nothing moves', async () => {
  const figures = [{ name: 'one', help: '', sql: 'select 1' }];
  expect(await createFigureReader(pool, figures)()).toEqual({});
  expect(await createFigureReader(database.pool, figures)()).toEqual({ one: 1 });
});
