import type { Kysely } from 'kysely';

import { anyOf, excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/clock.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import {
  type CoinDay,
  type CoinMove,
  dayMs,
  dayOf,
  type DayPrices,
  type PastDays,
  pastDays,
} from '../core/ledger-days.ts';
import { withoutDeadCoins } from '../core/price-at.ts';
import type { PriceQuote } from '../core/reading.ts';
import type { RecentMoves } from '../core/trend.ts';
import { createCoinMetadataStore } from '../coin-metadata.ts';
import { createNotesStore } from '../notes/notes-store.ts';
import type { TreasuryKey } from '../treasury-store.ts';
import type { LedgerParts } from './ledger-parts.ts';
import { createLedgerQueries } from './ledger-queries.ts';
import { createLedgerStore, isSameTransaction } from './ledger-store.ts';

/** What the ledger gives for every past day, as far as it has been read. */
export interface LedgerPast extends Omit<PastDays, 'outsideMoney' | 'decimalsOf'> {
  /** null: the ledger does not begin with the first transaction. */
  readonly outsideMoney: PastDays['outsideMoney'] | null;
  readonly recent: RecentMoves | null;
  /** On the latest movements that have one, oldest first. */
  readonly notes: readonly { readonly at: Date; readonly digest: string; readonly text: string }[];
  /** null: the ledger was never read to its end. */
  readonly readAt: Date | null;
}

const nothing: LedgerPast = {
  days: [],
  unrequested: [],
  outsideMoney: null,
  suiPrices: new Map(),
  recent: null,
  notes: [],
  readAt: null,
};

/** The source has a price every five minutes: if it has none for a midnight after this long, it never will. */
const settledMs = 900_000;
/** Covers the longest change that is split. */
const recentMs = 32 * dayMs;

interface LedgerPastDeps extends Pick<LedgerParts, 'treasuryKey' | 'database'> {
  /** Whether NFTs of a collection may be part of the treasury's total. */
  readonly isValued: (collectionType: string) => boolean;
  /** Coins that are part of the total now. */
  readonly countedNow: () => readonly string[];
  readonly clock: Pick<Clock, 'now'>;
}

interface Kept extends PastDays {
  /** All that these days were calculated from. */
  readonly inputs: string;
  readonly moves: RecentMoves['moves'];
}

/** `load` throws what the database throws. */
export function createLedgerPast(deps: LedgerPastDeps) {
  const { treasuryKey, database: db, isValued, countedNow, clock } = deps;
  const ledger = createLedgerStore(db, treasuryKey);
  const queries = createLedgerQueries(db, treasuryKey);
  const store = createDayStore(db, treasuryKey);
  const notes = createNotesStore(db, treasuryKey);
  const metadata = createCoinMetadataStore(db, treasuryKey.network);
  // Twenty thousand movements would take this thread a third of a second for each snapshot.
  let kept: Kept | null = null;

  /** When NFTs came or went that may have a value: a worthless one, which anyone can send beside a coin, does not prevent the split of a change. */
  const nftTransfersSince = async (since: Date): Promise<readonly Date[]> => {
    const [transfers, traded] = await Promise.all([queries.nftTransfersSince(since), queries.tradedCollections()]);
    return transfers
      .filter(({ direction, collectionType: type }) => direction !== 'in' || traded.includes(type) || isValued(type))
      .map(({ at }) => at);
  };

  const daysUntil = async (lastDay: number, hasGap: boolean): Promise<Kept> => {
    const counted = countedNow();
    // Movements of a counted coin that the ledger does not know yet have no price: unknown, rather than left out.
    const isCounted = new Set(counted);
    const sums = (await ledger.sums()).filter(({ coinType, isKnown }) => isKnown || isCounted.has(coinType));
    const coinTypes = sums.map(({ coinType }) => coinType);
    const [coins, pricedCounts, unknownSince] = await Promise.all([
      metadata.loadMetadata(coinTypes),
      store.pricedCounts(),
      queries.stakeUnknownSince(),
    ]);
    const found = [...coins].map(([coinType, { metadata: coin }]) => [coinType, coin?.decimals, coin?.symbol]);
    const inputs = textOf([lastDay, hasGap, counted, sums, found, pricedCounts, unknownSince]);
    if (kept?.inputs === inputs) return kept;
    const [allMoves, allPrices] = await Promise.all([store.moves(coinTypes), store.prices()]);
    const { moves, prices } = withoutDeadCoins({ moves: allMoves, prices: allPrices }, counted, sums);
    const since = new Date(clock.now().getTime() - recentMs);
    kept = {
      inputs,
      ...pastDays({ lastDay, hasGap, counted, sums, coins, moves, prices, unknownSince }),
      moves: moves.filter(({ at }) => at > since),
    };
    return kept;
  };

  return {
    savePrices: store.savePrices,
    load: async (): Promise<LedgerPast> => {
      const { isComplete, coveredAt, knownSinceCheckpoint, hasOpening } = await ledger.progress();
      const hasGap = knownSinceCheckpoint !== null && (await queries.lastBefore(knownSinceCheckpoint)) !== null;
      const hasBeginning = knownSinceCheckpoint === null || hasGap || hasOpening;
      if (!isComplete || coveredAt === null || !hasBeginning) return nothing;
      const lastDay = dayOf(new Date(coveredAt.getTime() - settledMs)) - 1;
      const [{ moves, decimalsOf, inputs: _inputs, ...past }, nftTransfersAt, latestNotes] = await Promise.all([
        daysUntil(lastDay, hasGap),
        nftTransfersSince(new Date(clock.now().getTime() - recentMs)),
        notes.latest(),
      ]);
      return {
        ...past,
        outsideMoney: hasOpening ? null : past.outsideMoney,
        recent: hasGap ? null : { moves, decimalsOf, nftTransfersAt },
        notes: latestNotes,
        readAt: coveredAt,
      };
    },
  };
}

const textOf = (values: readonly unknown[]): string =>
  JSON.stringify(values, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const rowsAtOnceMax = 5_000;

/** Movements of the given coins, and the daily prices of the ledger. Throws what the database throws. */
const createDayStore = (db: Kysely<Database>, treasuryKey: TreasuryKey) => ({
  moves: (coinTypes: readonly string[]) => loadMoves(db, treasuryKey, coinTypes),
  /** How many movements and days have been priced. A price that is stored never changes. */
  pricedCounts: async () => {
    const count = (table: 'ledgerChanges' | 'ledgerDayPrices') =>
      db
        .selectFrom(table)
        .where((row) => row.and({ ...treasuryKey }))
        .select(({ fn }) => fn.countAll<string>().as('count'));
    const [moves, days] = await Promise.all([
      count('ledgerChanges').where('isPriced', '=', true).executeTakeFirstOrThrow(),
      count('ledgerDayPrices').executeTakeFirstOrThrow(),
    ]);
    return [moves.count, days.count];
  },
  prices: async (): Promise<DayPrices> => {
    const rows = await db
      .selectFrom('ledgerDayPrices')
      .where((row) => row.and({ ...treasuryKey }))
      .select(['coinType', 'day', 'pricePicoUsd'])
      .execute();
    const byCoin = Map.groupBy(rows, ({ coinType }) => coinType);
    return new Map(
      [...byCoin].map(([coinType, days]) => [
        coinType,
        new Map(days.map(({ day, pricePicoUsd }) => [day, pricePicoUsd])),
      ]),
    );
  },
  /** `quote` null: the source has none. */
  savePrices: async (priced: readonly (CoinDay & { readonly quote: PriceQuote | null })[]): Promise<void> => {
    const rows = priced.map(({ coinType, day, quote }) => ({
      ...treasuryKey,
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

/** Oldest first. */
async function loadMoves(
  db: Kysely<Database>,
  treasuryKey: TreasuryKey,
  coinTypes: readonly string[],
): Promise<readonly CoinMove[]> {
  const rows = await db
    .selectFrom('ledgerChanges as change')
    .innerJoin('ledgerEntries as entry', (join) => join.on(isSameTransaction('entry', 'change')))
    .where('change.network', '=', treasuryKey.network)
    .where('change.treasuryAddress', '=', treasuryKey.treasuryAddress)
    .where('change.coinType', '=', anyOf(coinTypes, 'text'))
    .orderBy('change.checkpoint')
    .orderBy('change.position')
    .select([
      'change.happenedAt as at',
      'change.coinType',
      'change.raw',
      'change.pricePicoUsd',
      'entry.kind',
      'entry.gasMist',
    ])
    .execute();
  return rows.map(({ gasMist, ...row }) => ({
    ...row,
    gasRaw: row.coinType === suiCoinType ? BigInt(gasMist) : 0n,
  }));
}
