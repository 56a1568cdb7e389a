import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startChild } from '../support/child.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import type { DoomedReader } from '../support/ledger-copy-process.ts';
import { startLedgerScene } from '../support/ledger-scene.ts';

const copyScript = fileURLToPath(new URL('../support/ledger-copy-process.ts', import.meta.url));
const kills = 50;

const tables = {
  ledger_entries: 'digest',
  ledger_changes: 'digest, coin_type',
  ledger_nfts: 'digest, object_id',
  ledger_recipients: 'digest, coin_type, address',
  ledger_coins: 'coin_type',
} as const;

const rowsOf = ({ rows }: TestDatabase) =>
  Promise.all(Object.entries(tables).map(([table, key]) => rows(`select * from ${table} order by ${key}`)));

test('killed fifty times during the first read, the ledger is equal, row for row, to one that was read in peace', async () => {
  const scene = await startLedgerScene();
  const { sandbox, database } = scene;
  const { urls, facts } = sandbox;
  for (let kill = 0; kill < kills; kill += 1) {
    // At its first, second or third page, and then at any moment of what it does with that.
    const doomed: DoomedReader = {
      urls,
      facts,
      databaseUrl: database.url,
      pages: 1 + (kill % 3),
      thenMs: (kill * 7) % 30,
    };
    const copy = startChild(copyScript, [JSON.stringify(doomed)], {});
    expect(await copy.exited, `kill ${kill + 1}: ${copy.output()}`).toBeNull();
  }
  const before = await database.rows('select digest from ledger_entries');
  expect(before.length).toBeGreaterThan(100);
  await scene.read();

  const inPeace = await startLedgerScene({ on: { sandbox, database: await testDatabase() } });
  await inPeace.read();
  expect(await rowsOf(database)).toEqual(await rowsOf(inPeace.database));
  await inPeace.database.drop();
  await scene.end();
}, 300_000);
