import { addressFrom, uuidFrom } from './derived-ids.ts';
import { execute, recordAction } from './ledger.ts';
import { buyEvent, listEvent, unlistEvent } from './market-events.ts';
import { moveCoins, requireFunds } from './moving-coins.ts';
import type { Destination } from './ownership.ts';
import { findKiosk, findNft, ownerOf, placeFor, relocate, touch } from './ownership.ts';
import { putAt } from './places.ts';
import type { ChainTransaction, ListingRow, Nft, Place, WorldContext, WorldState } from './state.ts';
import { Impossible, markedLabel, nextSequence } from './state.ts';
import { canonicalAddress, suiCoinType } from './sui-names.ts';

export function activeListing(state: WorldState, nftId: string): ListingRow | undefined {
  return state.listings.find((listing) => listing.nftId === nftId && listing.listed);
}

function kioskIdOf(place: Place): string | null {
  return place.kind === 'kiosk' ? place.kioskId : null;
}

/** Lists an NFT. One in a kiosk stays there; one in a wallet moves into a listing object of the marketplace. */
export function list(world: WorldContext, wanted: { nftId: string; priceMist: bigint }): ListingRow {
  const { state } = world;
  const nft = findNft(state, wanted.nftId);
  if (activeListing(state, nft.id)) throw new Impossible('Already listed: use relist');
  const seller = ownerOf(state, nft);
  const sale = { nftId: nft.id, priceMist: wanted.priceMist, seller, kioskId: kioskIdOf(nft.place) };
  const transaction = execute(world, seller, [listEvent(sale)]);
  enterListing(world, transaction, { nft, priceMist: wanted.priceMist, seller });
  touch(state, transaction, nft);
  const row: ListingRow = {
    id: uuidFrom(markedLabel(state, `listing/${nextSequence(state)}`)),
    collectionKey: nft.collectionKey,
    nftId: nft.id,
    priceMist: wanted.priceMist,
    seller,
    marketName: 'tradeport',
    blockTimeMs: transaction.timestampMs,
    listed: true,
    nonce: addressFrom(`nonce/${transaction.digest}`),
  };
  state.listings.push(row);
  recordAction(world, transaction, { ...actionOf(nft, row), type: 'list', sender: seller, receiver: null });
  return row;
}

function enterListing(
  { state }: WorldContext,
  transaction: ChainTransaction,
  { nft, priceMist, seller }: { nft: Nft; priceMist: bigint; seller: string },
): void {
  if (nft.place.kind === 'kiosk') {
    // The marketplace lists kiosk items with a purchase cap, which makes them exclusive.
    findKiosk(state, nft.place.kioskId).listings.set(nft.id, { priceMist, isExclusive: true });
    return;
  }
  const to: Place = { kind: 'simple-listing', listingObjectId: addressFrom(`simple-listing/${nft.id}`), seller };
  putAt(transaction, nft, { from: nft.place, to });
}

function actionOf(nft: Nft, row: ListingRow) {
  return { collectionKey: nft.collectionKey, nftId: nft.id, priceMist: row.priceMist, nonce: row.nonce };
}

function requireListing(state: WorldState, nftId: string): { nft: Nft; row: ListingRow } {
  const nft = findNft(state, nftId);
  const row = activeListing(state, nft.id);
  if (!row) throw new Impossible('Not listed');
  return { nft, row };
}

/** Changes the price of an active listing. */
export function relist(world: WorldContext, wanted: { nftId: string; priceMist: bigint }): ListingRow {
  const { nft, row } = requireListing(world.state, wanted.nftId);
  const sale = { nftId: nft.id, priceMist: wanted.priceMist, seller: row.seller, kioskId: kioskIdOf(nft.place) };
  const transaction = execute(world, row.seller, [listEvent(sale)]);
  row.priceMist = wanted.priceMist;
  row.blockTimeMs = transaction.timestampMs;
  if (nft.place.kind === 'kiosk') {
    findKiosk(world.state, nft.place.kioskId).listings.set(nft.id, { priceMist: wanted.priceMist, isExclusive: true });
  }
  touch(world.state, transaction, nft);
  recordAction(world, transaction, { ...actionOf(nft, row), type: 'relist', sender: row.seller, receiver: null });
  return row;
}

/** Ends a listing; the row stays, with `listed` false, as on the real marketplace. */
export function unlist(world: WorldContext, wanted: { nftId: string }): ListingRow {
  const { nft, row } = requireListing(world.state, wanted.nftId);
  const sale = { nftId: nft.id, seller: row.seller, kioskId: kioskIdOf(nft.place) };
  const transaction = execute(world, row.seller, [unlistEvent(sale)]);
  recordAction(world, transaction, { ...actionOf(nft, row), type: 'unlist', sender: row.seller, receiver: null });
  endListing(world.state, transaction, nft);
  touch(world.state, transaction, nft);
  return row;
}

/** Ends an active listing in the chain state and its row; does nothing when there is none. */
export function endListing(state: WorldState, transaction: ChainTransaction, nft: Nft): void {
  const row = activeListing(state, nft.id);
  if (!row) return;
  row.listed = false;
  row.priceMist = null;
  if (nft.place.kind === 'kiosk') findKiosk(state, nft.place.kioskId).listings.delete(nft.id);
  if (nft.place.kind !== 'simple-listing') return;
  putAt(transaction, nft, { from: nft.place, to: { kind: 'wallet', address: nft.place.seller } });
}

/** Where a bought NFT goes: `into` if given; otherwise a kiosk if it came from one, else the wallet. */
export function arrival(nft: Nft, address: string, into: Destination['into']): Destination {
  return { address, into: into ?? (nft.place.kind === 'kiosk' ? 'kiosk' : 'wallet') };
}

/** Sells a listed NFT at its listed price. The seller gets all of it: the marketplace takes no fee here. */
export function buy(world: WorldContext, wanted: { nftId: string; buyer: string; into?: Destination['into'] }): Nft {
  const { state } = world;
  const { nft, row } = requireListing(state, wanted.nftId);
  const buyer = canonicalAddress(wanted.buyer);
  const priceMist = row.priceMist ?? 0n;
  const sale = { nftId: nft.id, priceMist, seller: row.seller, kioskId: kioskIdOf(nft.place), buyer };
  const price = { coinType: suiCoinType, amount: buyer === row.seller ? 0n : priceMist };
  requireFunds(state, { ...price, address: buyer });
  const transaction = execute(world, buyer, [buyEvent(sale)]);
  moveCoins(state, transaction, { ...price, from: buyer, to: row.seller });
  // As in the table of reference 'actions', the NFT goes from sender to receiver.
  recordAction(world, transaction, { ...actionOf(nft, row), type: 'buy', sender: row.seller, receiver: buyer });
  addVolume(state, nft.collectionKey, priceMist);
  const destination = arrival(nft, buyer, wanted.into);
  endListing(state, transaction, nft);
  relocate(world, transaction, nft, placeFor(world, transaction, destination));
  return nft;
}

export function addVolume(state: WorldState, collectionKey: string, priceMist: bigint): void {
  const collection = state.collections.get(collectionKey);
  if (collection) collection.volumeMist += priceMist;
}
