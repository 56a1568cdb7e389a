import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { testDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { databaseLine } from '../../tests/support/database-line.ts';
import { temporaryDataDir } from '../../tests/support/temporary-data-dir.ts';
import { createChangeSignal, type ChangeSignal, publishInTransaction } from './change-signal.ts';
import { createPool, typedKysely } from './connect.ts';
import { silentLog } from './outage.ts';
import { startEmbeddedPostgres } from '@sui-rocks/embedded-postgres';

const within = { timeout: 15_000, interval: 10 };

let database: TestDatabase;
let signals: ChangeSignal[] = [];

beforeEach(async () => {
  database = await testDatabase();
});

afterEach(async () => {
  await Promise.all(signals.map((signal) => signal.stop()));
  signals = [];
  await database.drop();
});

async function connect(from: Pick<TestDatabase, 'url' | 'pool'> = database): Promise<ChangeSignal> {
  const signal = await createChangeSignal({ url: from.url, pool: from.pool, log: silentLog });
  signals.push(signal);
  return signal;
}

test('A change published by one copy reaches every copy that subscribed to its topic, and no other topic', async () => {
  const [one, two] = [await connect(), await connect()];
  const [heardByOne, heardByTwo, other] = [vi.fn(), vi.fn(), vi.fn()];
  one.subscribe('treasury', heardByOne);
  two.subscribe('treasury', heardByTwo);
  two.subscribe('collection', other);
  await one.publish('treasury');
  await vi.waitFor(() => {
    expect(heardByOne).toHaveBeenCalledTimes(1);
    expect(heardByTwo).toHaveBeenCalledTimes(1);
  }, within);
  expect(other).not.toHaveBeenCalled();
});

test('A signal inside a transaction is sent with its commit, and not at all after a rollback', async () => {
  const signal = await connect();
  const [heard, undone] = [vi.fn(), vi.fn()];
  signal.subscribe('treasury', heard);
  signal.subscribe('undone', undone);
  const db = typedKysely(database.pool);
  const undoing = db.transaction().execute(async (trx) => {
    await publishInTransaction(trx, 'undone');
    throw new Error('undo');
  });
  await expect(undoing).rejects.toThrow('undo');
  await db.transaction().execute((trx) => publishInTransaction(trx, 'treasury'));
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), within);
  expect(undone).not.toHaveBeenCalled();
});

test('A listener that unsubscribed gets no more signals', async () => {
  const signal = await connect();
  const [gone, staying] = [vi.fn(), vi.fn()];
  signal.subscribe('treasury', gone)();
  signal.subscribe('treasury', staying);
  await signal.publish('treasury');
  await vi.waitFor(() => expect(staying).toHaveBeenCalledTimes(1), within);
  expect(gone).not.toHaveBeenCalled();
});

test('After a restart of the database it listens again by itself and calls every listener, as each may have missed a change', async () => {
  const dataDir = await temporaryDataDir();
  const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: dataDir.path, log: silentLog });
  const pool = createPool(postgres.url, silentLog);
  const signal = await connect({ url: postgres.url, pool });
  const heard = vi.fn();
  signal.subscribe('treasury', heard);
  process.kill(postgres.pid(), 'SIGKILL');
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), within);
  await signal.publish('treasury');
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), within);
  await signal.stop();
  await pool.end();
  await postgres.stop();
  await dataDir.remove();
});

test('It can be stopped while the database is away', async () => {
  const dataDir = await temporaryDataDir();
  const postgres = await startEmbeddedPostgres({ name: 'sui-rocks', dataDir: dataDir.path, log: silentLog });
  const pool = createPool(postgres.url, silentLog);
  const warned = vi.fn();
  const signal = await createChangeSignal({ url: postgres.url, pool, log: { ...silentLog, warn: warned } });
  await postgres.stop();
  await vi.waitFor(() => expect(warned).toHaveBeenCalled(), within);
  await signal.stop();
  await pool.end();
  await dataDir.remove();
});

test.each([
  ['slowly', { kind: 'slow', delayMs: 200 }],
  ['to a database that does not answer', { kind: 'silent' }],
] as const)('It can be stopped at once while it reconnects %s', async (_how, fault) => {
  const line = await databaseLine(database.url);
  const warned = vi.fn();
  const signal = await createChangeSignal({
    url: line.url,
    pool: database.pool,
    log: { ...silentLog, warn: warned },
  });
  line.spoil(fault);
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '% changes'",
  );
  await vi.waitFor(() => expect(warned).toHaveBeenCalled(), within);
  const startedAtMs = performance.now();
  await signal.stop();
  expect(performance.now() - startedAtMs).toBeLessThan(2_500);
  await vi.waitFor(async () => expect(await listening()).toBe(0), within);
  await line.end();
});

async function listening(): Promise<number> {
  const { rowCount } = await database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name like '% changes'",
  );
  return rowCount ?? -1;
}
