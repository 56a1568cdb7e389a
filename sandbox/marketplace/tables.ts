import { collectionFacts } from '../world/collection-facts.ts';
import { ownerOf } from '../world/ownership.ts';
import type { ActionRow, BidRow, Collection, ListingRow, Nft, WorldState } from '../world/state.ts';
import { suiPriceUsd } from '../world/tokens.ts';
import { displayOf } from '../sui/chain-objects.ts';

export type Row = Record<string, unknown>;

/** Everything the marketplace holds, made anew for each request from the one world; lists are made when first asked. */
export type Tables = { [Name in TableName]: () => Row[] };
export type TableName = 'collections' | 'nfts' | 'listings' | 'bids' | 'actions';

/** Timestamps come without a zone; they are UTC. */
function withoutZone(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '');
}

/** Amounts come as numbers in some rows and as strings in others, as a reader must expect. */
function amount(rowId: string, mist: bigint | null): number | string | null {
  if (mist === null) return null;
  return parseInt(rowId.slice(0, 2), 16) % 3 === 0 ? String(mist) : Number(mist);
}

export function tablesOf(state: WorldState, imageBaseUrl: string): Tables {
  const known = (key: string): Collection | null => {
    const collection = state.collections.get(key);
    return collection?.onMarketplace ? collection : null;
  };
  const rows = <T extends { collectionKey: string }>(source: Iterable<T>, make: (item: T, of: Collection) => Row) =>
    once(() =>
      [...source].flatMap((item) => {
        const collection = known(item.collectionKey);
        return collection ? [make(item, collection)] : [];
      }),
    );
  const listedIds = new Set(state.listings.filter((row) => row.listed).map((row) => row.nftId));
  return {
    collections: once(() =>
      [...state.collections.values()].filter((each) => each.onMarketplace).map((each) => collectionRow(state, each)),
    ),
    nfts: rows(state.nfts.values(), (nft, of) => nftRow(state, nft, of, listedIds.has(nft.id), imageBaseUrl)),
    listings: rows(state.listings, (row, of) => listingRow(state, row, of)),
    bids: rows(state.bids, (row, of) => bidRow(state, row, of)),
    actions: rows(state.actions, (row, of) => actionRow(state, row, of)),
  };
}

function once(make: () => Row[]): () => Row[] {
  let made: Row[] | null = null;
  return () => (made ??= make());
}

function collectionRow(state: WorldState, collection: Collection): Row {
  const facts = collectionFacts(state, collection);
  const suiUsd = suiPriceUsd(state);
  return {
    id: collection.rowId,
    title: collection.title,
    // The on-chain type of the NFTs, with its address as the chain writes it.
    slug: collection.nftType,
    semantic_slug: collection.semanticSlug,
    description: collection.description,
    floor: amount(collection.rowId, facts.floorMist),
    volume: amount(collection.rowId, collection.volumeMist),
    usd_volume: suiUsd === null ? null : (Number(collection.volumeMist) / 1e9) * suiUsd,
    supply: facts.supply,
    num_owners: facts.ownerCount,
    cover_url: null,
    verified: collection.verified,
    discord: null,
    twitter: null,
    website: null,
  };
}

function nftRow(state: WorldState, nft: Nft, collection: Collection, listed: boolean, imageBaseUrl: string): Row {
  return {
    id: nft.rowId,
    token_id: nft.id,
    token_id_index: nft.number,
    name: nft.name,
    media_url: displayOf(nft, imageBaseUrl).image_url,
    media_type: 'image/svg+xml',
    ranking: null,
    // A listed NFT keeps its seller as owner.
    owner: ownerOf(state, nft),
    listed,
    burned: false,
    collection_id: collection.rowId,
    chain_state: nft.place.kind === 'kiosk' ? { kiosk_id: nft.place.kioskId } : {},
    claimable: false,
    claimable_by: null,
  };
}

function nftRowId(state: WorldState, nftId: string | null): string | null {
  return nftId === null ? null : (state.nfts.get(nftId)?.rowId ?? null);
}

function listingRow(state: WorldState, row: ListingRow, collection: Collection): Row {
  return {
    id: row.id,
    nft_id: nftRowId(state, row.nftId),
    price: amount(row.id, row.priceMist),
    price_str: row.priceMist === null ? null : String(row.priceMist),
    seller: row.seller,
    market_name: row.marketName,
    block_time: withoutZone(row.blockTimeMs),
    listed: row.listed,
    nonce: row.nonce,
    collection_id: collection.rowId,
  };
}

function bidRow(state: WorldState, row: BidRow, collection: Collection): Row {
  return {
    id: row.id,
    nft_id: nftRowId(state, row.nftId),
    price: amount(row.id, row.priceMist),
    price_str: String(row.priceMist),
    bidder: row.bidder,
    type: row.type,
    status: row.status,
    remaining_count: row.remainingCount,
    expires_at: row.expiresAtMs === null ? null : withoutZone(row.expiresAtMs),
    block_time: withoutZone(row.blockTimeMs),
    nonce: row.nonce,
    collection_id: collection.rowId,
  };
}

function actionRow(state: WorldState, row: ActionRow, collection: Collection): Row {
  return {
    id: row.id,
    type: row.type,
    nft_id: nftRowId(state, row.nftId),
    price: amount(row.id, row.priceMist),
    usd_price: row.usdPrice,
    price_coin: null,
    sender: row.sender,
    receiver: row.receiver,
    tx_id: row.txId,
    tx_index: row.txIndex,
    block_time: withoutZone(row.blockTimeMs),
    market_name: row.marketName,
    bought_on_tradeport: row.marketName === 'tradeport',
    nonce: row.nonce,
    collection_id: collection.rowId,
  };
}
