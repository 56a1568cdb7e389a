import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Clock } from '../../shared/clock.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import {
  balancesByDay,
  countedDecimals,
  dayMs,
  dayOf,
  type DayBalances,
  type DayPrices,
  outsideMoneyByDay,
  valueOfDay,
} from '../core/ledger-days.ts';
import type { RecentMoves } from '../core/trend.ts';
import { createLedgerQueries } from '../ledger/ledger-queries.ts';
import { createLedgerStore, type LedgerReading, type TreasuryKey } from '../ledger/ledger-store.ts';
import { createCoinMetadataStore } from '../metadata-book.ts';
import { type CoinDay, createDayStore, type NoteOfPast } from './day-store.ts';

/** What the ledger says of every day that is over, as far as it is read. */
export interface LedgerPast {
  /** Coins only, micro-USD; null: a price is not known. Oldest first. */
  readonly days: readonly { readonly day: number; readonly microUsd: bigint | null }[];
  /** Of which no price was asked yet, oldest day first. */
  readonly unasked: readonly CoinDay[];
  /** By day, micro-USD, today too; null: where the ledger does not begin with the first transaction. */
  readonly outsideMoney: ReadonlyMap<number, bigint | null> | null;
  readonly suiPrices: ReadonlyMap<number, bigint | null>;
  readonly recent: RecentMoves | null;
  /** Of the latest movements that have one, oldest first. */
  readonly notes: readonly NoteOfPast[];
  /** null: the ledger was never read to its end. */
  readonly readAt: Date | null;
}

const nothing: LedgerPast = {
  days: [],
  unasked: [],
  outsideMoney: null,
  suiPrices: new Map(),
  recent: null,
  notes: [],
  readAt: null,
};

/** The source has a price every five minutes: what it has not got of a midnight after so long it never has. */
const settledMs = 900_000;
/** The longest change that is split. */
const recentMs = 32 * dayMs;
const nowMs = 3_600_000;

export interface LedgerPastDeps {
  readonly of: TreasuryKey;
  readonly database: Kysely<Database>;
  /** What a coin costs now, for what moved so lately that nobody was asked yet. null: not known. */
  readonly priceNow?: (coinType: string) => bigint | null;
  /** Whether NFTs of a collection are part of the treasury's total; absent: all of them may be. */
  readonly isValued?: (collectionType: string) => boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** Made again only when something that it is made of has changed. `load` throws what the database throws. */
export function createLedgerPast(deps: LedgerPastDeps) {
  const { of, database: db, priceNow = () => null, isValued = () => true, clock } = deps;
  const ledger = createLedgerStore(db, of);
  const queries = createLedgerQueries(db, of);
  const store = createDayStore(db, of);
  const metadata = createCoinMetadataStore(db, of.network);
  let made: { readonly of: string; readonly past: MadePast } | null = null;

  const make = async (reading: LedgerReading, lastDay: number): Promise<MadePast> => {
    const sums = (await ledger.sums()).filter(({ isKnown }) => isKnown);
    const coinTypes = sums.map(({ coinType }) => coinType);
    const openings = new Map(sums.map(({ coinType, openingRaw }) => [coinType, openingRaw]));
    const since = new Date(clock.now().getTime() - recentMs);
    const [coins, kept, prices, nftTransfers, traded] = await Promise.all([
      metadata.loadMetadata(coinTypes),
      store.moves(coinTypes),
      store.prices(),
      store.nftTransfersSince(since),
      queries.tradedCollections(),
    ]);
    const nowSince = new Date(clock.now().getTime() - nowMs);
    const moves = kept.map((move) =>
      move.pricePicoUsd === null && move.at > nowSince ? { ...move, pricePicoUsd: priceNow(move.coinType) } : move,
    );
    const decimalsOf = countedDecimals(new Map(coins.map((coin) => [coin.coinType, coin.metadata])), moves, prices);
    const balances = balancesByDay(openings, moves, lastDay);
    return {
      days: balances.map((each) => ({ day: each.day, microUsd: valueOfDay(each, prices, decimalsOf) })),
      unasked: unaskedOf(balances, prices),
      outsideMoney: reading.knownSinceCheckpoint === null ? outsideMoneyByDay(moves, decimalsOf) : null,
      suiPrices: prices.get(suiCoinType) ?? new Map(),
      recentMoves: { moves: moves.filter(({ at }) => at > since), decimalsOf },
      nftTransfers: nftTransfers.map((each) => ({ ...each, isTraded: traded.includes(each.collectionType) })),
    };
  };

  // What moved in a gap nobody knows: the balances after it are not known either.
  const hasEveryBalance = async ({ knownSinceCheckpoint: since, hasOpening }: LedgerReading): Promise<boolean> =>
    since === null || (hasOpening && !(await queries.hasBefore(since)));

  return {
    savePrices: store.savePrices,
    load: async (): Promise<LedgerPast> => {
      const reading = await ledger.reading();
      if (!reading.isComplete || !(await hasEveryBalance(reading)) || reading.coveredAt === null) return nothing;
      const lastDay = dayOf(new Date(reading.coveredAt.getTime() - settledMs)) - 1;
      const version = `${lastDay} ${await store.version()}`;
      if (made?.of !== version) made = { of: version, past: await make(reading, lastDay) };
      const { recentMoves, nftTransfers, ...past } = made.past;
      // Anybody can send something worthless beside a coin: that must not hide what the rest did.
      const nftTransfersAt = nftTransfers
        .filter(({ direction, isTraded, collectionType }) => direction !== 'in' || isTraded || isValued(collectionType))
        .map(({ at }) => at);
      const recent = { ...recentMoves, nftTransfersAt };
      return { ...past, recent, readAt: reading.coveredAt, notes: await store.notes() };
    },
  };
}

/** `nftTransfers`: which of them matter depends on what is valued now. */
interface MadePast extends Pick<LedgerPast, 'days' | 'unasked' | 'outsideMoney' | 'suiPrices'> {
  readonly recentMoves: Omit<RecentMoves, 'nftTransfersAt'>;
  readonly nftTransfers: readonly {
    readonly at: Date;
    readonly direction: string;
    readonly collectionType: string;
    readonly isTraded: boolean;
  }[];
}

/** SUI is asked for every day: other money is turned into it. */
const unaskedOf = (balances: readonly DayBalances[], prices: DayPrices): readonly CoinDay[] =>
  balances.flatMap(({ day, held }) =>
    [...new Set([suiCoinType, ...held.keys()])]
      .filter((coinType) => prices.get(coinType)?.has(day) !== true)
      .map((coinType) => ({ coinType, day })),
  );
