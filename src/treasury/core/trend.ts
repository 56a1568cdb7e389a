import { percentOf } from '../../shared/money.ts';
import type { LedgerKind } from './ledger-words.ts';
import { type CoinMove, type CountedDecimals, dayOf, endOf, sumIfAllKnown, valueOfMove } from './ledger-days.ts';

/** What the treasury was worth at a moment, in micro-USD. */
export interface KnownValue {
  readonly at: Date;
  readonly totalMicroUsd: bigint;
  readonly tokenMicroUsd: bigint | null;
  /** null: coins only, from the ledger at the end of a day, or read before the marketplace ever answered. */
  readonly nftMicroUsd: bigint | null;
}

interface DayValue {
  readonly day: number;
  readonly microUsd: bigint | null;
}

/** Readings, and values from the ledger for the days without one. Both arguments and the result are oldest first. */
export function knownValues(readings: readonly KnownValue[], days: readonly DayValue[]): readonly KnownValue[] {
  const read = new Set(readings.map(({ at }) => dayOf(at)));
  const estimated = days.flatMap(({ day, microUsd }): KnownValue[] => {
    if (microUsd === null || read.has(day)) return [];
    const at = new Date(endOf(day).getTime() - 1);
    return [{ at, totalMicroUsd: microUsd, tokenMicroUsd: microUsd, nftMicroUsd: null }];
  });
  return [...readings, ...estimated].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** The last value by day, oldest first. */
export const lastOfEachDay = (values: readonly KnownValue[]): ReadonlyMap<number, KnownValue> =>
  new Map(values.map((value) => [dayOf(value.at), value]));

/** Recent movements, for the split of a change. */
export interface RecentMoves {
  readonly moves: readonly CoinMove[];
  readonly decimalsOf: CountedDecimals;
  /** When NFTs that may have a value came from others or went to them; their value at that time is unknown. */
  readonly nftTransfersAt: readonly Date[];
}

/** Micro-USD; null: unknown. `movedMicroUsd` + `restMicroUsd` = `changeMicroUsd`. */
export interface Change {
  /** The earlier value's own time. */
  readonly from: Date | null;
  readonly changeMicroUsd: bigint | null;
  readonly percent: number | null;
  /** What came in minus what went out, at the prices of the time. */
  readonly movedMicroUsd: bigint | null;
  readonly restMicroUsd: bigint | null;
  /** One of the two values covers coins only, so only the coins of both are compared. */
  readonly isCoinsOnly: boolean;
}

const unknown: Change = {
  from: null,
  changeMicroUsd: null,
  percent: null,
  movedMicroUsd: null,
  restMicroUsd: null,
  isCoinsOnly: false,
};

const hourMs = 3_600_000;
/** There is at least one value a day. */
const nearMs = 12 * hourMs;

/** The change up to the last value, from the one nearest to `hours` before it. `recent` null: the ledger has not been read that far. */
export function changeOver(hours: number, values: readonly KnownValue[], recent: RecentMoves | null): Change {
  const last = values.at(-1);
  if (last === undefined) return unknown;
  const wantedMs = last.at.getTime() - hours * hourMs;
  const distanceMs = ({ at }: KnownValue): number => Math.abs(at.getTime() - wantedMs);
  const first = values.reduce((best, each) => (distanceMs(each) < distanceMs(best) ? each : best));
  if (distanceMs(first) > nearMs || first === last) return unknown;
  const isCoinsOnly = first.nftMicroUsd === null || last.nftMicroUsd === null;
  const before = isCoinsOnly ? first.tokenMicroUsd : first.totalMicroUsd;
  const after = isCoinsOnly ? last.tokenMicroUsd : last.totalMicroUsd;
  if (before === null || after === null) return unknown;
  const changeMicroUsd = after - before;
  const movedMicroUsd = recent === null ? null : movedBetween(recent, { from: first.at, to: last.at, isCoinsOnly });
  return {
    from: first.at,
    changeMicroUsd,
    percent: percentOf(changeMicroUsd, before),
    movedMicroUsd,
    restMicroUsd: movedMicroUsd === null ? null : changeMicroUsd - movedMicroUsd,
    isCoinsOnly,
  };
}

/** Kinds that move nothing into or out of what is counted; what they gain or lose belongs to the rest. */
const withinCoins: ReadonlySet<LedgerKind> = new Set(['swap', 'fee', 'staking']);
const withinTotal: ReadonlySet<LedgerKind> = new Set([...withinCoins, 'nft-purchase', 'nft-sale']);

interface Span {
  readonly from: Date;
  readonly to: Date;
  readonly isCoinsOnly: boolean;
}

/** null: unknown. */
function movedBetween({ moves, decimalsOf, nftTransfersAt }: RecentMoves, { from, to, isCoinsOnly }: Span) {
  const isIn = (at: Date): boolean => at > from && at <= to;
  if (!isCoinsOnly && nftTransfersAt.some(isIn)) return null;
  const within = isCoinsOnly ? withinCoins : withinTotal;
  const crossing = moves.filter(({ at, kind }) => isIn(at) && !within.has(kind));
  return sumIfAllKnown(crossing.map((move) => valueOfMove(move, decimalsOf)));
}
