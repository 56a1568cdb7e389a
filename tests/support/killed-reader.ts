import { fileURLToPath } from 'node:url';

import type { Pool } from 'pg';

import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { startChild } from './child.ts';
import type { DoomedReader } from './ledger-copy-process.ts';
import { openLedger } from './open-ledger.ts';

const script = fileURLToPath(new URL('ledger-copy-process.ts', import.meta.url));

interface Ground {
  readonly sandbox: Sandbox;
  readonly database: { readonly url: string; readonly pool: Pool };
}

/** `kills` copies read the ledger one after the other; each is killed at its first, second or third page, at a varying moment of its handling. */
export async function killReaders({ sandbox, database }: Ground, kills: number): Promise<void> {
  const { urls, facts } = sandbox;
  for (let kill = 0; kill < kills; kill += 1) {
    const when = { pages: 1 + (kill % 3), thenMs: (kill * 7) % 30 };
    const doomed: DoomedReader = { urls, facts, databaseUrl: database.url, ...when };
    const copy = startChild(script, [JSON.stringify(doomed)], {});
    const code = await copy.exited;
    if (code !== null) throw new Error(`Copy ${kill + 1} ended by itself with ${code}:\n${copy.output()}`);
  }
}

const tables = {
  ledger_entries: 'digest',
  ledger_changes: 'digest, coin_type',
  ledger_nfts: 'digest, object_id',
  ledger_recipients: 'digest, coin_type, address',
  ledger_coins: 'coin_type',
} as const;

/** Reads the ledger to its end, and returns every row of it. */
export async function rowsReadOn({ sandbox, database: { pool } }: Ground): Promise<readonly (readonly unknown[])[]> {
  const { ledger, readBalances, runOut } = await openLedger({ urls: sandbox.urls, facts: sandbox.facts, pool });
  await readBalances();
  await runOut('treasury-ledger');
  await ledger.stop();
  const all = Object.entries(tables).map(([table, key]) => pool.query(`select * from ${table} order by ${key}`));
  return (await Promise.all(all)).map(({ rows }) => rows as unknown[]);
}
