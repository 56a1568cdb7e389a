import { isDeepStrictEqual } from 'node:util';

import { startSandbox } from '../sandbox/start-sandbox.ts';
import { killReaders, rowsReadOn } from '../tests/support/killed-reader.ts';
import { startBenchDatabase } from './bench-database.ts';
import { numberOption } from './number-option.ts';
import { atMost, type Row } from './row.ts';

/** Rulings R8: fifty times `kill -9` during the first read; in the end every row is as after an undisturbed read. */
export async function benchLedgerKills(): Promise<Row[]> {
  const kills = numberOption('kills', 50);
  const sandbox = await startSandbox();
  const database = await startBenchDatabase();
  const other = await startBenchDatabase();
  try {
    await killReaders({ sandbox, database }, kills);
    const undisturbed = await rowsReadOn({ sandbox, database: other });
    const found = await rowsReadOn({ sandbox, database });
    const unlike = undisturbed.filter((rows, index) => !isDeepStrictEqual(rows, found[index])).length;
    const count = `${undisturbed.flat().length} rows`;
    return [
      atMost(
        `${kills} kills during the first read of the ledger: tables that differ from an undisturbed read`,
        unlike,
        0,
        '',
        count,
      ),
    ];
  } finally {
    await Promise.all([database.drop(), other.drop()]);
    await sandbox.stop();
  }
}
