import { type Kysely, sql } from 'kysely';

import { anyOf, excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import type { CoinMove, DayPrices } from '../core/ledger-days.ts';
import type { PriceQuote } from '../core/reading.ts';
import type { TreasuryKey } from '../ledger/ledger-store.ts';

type Db = Kysely<Database>;

/** A coin and a day on which the treasury had some of it at the end. */
export interface CoinDay {
  readonly coinType: string;
  readonly day: number;
}

/** What the team says of a movement, and when that moved. */
export interface NoteOfPast {
  readonly at: Date;
  readonly digest: string;
  readonly text: string;
}

const rowsAtOnceMax = 5_000;
/** More marks than this cannot be told apart on a chart. */
const notesMax = 100;

/** What the ledger says of the past, and the prices of its days. Throws what the database throws. */
export const createDayStore = (db: Db, of: TreasuryKey) => ({
  /** Equal as long as nothing that the days are made of has changed. */
  version: async (): Promise<string> => {
    const { network, treasuryAddress } = of;
    const known = sql`select coin_type from ledger_coins where network = ${network}
      and treasury_address = ${treasuryAddress} and is_known`;
    const ofTreasury = sql`network = ${network} and treasury_address = ${treasuryAddress}`;
    const { rows } = await sql<{ version: string }>`select concat_ws(' ',
      (select count(*) from ledger_entries where ${ofTreasury}),
      (select count(*) from ledger_changes where ${ofTreasury} and is_priced),
      (select count(*) from ledger_day_prices where ${ofTreasury}),
      (select concat(count(*), '/', count(*) filter (where found)) from coin_metadata
        where network = ${network} and coin_type in (${known}))) as version`.execute(db);
    return rows[0]?.version ?? '';
  },
  moves: (coinTypes: readonly string[]) => loadMoves(db, of, coinTypes),
  /** When NFTs came from others or went to them, after a moment, which way and of which collection: once for each. */
  nftTransfersSince: (since: Date) => loadNftTransfers(db, of, since),
  /** Of the latest movements that have one, oldest first. */
  notes: () => loadNotes(db, of),
  prices: async (): Promise<DayPrices> => {
    const rows = await db
      .selectFrom('ledgerDayPrices')
      .where((row) => row.and({ ...of }))
      .select(['coinType', 'day', 'pricePicoUsd'])
      .execute();
    const byCoin = Map.groupBy(rows, ({ coinType }) => coinType);
    return new Map(
      [...byCoin].map(([coinType, days]) => [
        coinType,
        new Map(days.map(({ day, pricePicoUsd }) => [day, pricePicoUsd === null ? null : BigInt(pricePicoUsd)])),
      ]),
    );
  },
  /** `quote` null: the source has none. */
  savePrices: async (priced: readonly (CoinDay & { readonly quote: PriceQuote | null })[]): Promise<void> => {
    const rows = priced.map(({ coinType, day, quote }) => ({
      ...of,
      coinType,
      day,
      pricePicoUsd: quote?.pricePicoUsd ?? null,
      priceAt: quote?.asOf ?? null,
      priceSource: quote?.source ?? null,
    }));
    for (const chunk of chunksOf(rows, rowsAtOnceMax)) {
      await db
        .insertInto('ledgerDayPrices')
        .values(chunk)
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'treasuryAddress', 'coinType', 'day'])
            .doUpdateSet(excluded('pricePicoUsd', 'priceAt', 'priceSource')),
        )
        .execute();
    }
  },
});

const loadNftTransfers = (db: Db, of: TreasuryKey, since: Date) =>
  db
    .selectFrom('ledgerEntries as entry')
    .innerJoin('ledgerNfts as nft', (join) =>
      join
        .onRef('nft.network', '=', 'entry.network')
        .onRef('nft.treasuryAddress', '=', 'entry.treasuryAddress')
        .onRef('nft.digest', '=', 'entry.digest'),
    )
    .where('entry.network', '=', of.network)
    .where('entry.treasuryAddress', '=', of.treasuryAddress)
    .where('entry.isApart', '=', false)
    .where('entry.kind', 'in', ['transfer-in', 'transfer-out'])
    .where('entry.happenedAt', '>', since)
    .select(['entry.happenedAt as at', 'nft.direction', 'nft.collectionType'])
    .distinct()
    .execute();

/** Oldest first. */
async function loadMoves(db: Db, of: TreasuryKey, coinTypes: readonly string[]): Promise<readonly CoinMove[]> {
  const rows = await db
    .selectFrom('ledgerChanges as change')
    .innerJoin('ledgerEntries as entry', (join) =>
      join
        .onRef('entry.network', '=', 'change.network')
        .onRef('entry.treasuryAddress', '=', 'change.treasuryAddress')
        .onRef('entry.digest', '=', 'change.digest'),
    )
    .where('change.network', '=', of.network)
    .where('change.treasuryAddress', '=', of.treasuryAddress)
    .where('change.coinType', '=', anyOf(coinTypes, 'text'))
    .orderBy('change.checkpoint')
    .orderBy('change.position')
    .select([
      'change.happenedAt',
      'change.coinType',
      'change.raw',
      'change.pricePicoUsd',
      'entry.kind',
      'entry.gasMist',
    ])
    .execute();
  return rows.map(({ happenedAt, coinType, raw, pricePicoUsd, kind, gasMist }) => ({
    at: happenedAt,
    kind,
    coinType,
    raw: BigInt(raw),
    gasRaw: coinType === suiCoinType ? BigInt(gasMist) : 0n,
    pricePicoUsd: pricePicoUsd === null ? null : BigInt(pricePicoUsd),
  }));
}

async function loadNotes(db: Db, of: TreasuryKey): Promise<readonly NoteOfPast[]> {
  const rows = await db
    .selectFrom('treasuryLedgerNotes as note')
    .innerJoin('ledgerEntries as entry', (join) =>
      join
        .onRef('entry.network', '=', 'note.network')
        .onRef('entry.treasuryAddress', '=', 'note.treasuryAddress')
        .onRef('entry.digest', '=', 'note.digest'),
    )
    .where('note.network', '=', of.network)
    .where('note.treasuryAddress', '=', of.treasuryAddress)
    .orderBy('entry.happenedAt', 'desc')
    .limit(notesMax)
    .select(['entry.happenedAt as at', 'note.digest', 'note.text'])
    .execute();
  return rows.toReversed();
}
