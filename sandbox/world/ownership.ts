import { addressFrom } from './derived-ids.ts';
import type { CapKind, Collection, Kiosk, KioskCap, Nft, Place, WorldContext, WorldState } from './state.ts';
import { Impossible, markedLabel, nextSequence } from './state.ts';
import { canonicalAddress } from './sui-names.ts';

/** Where something should end up: a wallet, or a kiosk of that wallet (made when it has none of that kind). */
export type Destination = { address: string; into?: 'wallet' | CapKind; kioskId?: string };

export function findNft(state: WorldState, nftId: string): Nft {
  const nft = state.nfts.get(canonicalAddress(nftId));
  if (!nft) throw new Impossible(`No such NFT: ${nftId}`);
  return nft;
}

/** By key, semantic slug, row id or on-chain type. */
export function findCollection(state: WorldState, wanted: string): Collection {
  for (const collection of state.collections.values()) {
    const names = [collection.key, collection.semanticSlug, collection.rowId, collection.nftType];
    if (names.includes(wanted)) return collection;
  }
  throw new Impossible(`No such collection: ${wanted}`);
}

export function findKiosk(state: WorldState, kioskId: string): Kiosk {
  const kiosk = state.kiosks.get(canonicalAddress(kioskId));
  if (!kiosk) throw new Impossible(`No such kiosk: ${kioskId}`);
  return kiosk;
}

/** A listed NFT still belongs to its seller, wherever the listing keeps it. */
export function ownerOf(state: WorldState, nft: Nft): string {
  if (nft.place.kind === 'wallet') return nft.place.address;
  if (nft.place.kind === 'simple-listing') return nft.place.seller;
  return findKiosk(state, nft.place.kioskId).holder;
}

export function nftsOfCollection(state: WorldState, collectionKey: string): Nft[] {
  return [...state.nfts.values()].filter((nft) => nft.collectionKey === collectionKey);
}

export function nftsOfOwner(state: WorldState, address: string): Nft[] {
  return [...state.nfts.values()].filter((nft) => ownerOf(state, nft) === address);
}

export function nftsInKiosk(state: WorldState, kioskId: string): Nft[] {
  return [...state.nfts.values()].filter((nft) => nft.place.kind === 'kiosk' && nft.place.kioskId === kioskId);
}

export function kiosksOf(state: WorldState, holder: string): Kiosk[] {
  return [...state.kiosks.values()].filter((kiosk) => kiosk.holder === holder);
}

/** A new empty kiosk whose cap the holder owns. */
export function createKiosk(world: WorldContext, wanted: { holder: string; capKind?: CapKind }): Kiosk {
  const label = markedLabel(world.state, `kiosk/${nextSequence(world.state)}`);
  const kiosk: Kiosk = {
    id: addressFrom(label),
    ...capOf(label, wanted.capKind ?? 'kiosk', wanted.holder),
    statedOwner: canonicalAddress(wanted.holder),
    furtherCaps: [],
    listings: new Map(),
    locked: new Set(),
    extensionFieldCount: 0,
    version: nextSequence(world.state),
  };
  world.state.kiosks.set(kiosk.id, kiosk);
  return kiosk;
}

function capOf(label: string, capKind: CapKind, holder: string): KioskCap {
  return {
    capId: addressFrom(`${label}/cap`),
    innerCapId: addressFrom(`${label}/inner-cap`),
    capKind,
    holder: canonicalAddress(holder),
  };
}

/** Gives the kiosk's cap, and with it everything inside, to another wallet. The kiosk's own owner field stays. */
export function handOverKiosk(world: WorldContext, wanted: { kioskId: string; to: string }): Kiosk {
  const kiosk = findKiosk(world.state, wanted.kioskId);
  kiosk.holder = canonicalAddress(wanted.to);
  kiosk.version = nextSequence(world.state);
  return kiosk;
}

/** One more object that opens the kiosk, in any wallet. */
export function addKioskCap(
  world: WorldContext,
  wanted: { kioskId: string; holder: string; capKind: CapKind },
): KioskCap {
  const kiosk = findKiosk(world.state, wanted.kioskId);
  const cap = capOf(markedLabel(world.state, `cap/${nextSequence(world.state)}`), wanted.capKind, wanted.holder);
  kiosk.furtherCaps.push(cap);
  return cap;
}

/** Turns a destination into a place, making a kiosk when the holder has none of that kind. */
export function placeFor(world: WorldContext, destination: Destination): Place {
  if (destination.kioskId !== undefined) {
    return { kind: 'kiosk', kioskId: findKiosk(world.state, destination.kioskId).id };
  }
  const address = canonicalAddress(destination.address);
  const capKind = destination.into ?? 'wallet';
  if (capKind === 'wallet') return { kind: 'wallet', address };
  const existing = kiosksOf(world.state, address).find((kiosk) => kiosk.capKind === capKind);
  return { kind: 'kiosk', kioskId: (existing ?? createKiosk(world, { holder: address, capKind })).id };
}

/** Moves an NFT and touches the versions of what changed on chain. Listings must have ended before. */
export function relocate(world: WorldContext, nft: Nft, place: Place, digest: string): void {
  leaveKiosk(world.state, nft);
  nft.place = place;
  touch(world.state, nft, digest);
}

/** Gives everything that a transaction wrote a new version. */
export function touch(state: WorldState, nft: Nft, digest: string): void {
  nft.version = nextSequence(state);
  nft.lastDigest = digest;
  if (nft.place.kind === 'kiosk') findKiosk(state, nft.place.kioskId).version = nft.version;
}

function leaveKiosk(state: WorldState, nft: Nft): void {
  if (nft.place.kind !== 'kiosk') return;
  const kiosk = findKiosk(state, nft.place.kioskId);
  kiosk.listings.delete(nft.id);
  kiosk.locked.delete(nft.id);
}
