import type { Kysely } from 'kysely';

import { databaseNow, excluded } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { transact, type Trx } from '../db/transaction.ts';
import type { Figure } from '../db/figures.ts';
import type { KnownValue } from './core/trend.ts';

type Db = Kysely<Database>;
export type TreasuryStore = ReturnType<typeof createTreasuryStore>;

/** Which treasury a stored row belongs to. */
export interface TreasuryKey {
  readonly network: string;
  readonly treasuryAddress: string;
}

/** Stored as an hourly point. */
type HistoryTotals = Omit<KnownValue, 'at'>;

/** The last good reading of one treasury and its history, shared by all copies of the product. Throws what the database throws. */
export function createTreasuryStore(db: Db, { network, treasuryAddress }: TreasuryKey) {
  const key = { network, treasuryAddress };
  return {
    /**
     * A JSON value in the format of core/reading.ts. `version` grows with every save; undefined: no reading, or only
     * that of `seenVersion`.
     */
    loadReading: (seenVersion: string | null) =>
      db
        .selectFrom('treasuryLastGood')
        .where((row) => row.and(key))
        .where('version', 'is distinct from', seenVersion)
        .select(['version', 'reading'])
        .executeTakeFirst(),
    /**
     * Saves the reading and, when totals are known, the point of this hour: both or none. Returns the new version;
     * null, without saving, if a newer reading is already stored.
     */
    saveReading: (reading: unknown, readAt: Date, totals: HistoryTotals | null) =>
      transact(db, async (trx) => {
        const version = await saveLastGood(trx, key, reading, readAt);
        if (version !== null && totals !== null) await savePoint(trx, key, readAt, totals);
        return version;
      }),
    /** Oldest first. */
    readHistory: (): Promise<readonly KnownValue[]> =>
      db
        .selectFrom('treasuryHistory')
        .where('network', '=', network)
        .where('treasuryAddress', '=', treasuryAddress)
        .where('at', '<=', databaseNow)
        .orderBy('hour')
        .select(['at', 'totalMicroUsd', 'tokenMicroUsd', 'nftMicroUsd'])
        .execute(),
  };
}

/**
 * A copy that was paused during a refresh must not overwrite a newer reading by another copy. A reading dated in the
 * future came from a wrong clock and would block newer ones until that time.
 */
async function saveLastGood(trx: Trx, key: TreasuryKey, reading: unknown, readAt: Date): Promise<string | null> {
  const saved = await trx
    .insertInto('treasuryLastGood')
    .values({ ...key, reading: JSON.stringify(reading), readAt, version: '1' })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'treasuryAddress'])
        .doUpdateSet((row) => ({
          ...excluded('reading', 'readAt'),
          version: row('treasuryLastGood.version', '+', '1'),
        }))
        .where((row) =>
          row.or([
            row('treasuryLastGood.readAt', '<=', row.ref('excluded.readAt')),
            row('treasuryLastGood.readAt', '>', databaseNow),
          ]),
        ),
    )
    .returning('version')
    .executeTakeFirst();
  return saved?.version ?? null;
}

const hourMs = 3_600_000;

/** Rulings R3: one point an hour; a later value of the same hour replaces it. */
async function savePoint(trx: Trx, key: TreasuryKey, at: Date, totals: HistoryTotals): Promise<void> {
  const { totalMicroUsd, tokenMicroUsd, nftMicroUsd } = totals;
  const hour = new Date(Math.floor(at.getTime() / hourMs) * hourMs);
  await trx
    .insertInto('treasuryHistory')
    .values({ ...key, hour, at, totalMicroUsd, tokenMicroUsd, nftMicroUsd })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'treasuryAddress', 'hour'])
        .doUpdateSet(excluded('at', 'totalMicroUsd', 'tokenMicroUsd', 'nftMicroUsd')),
    )
    .execute();
}

/** Metrics for the operator beyond this copy's snapshot. Times are by the database's clock. */
export const treasuryFigures: readonly Figure[] = [
  {
    name: 'treasury_history_age_seconds',
    help: 'Time since the value of the treasury was last saved',
    sql: `select extract(epoch from clock_timestamp() - at) from treasury_history
      where hour <= clock_timestamp() order by hour desc limit 1`,
  },
  {
    name: 'treasury_ledger_age_seconds',
    help: 'How far behind the ledger is; during the first read, time since its last progress',
    sql: `select extract(epoch from clock_timestamp() - case when is_complete then covered_at else read_at end)
      from ledger_readings order by read_at desc limit 1`,
  },
  {
    name: 'treasury_ledger_unexplained_coins',
    help: 'Coins whose ledger sum differs from the balance on chain',
    sql: 'select unexplained_coins from ledger_readings order by covered_at desc nulls last limit 1',
  },
];
