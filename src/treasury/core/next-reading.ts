import { percentOf } from '../../shared/money.ts';
import type { SourceReading } from '../../shared/source-status.ts';
import { isUsableType, suiCoinType } from '../../shared/sui-address.ts';
import { knownCoinTypes } from './known-coins.ts';
import type { ConfirmedJump, MarketAnswer, PriceQuote, ReadPrice, TreasuryReading } from './reading.ts';
import { isCountable } from './token-valuation.ts';

/** Fewer than a service prices in one reading: GeckoTerminal takes the first 300. */
const turnedBy = 100;

/**
 * The held coin types to request a price for, at most `max`. Strangers can flood a public wallet with worthless types, so those that
 * count come first: SUI, the known coins, coins that had a price before. The others take turns, `round` by `round`.
 */
export const typesToPrice = (
  held: readonly string[],
  pricedBefore: (coinType: string) => boolean,
  { max, round }: { readonly max: number; readonly round: number },
): string[] => {
  const usable = held.filter(isUsableType);
  const wanted = [suiCoinType, ...usable.filter((type) => knownCoinTypes.has(type)), ...usable.filter(pricedBefore)];
  const first = [...new Set(wanted)].slice(0, max);
  const isFirst = new Set(first);
  const others = usable.filter((coinType) => !isFirst.has(coinType));
  const room = Math.min(max - first.length, others.length);
  if (room <= 0) return first;
  const start = (round * Math.min(room, turnedBy)) % others.length;
  return [...first, ...[...others.slice(start), ...others.slice(0, start)].slice(0, room)];
};

/** A source that answers without a coin or a collection may have a gap: the last good value stays for this long. */
const absentKeptMs = 24 * 3_600_000;
const isKept = (readAt: Date, now: Date): boolean => now.getTime() - readAt.getTime() < absentKeptMs;

/** The first source doubted its price; the fallback, which gives no confidence, must not make it count while the first is down. */
const leavesDoubt = (quote: PriceQuote, last: ReadPrice): boolean =>
  quote.confidence === null && !isCountable(last.quote);

/**
 * Prices for a new reading (decision 0008). `answered` null: no source answered, so every last good price stays, whatever
 * its age, and its state says so.
 */
export const carryPrices = (
  previous: ReadonlyMap<string, ReadPrice>,
  answered: ReadonlyMap<string, PriceQuote> | null,
  coinTypes: readonly string[],
  now: Date,
): Map<string, ReadPrice> => {
  const prices = new Map<string, ReadPrice>();
  for (const coinType of coinTypes) {
    const quote = answered?.get(coinType);
    const last = previous.get(coinType);
    if (quote !== undefined && (last === undefined || !leavesDoubt(quote, last))) {
      prices.set(coinType, { quote, readAt: now });
    } else if (last !== undefined) {
      const isAbsent = answered !== null && quote === undefined;
      if (!isAbsent || isKept(last.readAt, now)) prices.set(coinType, last);
    }
  }
  return prices;
};

/** Facts about the collections asked for (decision 0008): what the answer lacks keeps its own time. */
export const carryFacts = (previous: MarketAnswer | null, answered: MarketAnswer, now: Date): MarketAnswer => {
  const kept = [...(previous?.facts ?? [])].filter(
    ([type, { asOf }]) => answered.askedTypes.includes(type) && isKept(asOf, now),
  );
  return { ...answered, facts: new Map([...kept, ...answered.facts]) };
};

/** How long a confirmed jump stays flagged on the page. */
const jumpFlaggedMs = 24 * 3_600_000;

export const carryJump = (jump: ConfirmedJump | null, now: Date): ConfirmedJump | null =>
  jump !== null && now.getTime() - jump.confirmedAt.getTime() < jumpFlaggedMs ? jump : null;

/**
 * When the sources of a reading last answered. Without the chain there is no reading, so the price service is listed separately only if a
 * reading succeeded without it: then its prices are older than the balances.
 */
export function sourceReadings(reading: TreasuryReading | null): readonly SourceReading[] {
  if (reading === null) return [{ source: 'chain', readAt: null }];
  const { chainReadAt, prices, balances } = reading;
  const chain: SourceReading = { source: 'chain', readAt: chainReadAt };
  const times = [...prices.values()].map(({ readAt }) => readAt.getTime());
  if (times.length === 0) return balances.length === 0 ? [chain] : [chain, { source: 'prices', readAt: null }];
  const pricesReadAt = new Date(Math.max(...times));
  return pricesReadAt >= chainReadAt ? [chain] : [chain, { source: 'prices', readAt: pricesReadAt }];
}

/** Rulings R3: a total that moves by more than 50 % is confirmed by a second read before it is published. */
const jumpLimitPercent = 50n;
/** How far the second read may differ from the first and still confirm it. */
const agreementPercent = 2n;

const distance = (left: bigint, right: bigint): bigint => (left > right ? left - right : right - left);

/**
 * `publish`: within the limit, or nothing to compare with. `confirm`: read again. `hold`: a known total would become unknown,
 * which is an outage.
 */
export const judgeJump = (last: bigint | null, next: bigint | null): 'publish' | 'confirm' | 'hold' => {
  if (last === null) return 'publish';
  if (next === null) return 'hold';
  return distance(last, next) * 100n > last * jumpLimitPercent ? 'confirm' : 'publish';
};

/** The jump from `last` that two reads agree on, with the total of the second; null: they do not agree, or a total is unknown. */
export function confirmedJump(
  { last, first, second }: Readonly<Record<'last' | 'first' | 'second', bigint | null>>,
  confirmedAt: Date,
): ConfirmedJump | null {
  if (last === null || first === null || second === null) return null;
  const agrees = distance(first, second) * 100n <= first * agreementPercent;
  return agrees ? { previousMicroUsd: last, nextMicroUsd: second, confirmedAt } : null;
}

/** Signed change in per cent; null: from zero. */
export const jumpPercent = (jump: ConfirmedJump): number | null =>
  percentOf(jump.nextMicroUsd - jump.previousMicroUsd, jump.previousMicroUsd);
