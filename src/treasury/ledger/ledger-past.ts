import type { Kysely } from 'kysely';

import { anyOf, excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/clock.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import {
  balancesByDay,
  type CoinMove,
  countedDecimals,
  type DayBalances,
  dayMs,
  dayOf,
  type DayPrices,
  outsideMoneyByDay,
  valueOfDay,
} from '../core/ledger-days.ts';
import type { PriceQuote } from '../core/reading.ts';
import type { RecentMoves } from '../core/trend.ts';
import { createCoinMetadataStore } from '../coin-metadata.ts';
import { createNotesStore } from '../notes/notes-store.ts';
import { bigintOrNull, type TreasuryKey } from '../treasury-store.ts';
import type { LedgerParts } from './ledger-parts.ts';
import { createLedgerQueries } from './ledger-queries.ts';
import { createLedgerStore, isSameTransaction } from './ledger-store.ts';

/** A coin and a day at the end of which the treasury held it. */
export interface CoinDay {
  readonly coinType: string;
  readonly day: number;
}

/** What the ledger gives for every past day, as far as it has been read. */
export interface LedgerPast {
  /** Coins only, micro-USD; null: a price is unknown. Oldest first. */
  readonly days: readonly { readonly day: number; readonly microUsd: bigint | null }[];
  /** Whose price was not requested from the source yet, oldest day first. */
  readonly unrequested: readonly CoinDay[];
  /** By day in micro-USD, including today. An amount is null: unknown. null: the ledger does not begin with the first transaction. */
  readonly outsideMoney: ReadonlyMap<number, bigint | null> | null;
  readonly suiPrices: ReadonlyMap<number, bigint | null>;
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

/** Made anew each time. `load` throws what the database throws. */
export function createLedgerPast(deps: LedgerPastDeps) {
  const { treasuryKey, database: db, isValued, countedNow, clock } = deps;
  const ledger = createLedgerStore(db, treasuryKey);
  const queries = createLedgerQueries(db, treasuryKey);
  const store = createDayStore(db, treasuryKey);
  const notes = createNotesStore(db, treasuryKey);
  const metadata = createCoinMetadataStore(db, treasuryKey.network);

  /** When NFTs came or went that may have a value: a worthless one, which anyone can send beside a coin, does not prevent the split of a change. */
  const nftTransfersSince = async (since: Date): Promise<readonly Date[]> => {
    const [transfers, traded] = await Promise.all([queries.nftTransfersSince(since), queries.tradedCollections()]);
    return transfers
      .filter(({ direction, collectionType: type }) => direction !== 'in' || traded.includes(type) || isValued(type))
      .map(({ at }) => at);
  };

  return {
    savePrices: store.savePrices,
    load: async (): Promise<LedgerPast> => {
      const { isComplete, coveredAt, knownSinceCheckpoint, hasOpening } = await ledger.progress();
      const hasGap = knownSinceCheckpoint !== null && (await queries.lastBefore(knownSinceCheckpoint)) !== null;
      const hasBeginning = knownSinceCheckpoint === null || hasGap || hasOpening;
      if (!isComplete || coveredAt === null || !hasBeginning) return nothing;
      const counted = countedNow();
      // Movements of a counted coin that the ledger does not know yet have no price: unknown, rather than left out.
      const isCounted = new Set(counted);
      const sums = (await ledger.sums()).filter(({ coinType, isKnown }) => isKnown || isCounted.has(coinType));
      const coinTypes = sums.map(({ coinType }) => coinType);
      const since = new Date(clock.now().getTime() - recentMs);
      const [coins, moves, prices, nftTransfersAt, unknownSince, latestNotes] = await Promise.all([
        metadata.loadMetadata(coinTypes),
        store.moves(coinTypes),
        store.prices(),
        nftTransfersSince(since),
        queries.stakeUnknownSince(),
        notes.latest(),
      ]);
      const suiPrices: LedgerPast['suiPrices'] = prices.get(suiCoinType) ?? new Map();
      const lastDay = dayOf(new Date(coveredAt.getTime() - settledMs)) - 1;
      // Movements in a gap are unknown, and so are the balances after it: no price is requested for those days.
      const lastKnownDay = hasGap ? Math.max(0, ...suiPrices.keys()) : lastDay;
      const unknownFrom = Math.min(lastKnownDay + 1, unknownSince === null ? Infinity : dayOf(unknownSince));
      const decimalsOf = countedDecimals(coins, moves, prices, counted);
      const openings = new Map(sums.map(({ coinType, openingRaw }) => [coinType, openingRaw]));
      const balances = balancesByDay(openings, moves, lastDay);
      const outsideMoney = outsideMoneyByDay(moves, decimalsOf);
      return {
        days: balances.map((each) => ({
          day: each.day,
          microUsd: each.day < unknownFrom ? valueOfDay(each, prices, decimalsOf) : null,
        })),
        unrequested: unrequestedOf(balances, prices).filter(({ day }) => day <= lastKnownDay),
        outsideMoney: hasOpening ? null : hasGap ? new Map(outsideMoney).set(lastKnownDay + 1, null) : outsideMoney,
        suiPrices,
        recent: hasGap ? null : { moves: moves.filter(({ at }) => at > since), decimalsOf, nftTransfersAt },
        notes: latestNotes,
        readAt: coveredAt,
      };
    },
  };
}

/** SUI is needed for every day: other money is converted into it. */
const unrequestedOf = (balances: readonly DayBalances[], prices: DayPrices): readonly CoinDay[] =>
  balances.flatMap(({ day, held }) =>
    [...new Set([suiCoinType, ...held.keys()])]
      .filter((coinType) => prices.get(coinType)?.has(day) !== true)
      .map((coinType) => ({ coinType, day })),
  );

const rowsAtOnceMax = 5_000;

/** Movements of the given coins, and the daily prices of the ledger. Throws what the database throws. */
const createDayStore = (db: Kysely<Database>, treasuryKey: TreasuryKey) => ({
  moves: (coinTypes: readonly string[]) => loadMoves(db, treasuryKey, coinTypes),
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
        new Map(days.map(({ day, pricePicoUsd }) => [day, bigintOrNull(pricePicoUsd)])),
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
    pricePicoUsd: bigintOrNull(pricePicoUsd),
  }));
}
