import type { SeedClock } from '../seed/population.ts';
import { transfer } from '../world/minting.ts';
import { createKiosk, nftsOfCollection, ownerOf } from '../world/ownership.ts';
import type { Nft, WorldState } from '../world/state.ts';
import { activeListing, list } from '../world/trading.ts';
import type { PersonName } from './people.ts';
import { peopleWithWallets } from './people.ts';

const hoursApart = 0.1;

/** Gives one NFT to a person, in the kind of place their story names. */
type Gift = (nft: Nft, address: string, clock: SeedClock) => void;

const intoWallet: Gift = (nft, address, { world }) => transfer(world, { nftId: nft.id, address });
const into =
  (capKind: 'personal-kiosk' | 'origin-byte-kiosk'): Gift =>
  (nft, address, { world }) =>
    transfer(world, { nftId: nft.id, address, into: capKind });

function intoNewKiosk(nft: Nft, address: string, { world }: SeedClock, locked = false): void {
  transfer(world, { nftId: nft.id, address, kioskId: createKiosk(world, { holder: address }).id, locked });
}

/** Lists the NFT again at its earlier price, so that the floor and the number of listings do not change. */
function listedAgain(place: Gift): Gift {
  return (nft, address, clock) => {
    const priceMist = activeListing(clock.world.state, nft.id)?.priceMist ?? 0n;
    place(nft, address, clock);
    clock.passHours(hoursApart);
    list(clock.world, { nftId: nft.id, priceMist });
  };
}

type Plan = { to: PersonName; from: 'unlisted' | 'listed' | 'lizards'; give: Gift };

const plans: readonly Plan[] = [
  { to: 'Granite Gwen', from: 'unlisted', give: intoWallet },
  { to: 'Granite Gwen', from: 'unlisted', give: (nft, address, clock) => intoNewKiosk(nft, address, clock) },
  {
    to: 'Granite Gwen',
    from: 'listed',
    give: listedAgain((nft, address, clock) => intoNewKiosk(nft, address, clock)),
  },
  { to: 'Basalt Ben', from: 'unlisted', give: into('personal-kiosk') },
  { to: 'Marble Mo', from: 'unlisted', give: into('origin-byte-kiosk') },
  { to: 'Slate Sue', from: 'unlisted', give: (nft, address, clock) => intoNewKiosk(nft, address, clock, true) },
  { to: 'Quartz Quinn', from: 'listed', give: listedAgain(intoWallet) },
  { to: 'Pumice Pete', from: 'unlisted', give: intoWallet },
  { to: 'Max Ridge', from: 'lizards', give: intoWallet },
];

/** Gives some of the collectors' NFTs to the named people. Nothing is minted; with too few rocks, people get fewer. */
export function seedPeople(clock: SeedClock): void {
  const { state } = clock.world;
  const people = peopleWithWallets();
  for (const { address } of people) state.people.add(address);
  const stock = {
    unlisted: givable(state, state.ownCollectionKey, false),
    listed: givable(state, state.ownCollectionKey, true),
    lizards: givable(state, 'lava-lizards', false),
  };
  for (const { to, from, give } of plans) {
    const nft = stock[from].shift();
    const person = people.find(({ name }) => name === to);
    if (!nft || !person) continue;
    clock.passHours(hoursApart);
    give(nft, person.address, clock);
  }
}

/** NFTs without active bids, the most expensive first, otherwise the newest. */
function givable(state: WorldState, collectionKey: string, isListed: boolean): Nft[] {
  const wanted = new Set(state.bids.filter(({ status }) => status === 'active').map(({ nftId }) => nftId));
  const priceOf = (nft: Nft): bigint => activeListing(state, nft.id)?.priceMist ?? 0n;
  return nftsOfCollection(state, collectionKey)
    .filter((nft) => ownerOf(state, nft) !== state.treasuryAddress && !wanted.has(nft.id))
    .filter((nft) => (activeListing(state, nft.id) !== undefined) === isListed)
    .toSorted((one, other) => Number(priceOf(other) - priceOf(one)) || other.number - one.number);
}
