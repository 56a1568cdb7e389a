import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';

import type { HistoryTotals, TreasuryStore } from '../ports.ts';
import type { TreasuryTables } from './tables.ts';

interface TreasuryKey {
  readonly network: string;
  readonly treasury_address: string;
}

const hourMs = 3_600_000;
const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

const bigintOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Rulings R3: one point an hour; a later value of the same hour replaces it, an older one never does. */
const savePoint = async (
  db: Transaction<TreasuryTables>,
  key: TreasuryKey,
  at: Date,
  totals: HistoryTotals,
): Promise<void> => {
  await db
    .insertInto('treasury_history')
    .values({
      ...key,
      hour: hourOf(at),
      at,
      total_micro_usd: totals.totalMicroUsd.toString(),
      token_micro_usd: totals.tokenMicroUsd?.toString() ?? null,
      nft_micro_usd: totals.nftMicroUsd?.toString() ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'treasury_address', 'hour'])
        .doUpdateSet((row) => ({
          at: row.ref('excluded.at'),
          total_micro_usd: row.ref('excluded.total_micro_usd'),
          token_micro_usd: row.ref('excluded.token_micro_usd'),
          nft_micro_usd: row.ref('excluded.nft_micro_usd'),
        }))
        .whereRef('excluded.at', '>=', 'treasury_history.at'),
    )
    .execute();
};

const saveLastGood = async (
  db: Transaction<TreasuryTables>,
  key: TreasuryKey,
  reading: unknown,
  readAt: Date,
): Promise<bigint | null> => {
  const saved = await db
    .insertInto('treasury_last_good')
    .values({ ...key, reading: JSON.stringify(reading), read_at: readAt, attempted_at: readAt, version: '1' })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'treasury_address'])
        .doUpdateSet((row) => ({
          reading: row.ref('excluded.reading'),
          read_at: row.ref('excluded.read_at'),
          version: sql<string>`treasury_last_good.version + 1`,
        }))
        // A copy that was paused in the middle of a refresh must not overwrite what another one read since.
        .where((row) =>
          row.or([
            row('treasury_last_good.read_at', 'is', null),
            row('treasury_last_good.read_at', '<=', row.ref('excluded.read_at')),
          ]),
        ),
    )
    .returning('version')
    .executeTakeFirst();
  return saved === undefined ? null : BigInt(saved.version);
};

/** The port on PostgreSQL, for one treasury. */
export function createTreasuryStore(
  db: Kysely<TreasuryTables>,
  treasury: { readonly network: string; readonly treasuryAddress: string },
): TreasuryStore {
  const key: TreasuryKey = { network: treasury.network, treasury_address: treasury.treasuryAddress };
  const row = () =>
    db
      .selectFrom('treasury_last_good')
      .where('network', '=', key.network)
      .where('treasury_address', '=', key.treasury_address);

  return {
    loadReading: async () => {
      const found = await row().select(['reading', 'version']).executeTakeFirst();
      if (found === undefined || found.reading === null) return null;
      return { reading: found.reading, version: BigInt(found.version) };
    },
    readStatus: async () => {
      const found = await row().select(['version', 'attempted_at', 'read_at']).executeTakeFirst();
      return {
        version: found === undefined || found.read_at === null ? null : BigInt(found.version),
        attemptedAt: found?.attempted_at ?? null,
      };
    },
    noteAttempt: async (at) => {
      await db
        .insertInto('treasury_last_good')
        .values({ ...key, attempted_at: at, reading: null, read_at: null })
        .onConflict((conflict) => conflict.columns(['network', 'treasury_address']).doUpdateSet({ attempted_at: at }))
        .execute();
    },
    saveReading: (reading, readAt, totals) =>
      db.transaction().execute(async (transaction) => {
        const version = await saveLastGood(transaction, key, reading, readAt);
        if (version !== null && totals !== null) await savePoint(transaction, key, readAt, totals);
        return version;
      }),
    readHistory: async (since) => {
      const points = await db
        .selectFrom('treasury_history')
        .where('network', '=', key.network)
        .where('treasury_address', '=', key.treasury_address)
        .where('at', '>=', since)
        .orderBy('hour')
        .select(['at', 'total_micro_usd', 'token_micro_usd', 'nft_micro_usd'])
        .execute();
      return points.map((point) => ({
        at: point.at,
        totalMicroUsd: BigInt(point.total_micro_usd),
        tokenMicroUsd: bigintOrNull(point.token_micro_usd),
        nftMicroUsd: bigintOrNull(point.nft_micro_usd),
      }));
    },
  };
}
