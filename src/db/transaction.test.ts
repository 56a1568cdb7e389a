import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { testDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { typedKysely } from './connect.ts';
import { transact } from './transaction.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.rows('create table pebbles (name text primary key, touches integer not null default 0)');
});
beforeEach(() => database.rows("truncate pebbles; insert into pebbles (name) values ('granite'), ('slate')"));
afterAll(() => database.drop());

test('two transactions that deadlock both succeed, and each change is made once', async () => {
  const db = typedKysely(database.pool);
  const bothHoldOne = { count: 0, ...Promise.withResolvers<void>() };
  let runs = 0;
  const touch = (first: string, second: string): Promise<void> =>
    transact(db, async (trx) => {
      runs += 1;
      await sql`update pebbles set touches = touches + 1 where name = ${first}`.execute(trx);
      bothHoldOne.count += 1;
      if (bothHoldOne.count === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await sql`update pebbles set touches = touches + 1 where name = ${second}`.execute(trx);
    });
  await Promise.all([touch('granite', 'slate'), touch('slate', 'granite')]);
  expect(runs).toBe(3);
  expect(await database.rows('select name, touches from pebbles order by name')).toEqual([
    { name: 'granite', touches: 2 },
    { name: 'slate', touches: 2 },
  ]);
});

test('a transaction that fails for another reason is not repeated and leaves nothing', async () => {
  const db = typedKysely(database.pool);
  let runs = 0;
  const failing = transact(db, async (trx) => {
    runs += 1;
    await sql`update pebbles set touches = 7`.execute(trx);
    throw new Error('a rock fell');
  });
  await expect(failing).rejects.toThrow('a rock fell');
  expect(runs).toBe(1);
  expect(await database.rows('select 1 from pebbles where touches > 0')).toEqual([]);
});
