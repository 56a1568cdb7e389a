import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { backUp } from '../../scripts/backup-database.ts';
import { restore } from '../../scripts/restore-database.ts';
import { silentLog } from '../../src/db/outage.ts';
import { migrate } from '../../src/db/migrate.ts';
import { bringTo } from '../support/bring-to.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../support/database.ts';
import { putKeptRows, tablesOf } from '../support/kept-rows.ts';
import { askProduct, type ProductAnswers } from '../support/product-answers.ts';

const databases: TestDatabase[] = [];
let expected: ProductAnswers;
let restored: TestDatabase;
let upgraded: TestDatabase;

beforeAll(async () => {
  const original = await testDatabase();
  databases.push(original);
  await putKeptRows(original.pool);
  restored = await emptyDatabase();
  databases.push(restored);
  await restore(restored.pool, backUp(original.pool, new Date()).pieces);
  upgraded = await emptyDatabase();
  databases.push(upgraded);
  // The first version in which every capability had its tables.
  await bringTo(upgraded.pool, '0011-discord.sql');
  await putKeptRows(upgraded.pool);
  const earlier = await tablesOf(upgraded.pool);
  await migrate(upgraded.pool, silentLog);
  // Rows that the earlier version did not keep at all: the product reads them again.
  await putKeptRows(upgraded.pool, earlier);
  expected = await askProduct(original);
});
afterAll(() => Promise.all(databases.map((database) => database.drop())));

describe('the product answers every GET of its API', () => {
  test('on a restored copy as it does on the original', async () => {
    const statuses = Object.values(expected).map(([status]) => status);
    expect(statuses.length).toBeGreaterThan(15);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(13);
    expect(await askProduct(restored)).toEqual(expected);
  });

  test('on a database of an earlier version as it does on a new one with the same rows', async () => {
    expect(await askProduct(upgraded)).toEqual(expected);
  });
});
