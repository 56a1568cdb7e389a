import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { anyOf, excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx, waitForLock } from '../../db/transaction.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { type LedgerProof, type SumOfCoin, unexplainedText } from '../core/ledger-proof.ts';
import type { LedgerEntry } from '../core/ledger-rules.ts';
import type { TreasuryKey } from '../treasury-store.ts';
import { insertPage } from './insert-page.ts';

type Db = Kysely<Database>;
export type LedgerStore = ReturnType<typeof createLedgerStore>;

/** A kiosk that belongs to the treasury as long as it holds this cap. */
const kiosk = z.object({ kioskId: z.string(), capId: z.string() }).readonly();
export type LedgerKiosk = z.output<typeof kiosk>;

const checkpoint = z.coerce.bigint().nullable();
const progressSchema = z
  .object({
    /** Which chain: test networks restart under the same name. */
    chainId: z.string().nullable(),
    /** Everything up to and including it was read; null: nothing yet. */
    coveredCheckpoint: checkpoint,
    /** The chain's own time up to which everything was read; null: the newest checkpoint was never reached. */
    coveredAt: z.date().nullable(),
    isComplete: z.boolean(),
    /** The first one that a node still had, when the ledger began or after a gap in what nodes still have; null: the chain's first. */
    knownSinceCheckpoint: checkpoint,
    kiosks: z.array(kiosk).readonly(),
    hasLeftOutKiosks: z.boolean(),
    /** Whether the opening balances were derived from today's, because the beginning is unknown. */
    hasOpening: z.boolean(),
  })
  .readonly();
/** How far the chain was read. */
export type LedgerProgress = z.output<typeof progressSchema>;

/** Sums of one coin, base units. */
export type CoinSum = SumOfCoin & { readonly isKnown: boolean };

/** The topic under which changes of the ledger are published. */
export const ledgerTopic = ({ network, treasuryAddress }: TreasuryKey): string =>
  `ledger ${network} ${treasuryAddress}`;

/** Whether rows of two tables, given by their names in the query, are of the same transaction. */
export const isSameTransaction = (one: string, other: string) => {
  const keyOf = (table: string) =>
    sql`(${sql.ref(`${table}.network`)}, ${sql.ref(`${table}.treasuryAddress`)}, ${sql.ref(`${table}.digest`)})`;
  return sql<boolean>`${keyOf(one)} = ${keyOf(other)}`;
};

const rowsAtOnceMax = 2_000;

export const nothingRead: LedgerProgress = {
  chainId: null,
  coveredCheckpoint: null,
  coveredAt: null,
  isComplete: false,
  knownSinceCheckpoint: null,
  kiosks: [],
  hasLeftOutKiosks: false,
  hasOpening: false,
};

/** Stores what is read from the chain. Throws what the database throws. */
export const createLedgerStore = (db: Db, treasuryKey: TreasuryKey) => ({
  /** Creates the row, so that even a reading that never gets anywhere has an age. */
  begin: () =>
    db
      .insertInto('ledgerReadings')
      .values({ ...treasuryKey })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  progress: () => loadProgress(db, treasuryKey),
  sums: (): Promise<readonly CoinSum[]> =>
    db
      .selectFrom('ledgerCoins')
      .where((each) => each.and({ ...treasuryKey }))
      .orderBy('coinType')
      .select(['coinType', 'openingRaw', 'inRaw', 'outRaw', 'isKnown'])
      .execute(),
  /** Saves entries, their sums and the progress, all or nothing. An entry that already exists stays unchanged. */
  savePage: (entries: readonly LedgerEntry[], knownCoins: ReadonlySet<string>, progress: LedgerProgress) =>
    transact(db, async (trx) => {
      // One page at a time, even if two copies read the same one.
      await waitForLock(trx, `ledger ${treasuryKey.network} ${treasuryKey.treasuryAddress}`);
      await insertPage(trx, treasuryKey, entries, knownCoins);
      await saveProgress(trx, treasuryKey, progress);
    }),
  /** From now on these coins are known, and what strangers sent of them before are movements. Returns whether one of them was not known. */
  addKnownCoins: (coinTypes: readonly string[]) => transact(db, (trx) => addKnownCoins(trx, treasuryKey, coinTypes)),
  /** Balances at the beginning of the ledger, if that is not the beginning of the chain. */
  saveOpenings: (openings: ReadonlyMap<string, bigint>, knownCoins: ReadonlySet<string>) =>
    transact(db, (trx) => insertOpenings(trx, treasuryKey, openings, knownCoins)),
  /** Saves what the last comparison with the chain left unexplained: the owner's alarm is the same in every copy and after a restart. */
  saveUnexplained: async (proof: LedgerProof, formatOf: Parameters<typeof unexplainedText>[1]): Promise<void> => {
    const unexplainedCoins = proof.coins.filter(({ unexplainedRaw }) => unexplainedRaw !== 0n).length;
    const query = db.updateTable('ledgerReadings').where((row) => row.and({ ...treasuryKey }));
    await query.set({ unexplainedCoins, unexplainedText: unexplainedText(proof, formatOf) }).execute();
  },
  /** '+12.5 SUI'; null: nothing in the last comparison. */
  unexplained: async (): Promise<string | null> => {
    const query = db.selectFrom('ledgerReadings').where((row) => row.and({ ...treasuryKey }));
    return (await query.select('unexplainedText').executeTakeFirst())?.unexplainedText ?? null;
  },
  /** Needed after many inserts: otherwise PostgreSQL plans as for an empty table, and a page takes seconds. */
  refreshStatistics: () => sql`analyze ledger_entries, ledger_changes, ledger_nfts`.execute(db),
  /** Deletes everything, because it is from another chain. */
  forget: () =>
    transact(db, async (trx) => {
      for (const table of ledgerTables) {
        await trx
          .deleteFrom(table)
          .where('network', '=', treasuryKey.network)
          .where('treasuryAddress', '=', treasuryKey.treasuryAddress)
          .execute();
      }
    }),
});

const ledgerTables = [
  'ledgerEntries',
  'ledgerChanges',
  'ledgerNfts',
  'ledgerRecipients',
  'ledgerCoins',
  'ledgerDayPrices',
  'ledgerReadings',
  'treasuryStatements',
] as const;

async function loadProgress(db: Db, treasuryKey: TreasuryKey): Promise<LedgerProgress> {
  const row = await db
    .selectFrom('ledgerReadings')
    .where((each) => each.and({ ...treasuryKey }))
    .selectAll()
    .executeTakeFirst();
  return row === undefined ? nothingRead : progressSchema.parse(row);
}

async function addKnownCoins(trx: Trx, treasuryKey: TreasuryKey, coinTypes: readonly string[]): Promise<boolean> {
  const added = await trx
    .updateTable('ledgerCoins')
    .where((row) => row.and({ ...treasuryKey, isKnown: false }))
    .where('coinType', '=', anyOf(coinTypes, 'text'))
    .set({ isKnown: true })
    .returning('coinType')
    .execute();
  if (added.length === 0) return false;
  const addedTypes = added.map(({ coinType }) => coinType);
  const moved = trx
    .selectFrom('ledgerChanges')
    .where((row) => row.and({ ...treasuryKey }))
    .where('coinType', '=', anyOf(addedTypes, 'text'))
    .select('digest');
  await trx
    .updateTable('ledgerEntries')
    .where((row) => row.and({ ...treasuryKey, isApart: true }))
    .where('digest', 'in', moved)
    .set({ isApart: false, kind: 'transfer-in' })
    .execute();
  return true;
}

async function insertOpenings(
  trx: Trx,
  treasuryKey: TreasuryKey,
  openings: ReadonlyMap<string, bigint>,
  knownCoins: ReadonlySet<string>,
): Promise<void> {
  const rows = [...openings].map(([coinType, raw]) => ({
    ...treasuryKey,
    coinType,
    openingRaw: raw,
    inRaw: 0n,
    outRaw: 0n,
    isKnown: knownCoins.has(coinType),
  }));
  for (const chunk of chunksOf(rows, rowsAtOnceMax)) {
    await trx
      .insertInto('ledgerCoins')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['network', 'treasuryAddress', 'coinType']).doUpdateSet(excluded('openingRaw')),
      )
      .execute();
  }
  await trx
    .updateTable('ledgerReadings')
    .where((each) => each.and({ ...treasuryKey }))
    .set({ hasOpening: true })
    .execute();
}

async function saveProgress(
  trx: Trx,
  treasuryKey: TreasuryKey,
  { kiosks, ...progress }: LedgerProgress,
): Promise<void> {
  const values = { ...progress, kiosks: JSON.stringify(kiosks), readAt: sql<Date>`now()` };
  const columns = Object.keys(values) as (keyof typeof values)[];
  await trx
    .insertInto('ledgerReadings')
    .values({ ...treasuryKey, ...values })
    .onConflict((conflict) => conflict.columns(['network', 'treasuryAddress']).doUpdateSet(excluded(...columns)))
    .execute();
}
