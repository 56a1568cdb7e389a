import { fromDecimalText, microUsdDecimals, percentOf, shareOf, toNumber } from '../../shared/money.ts';
import { rockColors } from '../../shared/rock-colors.ts';
import type { RockAnswer } from '../rocks-contract.ts';
import type { Listing, OwnerTable, TableNft } from './owner-table.ts';

/** Pure rules of rulings R8: what a rock is, and what is known of all rocks after a reading. */

/** A rock as it is now. Texts are untrusted; ids and addresses are canonical. */
export interface Rock {
  readonly objectId: string;
  readonly number: number;
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly color: string | null;
  readonly owner: string | null;
  readonly place: RockAnswer['place'];
  readonly kioskId: string | null;
  /** null: not for sale. */
  readonly listing: Listing | null;
  /** When all this was read. */
  readonly readAt: Date;
}

/** What the object itself says. Only its picture may change. */
export interface RockTraits {
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly color: string | null;
}

export interface TableReading {
  readonly table: OwnerTable;
  readonly personalKiosks: ReadonlySet<string>;
}

export function rocksOf(
  { table, personalKiosks }: TableReading,
  traitsOf: ReadonlyMap<string, RockTraits>,
): readonly Rock[] {
  const numbers = numbersOf(table.nfts, traitsOf);
  return table.nfts
    .filter(({ spot }) => spot.kind !== 'burned')
    .map((nft): Rock => {
      const { objectId, listing } = nft;
      const traits = traitsOf.get(objectId);
      return {
        objectId,
        number: numbers.get(objectId) ?? 0,
        name: traits?.name ?? nft.name,
        imageUrl: traits?.imageUrl ?? nft.imageUrl,
        color: traits?.color ?? null,
        ...whereabouts(nft, table.holders, personalKiosks),
        listing,
        readAt: table.asOf,
      };
    })
    .sort((one, other) => one.number - other.number);
}

/** A rock that has not been read for this long counts as lost. */
const lostAfterMs = 86_400_000;
const isLost = ({ readAt }: Rock, asOf: Date): boolean => asOf.getTime() - readAt.getTime() >= lostAfterMs;

/** The age shown for all rocks: that of the oldest reading. Lost rocks are left out, or all would be stale for ever. */
export function oldestAsOf(rocks: readonly Rock[], asOf: Date): Date {
  const timesMs = rocks.filter((rock) => !isLost(rock, asOf)).map(({ readAt }) => readAt.getTime());
  return new Date(Math.min(asOf.getTime(), ...timesMs));
}

/**
 * The rocks known after a reading: those read, and earlier ones that an incomplete reading missed, because a marketplace that lists
 * fewer than it counts, or none at all, has lost some for a while. `asOf` null: nothing was read, which does not prove that there are no rocks, so the earlier time stays.
 */
export function rocksAfterReading(
  before: readonly Rock[],
  read: readonly Rock[],
  table: Pick<OwnerTable, 'nfts' | 'asOf' | 'isComplete'>,
): { readonly rocks: readonly Rock[]; readonly asOf: Date | null } {
  if (read.length > 0 && table.isComplete) return { rocks: read, asOf: oldestAsOf(read, table.asOf) };
  const missed = missedRocks(before, read, table);
  const rocks = [...read, ...missed];
  if (read.length > 0) return { rocks, asOf: oldestAsOf(rocks, table.asOf) };
  const isTrulyEmpty = table.isComplete && missed.length === 0;
  return { rocks, asOf: isTrulyEmpty ? table.asOf : null };
}

/** Earlier rocks that an incomplete reading does not mention. Lost ones are no longer shown as for sale. */
export function missedRocks(
  before: readonly Rock[],
  read: readonly Rock[],
  { nfts, asOf }: Pick<OwnerTable, 'nfts' | 'asOf'>,
): readonly Rock[] {
  const objectIds = new Set(nfts.map(({ objectId }) => objectId));
  const numbers = new Set(read.map(({ number }) => number));
  return before
    .filter(({ objectId, number }) => !objectIds.has(objectId) && !numbers.has(number))
    .map((rock) => (isLost(rock, asOf) ? { ...rock, listing: null } : rock));
}

/** `Sui Rock #7`, `Sui Rock 7`; the last digits of `Sui Rock 1.5` or `1,007` are not a number of their own. */
const nameNumber = /(?:^|[^\d.,])(\d{1,6})\s*$/;

/** A rock's number is that of its name, else its place in mint order. Of two with the same number, the older one keeps it. */
function numbersOf(nfts: readonly TableNft[], traitsOf: ReadonlyMap<string, RockTraits>): ReadonlyMap<string, number> {
  const inOrder = [...nfts].sort(
    (one, other) => (one.index ?? Infinity) - (other.index ?? Infinity) || (one.objectId < other.objectId ? -1 : 1),
  );
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  const take = (objectId: string, number: number): boolean => {
    if (number < 1 || taken.has(number)) return false;
    taken.add(number);
    numbers.set(objectId, number);
    return true;
  };
  const rest = inOrder.filter(({ objectId, name }) => {
    const named = nameNumber.exec(traitsOf.get(objectId)?.name ?? name ?? '')?.[1];
    return named === undefined || !take(objectId, Number(named));
  });
  let free = 1;
  for (const { objectId, index } of rest) {
    if (index !== null && take(objectId, index)) continue;
    while (!take(objectId, free)) free += 1;
  }
  return numbers;
}

type Whereabouts = Pick<Rock, 'owner' | 'place' | 'kioskId'>;
const unknownPlace: Whereabouts = { owner: null, place: null, kioskId: null };

function whereabouts(
  { spot, hint }: TableNft,
  holders: OwnerTable['holders'],
  personalKiosks: ReadonlySet<string>,
): Whereabouts {
  if (spot.kind === 'wallet') return { owner: spot.address, place: 'wallet', kioskId: null };
  if (spot.kind === 'marketplace') return { owner: spot.seller, place: 'escrow', kioskId: null };
  if (spot.kind !== 'kiosk') return unknownPlace;
  const place = personalKiosks.has(spot.kioskId) ? 'personal-kiosk' : 'kiosk';
  return { owner: oneOf(holders.get(spot.kioskId), hint), place, kioskId: spot.kioskId };
}

/** If several wallets hold a cap of one kiosk, the owner is the one that the marketplace names, else unknown. */
function oneOf(wallets: ReadonlySet<string> | undefined, hint: string | null): string | null {
  const [first = null, ...others] = wallets ?? [];
  if (others.length === 0) return first;
  return hint !== null && wallets?.has(hint) === true ? hint : null;
}

/** The specification's name of a color, however the object writes it; null: none of the six. */
export function colorNamed(text: string | null): string | null {
  const wanted = text?.trim().toLowerCase();
  return rockColors.find(({ name }) => name.toLowerCase() === wanted)?.name ?? null;
}

const isCount = (value: number | null): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The part of a USD total that `count` of the minted rocks have (rulings R3, R8): total / minted for each. null: not known. */
export const partOfTotal = (totalUsd: number | null, count: number | null, minted: number | null) => {
  if (!isCount(count) || !isCount(minted) || minted === 0) return { usd: null, percent: null };
  const total = totalUsd === null ? null : fromDecimalText(String(totalUsd), microUsdDecimals);
  return {
    usd: total === null ? null : toNumber(shareOf(total * BigInt(count), minted), microUsdDecimals),
    percent: percentOf(BigInt(count), BigInt(minted)),
  };
};
