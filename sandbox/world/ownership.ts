import { ownedBy, recordNew, recordObject, shared } from './changes.ts';
import { addressFrom } from './derived-ids.ts';
import { execute } from './ledger.ts';
import { putAt } from './places.ts';
import type {
  CapKind,
  ChainTransaction,
  Collection,
  Kiosk,
  KioskCap,
  Nft,
  Place,
  WorldContext,
  WorldState,
} from './state.ts';
import { Impossible, markedLabel, nextSequence } from './state.ts';
import { canonicalAddress, capTypes, kioskType } from './sui-names.ts';

/** A target for NFTs: a wallet, or one of its kiosks (created when it has none of that kind). */
export type Destination = { address: string; into?: 'wallet' | CapKind; kioskId?: string };

export function findNft(state: WorldState, nftId: string): Nft {
  const nft = state.nfts.get(canonicalAddress(nftId));
  if (!nft) throw new Impossible(`No such NFT: ${nftId}`);
  return nft;
}

/** Finds a collection by key, semantic slug, row id or on-chain type. */
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

/** A listed NFT still belongs to its seller, even inside a listing object. */
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

type NewKiosk = { holder: string; capKind?: CapKind };

/** Creates an empty kiosk in its own transaction; the holder owns its cap. */
export function createKiosk(world: WorldContext, wanted: NewKiosk): Kiosk {
  return makeKiosk(world, execute(world, canonicalAddress(wanted.holder)), wanted);
}

function makeKiosk(world: WorldContext, transaction: ChainTransaction, wanted: NewKiosk): Kiosk {
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
  recordNew(transaction, { objectId: kiosk.id, objectType: kioskType, owner: shared });
  recordCap(transaction, kiosk, null);
  return kiosk;
}

/** Records a cap that is new (`from` null) or came from another wallet. */
function recordCap(transaction: ChainTransaction, cap: KioskCap, from: string | null): void {
  recordObject(transaction, {
    objectId: cap.capId,
    objectType: capTypes[cap.capKind],
    before: from === null ? null : ownedBy(from),
    after: ownedBy(cap.holder),
  });
}

function capOf(label: string, capKind: CapKind, holder: string): KioskCap {
  return {
    capId: addressFrom(`${label}/cap`),
    innerCapId: addressFrom(`${label}/inner-cap`),
    capKind,
    holder: canonicalAddress(holder),
  };
}

/** Gives the kiosk's cap, and with it everything inside, to another wallet. The kiosk's owner field does not change. */
export function handOverKiosk(world: WorldContext, wanted: { kioskId: string; to: string }): Kiosk {
  const kiosk = findKiosk(world.state, wanted.kioskId);
  const { holder } = kiosk;
  kiosk.holder = canonicalAddress(wanted.to);
  kiosk.version = nextSequence(world.state);
  recordCap(execute(world, holder), kiosk, holder);
  return kiosk;
}

/** Adds another cap that opens the kiosk, in any wallet. */
export function addKioskCap(
  world: WorldContext,
  wanted: { kioskId: string; holder: string; capKind: CapKind },
): KioskCap {
  const kiosk = findKiosk(world.state, wanted.kioskId);
  const cap = capOf(markedLabel(world.state, `cap/${nextSequence(world.state)}`), wanted.capKind, wanted.holder);
  kiosk.furtherCaps.push(cap);
  recordCap(execute(world, kiosk.holder), cap, null);
  return cap;
}

/** Turns a destination into a place; the transaction creates a kiosk when the holder has none of that kind. */
export function placeFor(world: WorldContext, transaction: ChainTransaction, destination: Destination): Place {
  if (destination.kioskId !== undefined) {
    return { kind: 'kiosk', kioskId: findKiosk(world.state, destination.kioskId).id };
  }
  const address = canonicalAddress(destination.address);
  const capKind = destination.into ?? 'wallet';
  if (capKind === 'wallet') return { kind: 'wallet', address };
  const existing = kiosksOf(world.state, address).find((kiosk) => kiosk.capKind === capKind);
  return { kind: 'kiosk', kioskId: (existing ?? makeKiosk(world, transaction, { holder: address, capKind })).id };
}

/** Moves an NFT and updates the versions of what changed on chain. Its listing must have ended before. */
export function relocate(world: WorldContext, transaction: ChainTransaction, nft: Nft, to: Place): void {
  leaveKiosk(world.state, nft);
  putAt(transaction, nft, { from: nft.place, to });
  touch(world.state, transaction, nft);
}

/** Gives the NFT and its kiosk a new version. */
export function touch(state: WorldState, transaction: ChainTransaction, nft: Nft): void {
  nft.version = nextSequence(state);
  nft.lastDigest = transaction.digest;
  putAt(transaction, nft, { from: nft.place, to: nft.place });
  if (nft.place.kind === 'kiosk') findKiosk(state, nft.place.kioskId).version = nft.version;
}

function leaveKiosk(state: WorldState, nft: Nft): void {
  if (nft.place.kind !== 'kiosk') return;
  const kiosk = findKiosk(state, nft.place.kioskId);
  kiosk.listings.delete(nft.id);
  kiosk.locked.delete(nft.id);
}
