import { once } from 'node:events';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../../tests/support/database.ts';
import { type DatabaseLine, databaseLine } from '../../tests/support/database-line.ts';
import { until } from '../../tests/support/until.ts';
import { silentLog } from './outage.ts';
import { createSessionLock, type SessionLock } from './session-lock.ts';

/** Rulings R7: one copy at a time, and back within seconds when that copy dies. */
const pace = { tryEveryMs: 100, answerTimeoutMs: 500, idleTimeoutMs: 2_000 };

let database: TestDatabase;
let line: DatabaseLine;
let locks: SessionLock[];
/** Who began and who ended, in that order. */
let seen: string[];
beforeEach(async () => {
  database = await testDatabase();
  line = await databaseLine(database.url);
  locks = [];
  seen = [];
});
afterEach(async () => {
  await Promise.all(locks.map((lock) => lock.stop()));
  await line.end();
  await database.drop();
});

function lockOf(who: string, url = database.url, onHeld = heldUntilLost): SessionLock {
  const lock = createSessionLock({
    url,
    name: 'the lock',
    log: silentLog,
    pace,
    onHeld: async (lost) => {
      seen.push(`${who} begins`);
      await onHeld(lost);
      seen.push(`${who} ends`);
    },
  });
  locks.push(lock);
  lock.start();
  return lock;
}

async function heldUntilLost(lost: AbortSignal): Promise<void> {
  if (!lost.aborted) await once(lost, 'abort');
}

const begins = (who: string) => until(`${who} has it`, () => seen.includes(`${who} begins`));

test('One copy has the lock; the next gets it when that one stops', async () => {
  const first = lockOf('one');
  await begins('one');
  lockOf('two');
  await first.stop();
  await begins('two');
  expect(seen).toEqual(['one begins', 'one ends', 'two begins']);
});

test('A copy whose connection ends loses the lock, and gets it again when it is free', async () => {
  lockOf('one');
  await begins('one');
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like '% lock' and datname = current_database()",
  );
  await until('it has it again', () => seen.length === 3);
  expect(seen).toEqual(['one begins', 'one ends', 'one begins']);
});

test('A copy whose database does not answer stops its work before another copy can get the lock', async () => {
  lockOf('one', line.url);
  await begins('one');
  lockOf('two');
  line.silence();
  await begins('two');
  expect(seen).toEqual(['one begins', 'one ends', 'two begins']);
});

test('Work that ends by itself releases the lock, and starts again', async () => {
  let runs = 0;
  lockOf('one', database.url, async (lost) => {
    runs += 1;
    if (runs === 1) throw new Error('failed');
    await heldUntilLost(lost);
  });
  await until('it runs again', () => runs === 2);
});
