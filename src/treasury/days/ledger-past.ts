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
  readonly clock: Pick<Clock, 'now'>;
}

/** Made again only when something that it is made of has changed. `load` throws what the database throws. */
export function createLedgerPast({ of, database: db, priceNow = () => null, clock }: LedgerPastDeps) {
  const ledger = createLedgerStore(db, of);
  const store = createDayStore(db, of);
  const metadata = createCoinMetadataStore(db, of.network);
  let made: { readonly of: string; readonly past: Omit<LedgerPast, 'notes'> } | null = null;

  const make = async (reading: LedgerReading, lastDay: number): Promise<Omit<LedgerPast, 'notes'>> => {
    const sums = (await ledger.sums()).filter(({ isKnown }) => isKnown);
    const coinTypes = sums.map(({ coinType }) => coinType);
    const openings = new Map(sums.map(({ coinType, openingRaw }) => [coinType, openingRaw]));
    const since = new Date(clock.now().getTime() - recentMs);
    const [coins, kept, prices, nftTransfersAt] = await Promise.all([
      metadata.loadMetadata(coinTypes),
      store.moves(coinTypes),
      store.prices(),
      store.nftTransfersSince(since),
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
      recent: { moves: moves.filter(({ at }) => at > since), decimalsOf, nftTransfersAt },
      readAt: reading.coveredAt,
    };
  };

  return {
    savePrices: store.savePrices,
    load: async (): Promise<LedgerPast> => {
      const reading = await ledger.reading();
      const isKnown = reading.isComplete && (reading.knownSinceCheckpoint === null || reading.hasOpening);
      if (!isKnown || reading.coveredAt === null) return nothing;
      const lastDay = dayOf(new Date(reading.coveredAt.getTime() - settledMs)) - 1;
      const version = `${lastDay} ${await store.version()}`;
      if (made?.of !== version) made = { of: version, past: await make(reading, lastDay) };
      return { ...made.past, readAt: reading.coveredAt, notes: await store.notes() };
    },
  };
}

/** SUI is asked for every day: other money is turned into it. */
const unaskedOf = (balances: readonly DayBalances[], prices: DayPrices): readonly CoinDay[] =>
  balances.flatMap(({ day, held }) =>
    [...new Set([suiCoinType, ...held.keys()])]
      .filter((coinType) => prices.get(coinType)?.has(day) !== true)
      .map((coinType) => ({ coinType, day })),
  );
