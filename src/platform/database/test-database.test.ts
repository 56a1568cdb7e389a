import { expect, test } from 'vitest';

import { testDatabase } from '../../../tests/support/database.ts';

test('A test gets a fresh, migrated database of its own', async () => {
  const database = await testDatabase();
  try {
    expect((await database.pool.query('select name from leases')).rows).toEqual([]);
  } finally {
    await database.drop();
  }
});
