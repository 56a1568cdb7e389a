import { ownedBy, shared } from './changes.ts';
import { fieldTypeOf, itemFieldAt } from './field-ids.ts';
import type { ChainTransaction, Nft, ObjectChange, ObjectOwner, Place, WorldState } from './state.ts';
import { kioskType, simpleListingsStore, simpleListingType } from './sui-names.ts';

/** Puts an NFT in a place and records that in the transaction. `from` null: the NFT is new. */
export function putAt(transaction: ChainTransaction, nft: Nft, { from, to }: { from: Place | null; to: Place }): void {
  nft.place = to;
  const known = transaction.placements.find(({ nftId }) => nftId === nft.id);
  if (known) known.after = to;
  else transaction.placements.push({ nftId: nft.id, before: from, after: to });
}

type Record = (change: ObjectChange) => void;

/**
 * Every object that a transaction created, changed or deleted, each once: those it recorded, and those that follow from its
 * NFT placements. Computed on reading, because deriving the ids of the fields between a kiosk and its NFTs is costly.
 */
export function objectsOf(state: WorldState, transaction: ChainTransaction): ObjectChange[] {
  if (transaction.placements.length === 0) return transaction.objects;
  const changes = new Map(transaction.objects.map((change) => [change.objectId, { ...change }]));
  const record: Record = (change) => {
    const known = changes.get(change.objectId);
    if (known) known.after = change.after;
    else changes.set(change.objectId, change);
  };
  for (const { nftId, before, after } of transaction.placements) {
    record({
      objectId: nftId,
      objectType: typeOf(state, nftId),
      before: before && ownerAt(state, nftId, before),
      after: ownerAt(state, nftId, after),
    });
    if (before) recordKeeping(state, record, { nftId, place: before, isKept: false });
    recordKeeping(state, record, { nftId, place: after, isKept: true });
  }
  return [...changes.values()];
}

function typeOf(state: WorldState, nftId: string): string {
  const nft = state.nfts.get(nftId) ?? state.burnedNfts.get(nftId);
  return state.collections.get(nft?.collectionKey ?? '')?.nftType ?? '';
}

function ownerAt(state: WorldState, nftId: string, place: Place): ObjectOwner {
  if (place.kind === 'wallet') return ownedBy(place.address);
  return { kind: 'object', parentId: itemFieldAt(state, nftId, place)?.fieldId ?? '' };
}

type Kept = { nftId: string; place: Place; isKept: boolean };

/** Records the field object that holds the NFT, and the kiosk or listing object that is the field's parent. */
function recordKeeping(state: WorldState, record: Record, { nftId, place, isKept }: Kept): void {
  const field = itemFieldAt(state, nftId, place);
  if (!field || place.kind === 'wallet') return;
  const change = (objectId: string, objectType: string, owner: ObjectOwner): void =>
    record({ objectId, objectType, before: isKept ? null : owner, after: isKept ? owner : null });
  change(field.fieldId, fieldTypeOf(field.keyType), { kind: 'object', parentId: field.parentId });
  if (place.kind === 'kiosk') {
    record({ objectId: place.kioskId, objectType: kioskType, before: shared, after: shared });
    return;
  }
  change(place.listingObjectId, simpleListingType, { kind: 'object', parentId: simpleListingsStore });
}
