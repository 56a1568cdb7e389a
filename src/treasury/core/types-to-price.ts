import { suiCoinType } from '../../shared/sui-address.ts';
import type { KnownCoin } from './known-coins.ts';

/** Longer types are nested to absurdity; they are listed apart without being looked up, and fit no database key. */
export const coinTypeLengthMax = 1_000;

/**
 * Which of the held coin types are asked for a price, at most `max`. Strangers can flood a public wallet with worthless
 * types, so those that count come first: SUI, the known coins, what had a price before. The others take turns, `round` by
 * `round`, until each was asked.
 */
export const typesToPrice = (
  held: readonly string[],
  pricedBefore: (coinType: string) => boolean,
  knownCoins: readonly KnownCoin[],
  { max, round }: { readonly max: number; readonly round: number },
): string[] => {
  const known = new Set(knownCoins.flatMap(({ coinTypes }) => coinTypes));
  const usable = held.filter((coinType) => coinType.length <= coinTypeLengthMax);
  const first = [
    ...new Set([suiCoinType, ...usable.filter((type) => known.has(type)), ...usable.filter(pricedBefore)]),
  ].slice(0, max);
  const others = usable.filter((coinType) => !first.includes(coinType));
  const room = Math.min(max - first.length, others.length);
  if (room <= 0) return first;
  const start = (round * room) % others.length;
  return [...first, ...[...others.slice(start), ...others.slice(0, start)].slice(0, room)];
};
