import { addressFrom, uuidFrom } from './derived-ids.ts';
import { execute, recordAction } from './ledger.ts';
import { mintEvent } from './market-events.ts';
import type { Destination } from './ownership.ts';
import { findCollection, findKiosk, findNft, nftsOfCollection, ownerOf, placeFor, relocate } from './ownership.ts';
import { colourOfRock } from './rocks.ts';
import type { Collection, Nft, WorldContext } from './state.ts';
import { Impossible, markedLabel } from './state.ts';
import { canonicalAddress } from './sui-names.ts';
import { endListing } from './trading.ts';

export type Mint = Destination & {
  /** The product's own collection when left out. */
  collection?: string;
  /** What was paid; the collection's mint price when left out. */
  priceMist?: bigint;
};

/** Mints the next number of a collection. Refused once the maximum supply exists. */
export function mint(world: WorldContext, wanted: Mint): Nft {
  const { state } = world;
  const collection = findCollection(state, wanted.collection ?? state.ownCollectionKey);
  const number = highestNumber(world, collection) + 1;
  if (collection.maxSupply !== null && number > collection.maxSupply) throw new Impossible('Minted out');
  const place = placeFor(world, wanted);
  const minter = place.kind === 'kiosk' ? findKiosk(state, place.kioskId).holder : canonicalAddress(wanted.address);
  const label = markedLabel(state, `nft/${collection.key}/${number}`);
  const id = addressFrom(label);
  const transaction = execute(world, minter, [mintEvent(collection.nftType, { nft_id: id, number: String(number) })]);
  const nft: Nft = {
    id,
    rowId: uuidFrom(label),
    collectionKey: collection.key,
    number,
    name: `${collection.title.replace(/s$/, '')} #${number}`,
    description: collection.description,
    imagePath: `/image/${collection.key === state.ownCollectionKey ? 'rock' : collection.key}/${number}.svg`,
    colour: collection.key === state.ownCollectionKey ? colourOfRock(number) : null,
    place,
    version: 0,
    lastDigest: transaction.digest,
  };
  state.nfts.set(id, nft);
  relocate(world, nft, place, transaction.digest);
  recordAction(world, transaction, {
    type: 'mint',
    collectionKey: collection.key,
    nftId: id,
    priceMist: wanted.priceMist ?? collection.mintPriceMist,
    sender: minter,
    receiver: minter,
    marketName: null,
  });
  return nft;
}

function highestNumber(world: WorldContext, collection: Collection): number {
  return nftsOfCollection(world.state, collection.key).reduce((highest, nft) => Math.max(highest, nft.number), 0);
}

/** Hands an NFT to another wallet or kiosk; an active listing ends. */
export function transfer(world: WorldContext, wanted: Destination & { nftId: string; locked?: boolean }): Nft {
  const { state } = world;
  const nft = findNft(state, wanted.nftId);
  const sender = ownerOf(state, nft);
  const transaction = execute(world, sender);
  endListing(state, nft);
  relocate(world, nft, placeFor(world, wanted), transaction.digest);
  if (wanted.locked && nft.place.kind === 'kiosk') findKiosk(state, nft.place.kioskId).locked.add(nft.id);
  recordAction(world, transaction, {
    type: 'transfer',
    collectionKey: nft.collectionKey,
    nftId: nft.id,
    priceMist: null,
    sender,
    receiver: ownerOf(state, nft),
    marketName: null,
  });
  return nft;
}
