import { addressFrom } from '../world/derived-ids.ts';
import { mint } from '../world/minting.ts';
import type { Random } from '../world/random.ts';
import type { CapKind, WorldContext } from '../world/state.ts';
import type { Chapter } from './treasury-story.ts';

/** A collector of the seed, who always keeps NFTs in the same kind of place. */
export type Holder = { address: string; into: 'wallet' | CapKind };

const holderCount = 168;

export function seedHolders(): Holder[] {
  return Array.from({ length: holderCount }, (_, index) => ({
    address: addressFrom(`holder/${index}`),
    into: placeOf(index),
  }));
}

function placeOf(index: number): Holder['into'] {
  if (index % 12 === 7) return 'origin-byte-kiosk';
  if (index % 6 === 2) return 'personal-kiosk';
  return index % 5 < 2 ? 'wallet' : 'kiosk';
}

/** Few hold many and many hold few, as in any collection. */
function pickHolder(holders: readonly Holder[], random: Random): Holder {
  const index = Math.floor(random.next() * random.next() * holders.length);
  return holders[index] ?? random.pick(holders);
}

/** A clock that the seed advances by hand, so that its history has times. */
export type SeedClock = { world: WorldContext; passHours: (hours: number) => void };

/** The minters of `count` NFTs, in order. */
export function pickMinters(count: number, holders: readonly Holder[], random: Random): Holder[] {
  return Array.from({ length: Math.max(0, count) }, () => pickHolder(holders, random));
}

/** The mints of a collection from a given day on, at a fixed interval. */
export function mintFrom(day: number, collection: string, minters: readonly Holder[], hoursApart: number): Chapter[] {
  return minters.map((minter, index) => ({
    day: day + (index * hoursApart) / 24,
    happen: (world) => mint(world, { ...minter, collection }),
  }));
}

/** The mints of a collection over the whole past: fast at first, slower later. */
export function mintOver(days: number, collection: string, minters: readonly Holder[]): Chapter[] {
  return minters.map((minter, index) => ({
    day: 1 + (days - 1) * (index / minters.length) ** 1.3,
    happen: (world) => mint(world, { ...minter, collection }),
  }));
}
