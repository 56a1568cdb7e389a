import { mistDecimals, rawForMicroUsd, valueMicroUsd } from '../../shared/money.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import type { LedgerKind } from './ledger-words.ts';
import type { CoinMetadata } from './reading.ts';
import { isImpersonator } from './known-coins.ts';

/** Rulings R8: what the treasury was worth at the end of each day, from its ledger. A day is the number of days since 1970 (UTC). */

export const dayMs = 86_400_000;
export const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs);
/** The midnight that ends a day. */
export const endOf = (day: number): Date => new Date((day + 1) * dayMs);

/** One coin of one transaction. */
export interface CoinMove {
  readonly at: Date;
  readonly kind: LedgerKind;
  readonly coinType: string;
  /** Change of the treasury's balance in base units, gas included. */
  readonly raw: bigint;
  /** The part of `raw` that was gas. */
  readonly gasRaw: bigint;
  /** At that time; null: unknown. */
  readonly pricePicoUsd: bigint | null;
}

/** By coin, then by day. null: the source has none; absent: not requested yet. */
export type DayPrices = ReadonlyMap<string, ReadonlyMap<number, bigint | null>>;

/** Decimals by coin. null: never counted; absent: metadata not read yet. */
export type CountedDecimals = ReadonlyMap<string, number | null>;

/**
 * Rulings R3 for the past: a coin is not counted without metadata, as an impersonator, or if no source ever had a price. `countedNow`:
 * coins in the total now, some of them priced by a source without past prices.
 */
export function countedDecimals(
  coins: ReadonlyMap<string, { readonly metadata: CoinMetadata | null }>,
  moves: readonly CoinMove[],
  prices: DayPrices,
  countedNow: readonly string[],
): CountedDecimals {
  const priced = new Set(countedNow);
  for (const { coinType, pricePicoUsd } of moves) if (pricePicoUsd !== null) priced.add(coinType);
  const isNeverPriced = (coinType: string): boolean => {
    const requested = prices.get(coinType);
    return !priced.has(coinType) && requested !== undefined && [...requested.values()].every((price) => price === null);
  };
  return new Map(
    [...coins].map(([coinType, { metadata: coin }]) => {
      const isUncounted = coin === null || isImpersonator(coinType, coin.symbol);
      return [coinType, isUncounted || isNeverPriced(coinType) ? null : coin.decimals];
    }),
  );
}

/** Balances of the treasury at the end of a day in base units, above zero only; staked SUI counts as SUI. */
interface DayBalances {
  readonly day: number;
  readonly held: ReadonlyMap<string, bigint>;
}

/** From the day of the first move up to `lastDay`. `moves`: oldest first. */
export function balancesByDay(
  openings: ReadonlyMap<string, bigint>,
  moves: readonly CoinMove[],
  lastDay: number,
): readonly DayBalances[] {
  const [first] = moves;
  if (first === undefined) return [];
  const movesOfDay = Map.groupBy(moves, ({ at }) => dayOf(at));
  const held = new Map(openings);
  let stakedMist = 0n;
  const days: DayBalances[] = [];
  for (let day = dayOf(first.at); day <= lastDay; day += 1) {
    for (const move of movesOfDay.get(day) ?? []) {
      held.set(move.coinType, (held.get(move.coinType) ?? 0n) + move.raw);
      stakedMist = stakedAfter(stakedMist, move);
    }
    const owned = new Map(held).set(suiCoinType, (held.get(suiCoinType) ?? 0n) + stakedMist);
    days.push({ day, held: new Map([...owned].filter(([, raw]) => raw > 0n)) });
  }
  return days;
}

/** More can come back than was staked: the reward. */
function stakedAfter(stakedMist: bigint, { kind, coinType, raw, gasRaw }: CoinMove): bigint {
  if (kind !== 'staking' || coinType !== suiCoinType) return stakedMist;
  const left = stakedMist - raw - gasRaw;
  return left > 0n ? left : 0n;
}

/** Coins only, at the prices at the end of the day. null: a price or the metadata of a coin is unknown. */
export function valueOfDay({ day, held }: DayBalances, prices: DayPrices, decimalsOf: CountedDecimals): bigint | null {
  let sum = 0n;
  for (const [coinType, raw] of held) {
    const decimals = decimalsOf.get(coinType);
    if (decimals === null) continue;
    const price = prices.get(coinType)?.get(day) ?? null;
    if (decimals === undefined || price === null) return null;
    sum += valueMicroUsd(raw, decimals, price);
  }
  return sum;
}

/** At the price of its time, without gas; negative: it went out. null: unknown. */
export function valueOfMove(
  { coinType, raw, gasRaw, pricePicoUsd }: CoinMove,
  decimalsOf: CountedDecimals,
): bigint | null {
  const decimals = decimalsOf.get(coinType);
  const moved = raw + gasRaw;
  if (decimals === null || moved === 0n) return 0n;
  return decimals === undefined || pricePicoUsd === null ? null : valueMicroUsd(moved, decimals, pricePicoUsd);
}

const outsideKinds: ReadonlySet<LedgerKind> = new Set(['mint-income', 'transfer-in', 'transfer-out', 'payout']);

/** Money received from others minus money sent to others, by day. null: the value of a part is unknown. */
export function outsideMoneyByDay(
  moves: readonly CoinMove[],
  decimalsOf: CountedDecimals,
): ReadonlyMap<number, bigint | null> {
  const outside = moves.filter(({ kind }) => outsideKinds.has(kind));
  const byDay = Map.groupBy(outside, ({ at }) => dayOf(at));
  return new Map(
    [...byDay].map(([day, ofDay]) => [day, sumIfAllKnown(ofDay.map((move) => valueOfMove(move, decimalsOf)))]),
  );
}

/** null: one of the amounts is unknown. */
export const sumIfAllKnown = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0n);

/**
 * The same money held in SUI: each amount is converted to SUI at the price of its day. Gives the value of that SUI at the end of each
 * day. null: unknown, and for good once an amount could not be converted.
 */
export function heldInSuiByDay(
  outsideMoney: ReadonlyMap<number, bigint | null>,
  lastDay: number,
  suiPriceOf: (day: number) => bigint | null,
): ReadonlyMap<number, bigint | null> {
  const values = new Map<number, bigint | null>();
  const firstDay = Math.min(...outsideMoney.keys());
  let heldMist: bigint | null = 0n;
  for (let day = firstDay; day <= lastDay; day += 1) {
    const suiPrice = suiPriceOf(day);
    const money = outsideMoney.get(day);
    heldMist = heldAfter(heldMist, money === undefined ? 0n : money, suiPrice);
    values.set(day, heldMist === null || suiPrice === null ? null : valueMicroUsd(heldMist, mistDecimals, suiPrice));
  }
  return values;
}

function heldAfter(heldMist: bigint | null, money: bigint | null, suiPrice: bigint | null): bigint | null {
  if (heldMist === null || money === null) return null;
  if (money === 0n) return heldMist;
  return suiPrice === null ? null : heldMist + rawForMicroUsd(money, mistDecimals, suiPrice);
}

/** A coin and a day at the end of which the treasury held it. */
export interface CoinDay {
  readonly coinType: string;
  readonly day: number;
}

interface Past {
  /** The last day that is over. */
  readonly lastDay: number;
  /** Whether movements are unknown after those that were read before. */
  readonly hasGap: boolean;
  readonly counted: readonly string[];
  readonly sums: readonly { readonly coinType: string; readonly openingRaw: bigint }[];
  readonly coins: Parameters<typeof countedDecimals>[0];
  /** Oldest first. */
  readonly moves: readonly CoinMove[];
  readonly prices: DayPrices;
  /** When a part of the stake became unknown; null: never. */
  readonly unknownSince: Date | null;
}

export interface PastDays {
  /** Coins only, micro-USD; null: a price is unknown. Oldest first. */
  readonly days: readonly { readonly day: number; readonly microUsd: bigint | null }[];
  /** Whose price was not requested from the source yet, oldest day first. */
  readonly unrequested: readonly CoinDay[];
  /** By day in micro-USD, including today. null: unknown. */
  readonly outsideMoney: ReadonlyMap<number, bigint | null>;
  readonly suiPrices: ReadonlyMap<number, bigint | null>;
  readonly decimalsOf: CountedDecimals;
}

/** Everything that is known of the past days, calculated from every movement. */
export function pastDays(past: Past): PastDays {
  const { lastDay, hasGap, counted, sums, coins, moves, prices, unknownSince } = past;
  const suiPrices = prices.get(suiCoinType) ?? new Map<number, bigint | null>();
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
    outsideMoney: hasGap ? new Map(outsideMoney).set(lastKnownDay + 1, null) : outsideMoney,
    suiPrices,
    decimalsOf,
  };
}

/** SUI is needed for every day: other money is converted into it. */
const unrequestedOf = (balances: readonly DayBalances[], prices: DayPrices): readonly CoinDay[] =>
  balances.flatMap(({ day, held }) =>
    [...new Set([suiCoinType, ...held.keys()])]
      .filter((coinType) => prices.get(coinType)?.has(day) !== true)
      .map((coinType) => ({ coinType, day })),
  );
