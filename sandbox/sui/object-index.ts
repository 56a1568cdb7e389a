import { nftsInKiosk } from '../world/ownership.ts';
import type { WorldState } from '../world/state.ts';
import type { ChainObject } from './chain-objects.ts';
import {
  capObjects,
  coinObject,
  itemFieldObject,
  kioskObject,
  listingObject,
  nftObject,
  packageObject,
  stakeObject,
} from './chain-objects.ts';
import { nftOfField } from '../world/field-ids.ts';

/** Objects owned by this address, without NFTs in kiosks, which the kiosk owns. */
export function objectsOwnedBy(state: WorldState, address: string, imageBaseUrl: string): ChainObject[] {
  const objects: ChainObject[] = [];
  for (const nft of state.nfts.values()) {
    if (nft.place.kind === 'wallet' && nft.place.address === address) objects.push(nftObject(state, nft, imageBaseUrl));
  }
  for (const kiosk of state.kiosks.values()) {
    for (const { holder, object } of capObjects(kiosk)) if (holder === address) objects.push(object);
  }
  for (const [coinType, holding] of state.holdings.get(address) ?? []) {
    for (const coin of holding.coinObjects) objects.push(coinObject({ ...coin, coinType, owner: address }));
  }
  for (const stake of state.stakes.values()) if (stake.owner === address) objects.push(stakeObject(stake));
  return objects;
}

/** Any object by its id; null when there is none. */
export function objectById(state: WorldState, id: string, imageBaseUrl: string): ChainObject | null {
  const nft = state.nfts.get(id);
  if (nft) return nftObject(state, nft, imageBaseUrl);
  const stake = state.stakes.get(id);
  if (stake) return stakeObject(stake);
  const hung = kioskPart(state, id) ?? partOfListing(state, id);
  if (hung) return hung;
  for (const [owner, holdings] of state.holdings) {
    for (const [coinType, holding] of holdings) {
      const coin = holding.coinObjects.find((each) => each.id === id);
      if (coin) return coinObject({ ...coin, coinType, owner });
    }
  }
  return isPackage(state, id) ? packageObject(id) : null;
}

function kioskPart(state: WorldState, id: string): ChainObject | null {
  const kiosk = state.kiosks.get(id);
  if (kiosk) return kioskObject(kiosk, nftsInKiosk(state, id).length);
  for (const each of state.kiosks.values()) {
    const isCap = [each, ...each.furtherCaps].some(({ capId }) => capId === id);
    if (isCap) return capObjects(each).find(({ object }) => object.id === id)?.object ?? null;
  }
  const hung = nftOfField(state, id);
  return hung && itemFieldObject(hung.nft, hung.field);
}

function partOfListing(state: WorldState, id: string): ChainObject | null {
  for (const nft of state.nfts.values()) {
    if (nft.place.kind === 'simple-listing' && nft.place.listingObjectId === id) return listingObject(id, nft);
  }
  return null;
}

/** Whether any collection or coin was published in this package. */
function isPackage(state: WorldState, id: string): boolean {
  const types = [...state.coins.keys(), ...[...state.collections.values()].map(({ nftType }) => nftType)];
  return types.some((type) => type.startsWith(`${id}::`));
}

/** The filters a node accepts: a package, `pkg::module`, `pkg::module::Name` (any instantiation) or a full type. */
export function typeMatches(type: string, filter: string): boolean {
  return type === filter || type.startsWith(`${filter}::`) || type.startsWith(`${filter}<`);
}
