import { nftsOfCollection, ownerOf } from './ownership.ts';
import type { Collection, WorldState } from './state.ts';

/** A collection's current figures at the marketplace, computed from the state that the chain serves. */
export type CollectionFacts = { floorMist: bigint | null; supply: number; ownerCount: number; listedCount: number };

export function collectionFacts(state: WorldState, collection: Collection): CollectionFacts {
  const nfts = nftsOfCollection(state, collection.key);
  const listed = state.listings.filter((row) => row.listed && row.collectionKey === collection.key);
  const prices = listed.flatMap((row) => (row.priceMist === null ? [] : [row.priceMist]));
  const lowest = prices.reduce<bigint | null>((low, price) => (low === null || price < low ? price : low), null);
  return {
    floorMist: collection.floorRule.kind === 'fixed' ? collection.floorRule.floorMist : lowest,
    supply: nfts.length,
    ownerCount: new Set(nfts.map((nft) => ownerOf(state, nft))).size,
    listedCount: listed.length,
  };
}
