import { collectionFacts } from '../world/collection-facts.ts';
import { ownerOf } from '../world/ownership.ts';
import type { ActionRow, BidRow, Collection, ListingRow, Nft, WorldState } from '../world/state.ts';
import { suiPriceUsd } from '../world/tokens.ts';
import { imageUrlOf } from '../sui/display.ts';

export type Row = Record<string, unknown>;

/** Limits a table to one row id or collection, and actions to a time, so that no other rows are built. */
export type Narrowing = { id?: string; collectionId?: string; collectionSlug?: string; sinceMs?: number };

/** The marketplace's tables, built from the world for each request, and only the requested rows. */
export type Tables = { [Name in TableName]: (only?: Narrowing) => Row[] };
export type TableName = 'collections' | 'nfts' | 'listings' | 'bids' | 'actions';

/** The indexer's timestamps are UTC without a zone. */
function withoutZone(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '');
}

/** Amounts are numbers in some rows and strings in others; readers must accept both. */
function amount(rowId: string, mist: bigint | null): number | string | null {
  if (mist === null) return null;
  return parseInt(rowId.slice(0, 2), 16) % 3 === 0 ? String(mist) : Number(mist);
}

export function tablesOf(state: WorldState, imageBaseUrl: string): Tables {
  const shown = (only: Narrowing): Collection[] =>
    [...state.collections.values()].filter(
      (each) =>
        each.onMarketplace &&
        (only.collectionId === undefined || each.rowId === only.collectionId) &&
        (only.collectionSlug === undefined || each.nftType === only.collectionSlug),
    );
  type Item = { collectionKey: string };
  const rows = <T extends Item>(
    source: Iterable<T>,
    idOf: (item: T) => string,
    make: (item: T, of: Collection) => Row,
    timeMsOf: (item: T) => number = () => Infinity,
  ) =>
    remembered((only) => {
      const collections = new Map(shown(only).map((each) => [each.key, each]));
      const made: Row[] = [];
      for (const item of source) {
        if (only.id !== undefined && idOf(item) !== only.id) continue;
        if (only.sinceMs !== undefined && timeMsOf(item) < only.sinceMs) continue;
        const collection = collections.get(item.collectionKey);
        if (collection) made.push(make(item, collection));
      }
      return made;
    });
  const listedIds = once(() => new Set(state.listings.filter((row) => row.listed).map((row) => row.nftId)));
  return {
    collections: remembered((only) =>
      shown(only)
        .filter((each) => only.id === undefined || each.rowId === only.id)
        .map((each) => collectionRow(state, each, imageBaseUrl)),
    ),
    nfts: rows(
      [...state.nfts.values(), ...state.burnedNfts.values()].filter(({ id }) => !state.missedByIndexer.has(id)),
      (nft) => nft.rowId,
      (nft, of) => nftRow(state, nft, of, listedIds().has(nft.id), imageBaseUrl),
    ),
    listings: rows(
      state.listings,
      (row) => row.id,
      (row, of) => listingRow(state, row, of),
    ),
    bids: rows(
      state.bids,
      (row) => row.id,
      (row, of) => bidRow(state, row, of),
    ),
    actions: rows(
      state.actions,
      (row) => row.id,
      (row, of) => actionRow(state, row, of),
      ({ blockTimeMs }) => blockTimeMs,
    ),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The whole list is built once per request; a narrowed list each time. */
function remembered(make: (only: Narrowing) => Row[]): (only?: Narrowing) => Row[] {
  const whole = once(() => make({}));
  return (only) => (only === undefined || Object.keys(only).length === 0 ? whole() : make(only));
}

function collectionRow(state: WorldState, collection: Collection, imageBaseUrl: string): Row {
  // Counting is slow, and most readers of a row only use its names.
  const facts = once(() => collectionFacts(state, collection));
  const suiUsd = suiPriceUsd(state);
  return {
    id: collection.rowId,
    title: collection.title,
    // The on-chain type of the NFTs, with its address in the chain's form.
    slug: collection.nftType,
    semantic_slug: collection.semanticSlug,
    description: collection.description,
    get floor() {
      return amount(collection.rowId, facts().floorMist);
    },
    volume: amount(collection.rowId, collection.volumeMist),
    usd_volume: suiUsd === null ? null : (Number(collection.volumeMist) / 1e9) * suiUsd,
    get supply() {
      return facts().supply;
    },
    get num_owners() {
      return facts().ownerCount;
    },
    cover_url: `${imageBaseUrl}/image/${collection.key === state.ownCollectionKey ? 'rock' : collection.key}/1.svg`,
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
    media_url: imageUrlOf(nft, imageBaseUrl),
    media_type: 'image/svg+xml',
    ranking: null,
    // A listed NFT keeps its seller as owner.
    owner: ownerOf(state, nft),
    listed,
    burned: state.burnedNfts.has(nft.id),
    ...state.lateAtIndexer.get(nft.id),
    collection_id: collection.rowId,
    chain_state: nft.place.kind === 'kiosk' ? { kiosk_id: nft.place.kioskId } : {},
    claimable: false,
    claimable_by: null,
  };
}

function nftRowId(state: WorldState, nftId: string | null): string | null {
  return nftId === null ? null : ((state.nfts.get(nftId) ?? state.burnedNfts.get(nftId))?.rowId ?? null);
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
    price_coin: row.priceCoin,
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
