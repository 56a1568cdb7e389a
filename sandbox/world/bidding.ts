import { addressFrom, uuidFrom } from './derived-ids.ts';
import { execute, recordAction } from './ledger.ts';
import { bidEvent } from './market-events.ts';
import { moveCoins, requireFunds } from './moving-coins.ts';
import { findCollection, findNft, ownerOf, placeFor, relocate } from './ownership.ts';
import type { BidRow, Nft, WorldContext, WorldState } from './state.ts';
import { Impossible, markedLabel, nextSequence } from './state.ts';
import { canonicalAddress, suiCoinType } from './sui-names.ts';
import { addVolume, arrival, endListing } from './trading.ts';

export type Bid = { nftId: string; bidder: string; priceMist: bigint; expiresAtMs?: number | null };
export type CollectionBid = {
  collection: string;
  bidder: string;
  priceMist: bigint;
  count?: number;
  expiresAtMs?: number | null;
};

/** A bid on one NFT. */
export function bid(world: WorldContext, wanted: Bid): BidRow {
  const nft = findNft(world.state, wanted.nftId);
  return place(world, {
    ...wanted,
    type: 'solo',
    collectionKey: nft.collectionKey,
    nftId: nft.id,
    count: 1,
    action: 'solo-bid',
  });
}

/** A bid on any NFT of a collection, good for `count` of them. */
export function collectionBid(world: WorldContext, wanted: CollectionBid): BidRow {
  return place(world, {
    ...wanted,
    type: 'collection',
    collectionKey: findCollection(world.state, wanted.collection).key,
    nftId: null,
    count: wanted.count ?? 1,
    action: 'collection-bid',
  });
}

type NewBid = Pick<BidRow, 'type' | 'collectionKey' | 'nftId' | 'bidder' | 'priceMist'> & {
  count: number;
  action: string;
  expiresAtMs?: number | null;
};

function place(world: WorldContext, wanted: NewBid): BidRow {
  const { state } = world;
  const bidder = canonicalAddress(wanted.bidder);
  const event = wanted.type === 'solo' ? 'CreateSingleBidEvent' : 'CreateCollectionBidEvent';
  const transaction = execute(world, bidder, [
    bidEvent(event, { buyer: bidder, price: String(wanted.priceMist), maybe_nft_id: wanted.nftId ?? '' }),
  ]);
  const row: BidRow = {
    id: uuidFrom(markedLabel(state, `bid/${nextSequence(state)}`)),
    collectionKey: wanted.collectionKey,
    nftId: wanted.nftId,
    type: wanted.type,
    priceMist: wanted.priceMist,
    bidder,
    status: 'active',
    remainingCount: wanted.count,
    expiresAtMs: wanted.expiresAtMs ?? null,
    blockTimeMs: transaction.timestampMs,
    nonce: addressFrom(`nonce/${transaction.digest}`),
  };
  state.bids.push(row);
  recordAction(world, transaction, {
    type: wanted.action,
    collectionKey: row.collectionKey,
    nftId: row.nftId,
    priceMist: row.priceMist,
    sender: bidder,
    receiver: null,
    nonce: row.nonce,
  });
  return row;
}

function findActiveBid(state: WorldState, bidId: string): BidRow {
  const row = state.bids.find((each) => each.id === bidId);
  if (!row) throw new Impossible(`No such bid: ${bidId}`);
  if (row.status !== 'active') throw new Impossible(`That bid is ${row.status}`);
  return row;
}

/** The owner sells to a bidder, who pays now: bids hold no money here. For a collection bid, `nftId` is required. */
export function acceptBid(world: WorldContext, wanted: { bidId: string; nftId?: string }): Nft {
  const { state } = world;
  const row = findActiveBid(state, wanted.bidId);
  const nftId = row.nftId ?? wanted.nftId;
  if (nftId === undefined) throw new Impossible('To accept a collection bid, name the NFT');
  const nft = findNft(state, nftId);
  if (nft.collectionKey !== row.collectionKey) throw new Impossible('That NFT belongs to another collection');
  const seller = ownerOf(state, nft);
  const price = { coinType: suiCoinType, amount: seller === row.bidder ? 0n : row.priceMist };
  requireFunds(state, { ...price, address: row.bidder });
  const transaction = execute(world, seller, [
    bidEvent('MatchSingleBidEvent', { buyer: row.bidder, seller, nft_id: nft.id, price: String(row.priceMist) }),
  ]);
  moveCoins(state, transaction, { ...price, from: row.bidder, to: seller });
  recordAction(world, transaction, {
    type: row.type === 'solo' ? 'accept-bid' : 'accept-collection-bid',
    collectionKey: row.collectionKey,
    nftId: nft.id,
    priceMist: row.priceMist,
    sender: seller,
    receiver: row.bidder,
    nonce: row.nonce,
  });
  row.remainingCount -= 1;
  if (row.remainingCount <= 0) row.status = 'accepted';
  addVolume(state, nft.collectionKey, row.priceMist);
  const destination = arrival(nft, row.bidder, undefined);
  endListing(state, transaction, nft);
  relocate(world, transaction, nft, placeFor(world, transaction, destination));
  return nft;
}

/** Takes a bid back. */
export function cancelBid(world: WorldContext, wanted: { bidId: string }): BidRow {
  const row = findActiveBid(world.state, wanted.bidId);
  const transaction = execute(world, row.bidder, [bidEvent('CancelSingleBidEvent', { bid_id: row.nonce })]);
  row.status = 'cancelled';
  recordAction(world, transaction, {
    type: row.type === 'solo' ? 'unlist-bid' : 'cancel-collection-bid',
    collectionKey: row.collectionKey,
    nftId: row.nftId,
    priceMist: row.priceMist,
    sender: row.bidder,
    receiver: null,
    nonce: row.nonce,
  });
  return row;
}
