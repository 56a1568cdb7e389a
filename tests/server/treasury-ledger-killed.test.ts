import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { testDatabase } from '../support/database.ts';
import { killReaders, rowsReadOn } from '../support/killed-reader.ts';

/** `npm run bench ledger-kills` does it fifty times. */
const kills = 12;

test('a ledger whose first read is killed again and again equals, row for row, one that was read without interruption', async () => {
  const sandbox = await startSandbox();
  const [database, other] = [await testDatabase(), await testDatabase()];
  await killReaders({ sandbox, database }, kills);
  const before = await database.rows('select digest from ledger_entries');
  expect(before.length).toBeGreaterThan(100);
  const inPeace = await rowsReadOn({ sandbox, database: other });
  expect(inPeace[0]?.length).toBeGreaterThan(before.length);
  expect(await rowsReadOn({ sandbox, database })).toEqual(inPeace);
  await sandbox.stop();
  await Promise.all([database.drop(), other.drop()]);
}, 300_000);
