import { ownedBy, recordObject } from './changes.ts';
import { addressFrom, uuidFrom } from './derived-ids.ts';
import { execute, recordAction } from './ledger.ts';
import { mintEvent } from './market-events.ts';
import { gasMist, heldOf, moveCoins, stranger } from './moving-coins.ts';
import type { Destination } from './ownership.ts';
import { findCollection, findKiosk, findNft, ownerOf, placeFor, relocate, touch } from './ownership.ts';
import { putAt } from './places.ts';
import { colourOfRock } from './rocks.ts';
import type { Collection, Nft, WorldContext } from './state.ts';
import { Impossible, markedLabel } from './state.ts';
import { canonicalAddress, suiCoinType } from './sui-names.ts';
import { endListing } from './trading.ts';

export type Mint = Destination & {
  /** The product's own collection by default. */
  collection?: string;
  /** The price paid; the collection's mint price by default. */
  priceMist?: bigint;
};

/** Mints the next number of a collection. Refused once the maximum supply is reached. */
export function mint(world: WorldContext, wanted: Mint): Nft {
  const { state } = world;
  const collection = findCollection(state, wanted.collection ?? state.ownCollectionKey);
  const number = (numbers.get(collection) ?? 0) + 1;
  if (collection.maxSupply !== null && number > collection.maxSupply) throw new Impossible('Minted out');
  const minter =
    wanted.kioskId === undefined ? canonicalAddress(wanted.address) : findKiosk(state, wanted.kioskId).holder;
  const priceMist = wanted.priceMist ?? collection.mintPriceMist;
  const label = markedLabel(state, `nft/${collection.key}/${number}`);
  const id = addressFrom(label);
  const payer = payerOf(world, minter, priceMist);
  const transaction = execute(world, minter, [mintEvent(collection.nftType, { nft_id: id, number: String(number) })]);
  const to = collection.key === state.ownCollectionKey ? state.treasuryAddress : creatorOf(collection);
  moveCoins(state, transaction, { from: payer, to, coinType: suiCoinType, amount: priceMist, into: 'address-balance' });
  const nft: Nft = {
    id,
    rowId: uuidFrom(label),
    collectionKey: collection.key,
    number,
    name: `${collection.title.replace(/s$/, '')} #${number}`,
    description: collection.description,
    imagePath: `/image/${collection.key === state.ownCollectionKey ? 'rock' : collection.key}/${number}.svg`,
    colour: collection.key === state.ownCollectionKey ? colourOfRock(number) : null,
    place: placeFor(world, transaction, wanted),
    version: 0,
    lastDigest: transaction.digest,
  };
  state.nfts.set(id, nft);
  numbers.set(collection, number);
  putAt(transaction, nft, { from: null, to: nft.place });
  touch(state, transaction, nft);
  recordAction(world, transaction, {
    type: 'mint',
    collectionKey: collection.key,
    nftId: id,
    priceMist,
    sender: minter,
    receiver: minter,
    marketName: null,
  });
  return nft;
}

/** Receives a foreign collection's minting income; the own collection's goes to the treasury. */
function creatorOf({ key }: Collection): string {
  return addressFrom(`creator/${key}`);
}

/** The minter pays; a stranger pays when the minter has too little. */
function payerOf({ state }: WorldContext, minter: string, priceMist: bigint): string {
  const held = heldOf(state, minter, suiCoinType);
  return held === null || held >= priceMist + gasMist ? minter : stranger;
}

/** The highest number minted in each collection so far. */
const numbers = new WeakMap<Collection, number>();

/** Hands an NFT to another wallet or kiosk; an active listing ends. */
export function transfer(world: WorldContext, wanted: Destination & { nftId: string; locked?: boolean }): Nft {
  const { state } = world;
  const nft = findNft(state, wanted.nftId);
  const sender = ownerOf(state, nft);
  const transaction = execute(world, sender);
  endListing(state, transaction, nft);
  relocate(world, transaction, nft, placeFor(world, transaction, wanted));
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

/** Burns an NFT in a wallet: it is gone from the chain; the marketplace keeps its row. */
export function burn(world: WorldContext, wanted: { nftId: string }): Nft {
  const { state } = world;
  const nft = findNft(state, wanted.nftId);
  if (nft.place.kind !== 'wallet') throw new Impossible('Only an NFT in a wallet can be burned');
  const sender = nft.place.address;
  const transaction = execute(world, sender);
  const objectType = findCollection(state, nft.collectionKey).nftType;
  recordObject(transaction, { objectId: nft.id, objectType, before: ownedBy(sender), after: null });
  state.nfts.delete(nft.id);
  state.burnedNfts.set(nft.id, nft);
  const { collectionKey, id: nftId } = nft;
  const sides = { sender, receiver: null };
  recordAction(world, transaction, { type: 'burn', collectionKey, nftId, priceMist: null, ...sides, marketName: null });
  return nft;
}
