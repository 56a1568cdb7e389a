import { addressFrom } from '../world/derived-ids.ts';
import { mint } from '../world/minting.ts';
import type { Random } from '../world/random.ts';
import type { CapKind, WorldContext } from '../world/state.ts';

/** A collector of the seed; the same one always keeps NFTs in the same kind of place. */
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

/** A clock that the seed turns by hand, so that its history has times. */
export type SeedClock = { world: WorldContext; passHours: (hours: number) => void };

export function mintCollection(
  clock: SeedClock,
  wanted: { collection: string; count: number; holders: readonly Holder[]; random: Random; hoursApart: number },
): void {
  for (let minted = 0; minted < wanted.count; minted += 1) {
    clock.passHours(wanted.hoursApart);
    mint(clock.world, { ...pickHolder(wanted.holders, wanted.random), collection: wanted.collection });
  }
}
