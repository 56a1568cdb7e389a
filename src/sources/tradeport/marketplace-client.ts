import { type ActivityQuery, type MarketActivity, readActivity } from './activity.ts';
import type { MarketCollection } from './collection-row.ts';
import {
  type CollectionsAndBids,
  type CollectionsAndBidsQuery,
  readCollectionsAndBids,
  readListedCount,
} from './collections-and-bids.ts';
import { type CollectionQuery, findCollections } from './find-collections.ts';
import { createMarketCall, type MarketplaceOptions } from './market-call.ts';
import { type ListedPiecesQuery, type MarketPiece, type MarketPieces, readListedPieces, readPieces } from './nfts.ts';

/** The reads this product makes of the marketplace's indexer. Each throws Unavailable and nothing else. */
export interface MarketplaceClient {
  readonly readCollectionsAndBids: (query: CollectionsAndBidsQuery, stop?: AbortSignal) => Promise<CollectionsAndBids>;
  readonly readListedCount: (collectionId: string, stop?: AbortSignal) => Promise<number>;
  /** One page; `collection-unknown` is thrown as Unavailable too. */
  readonly readActivity: (query: ActivityQuery, stop?: AbortSignal) => Promise<MarketActivity>;
  readonly findCollections: (query: CollectionQuery, stop?: AbortSignal) => Promise<readonly MarketCollection[]>;
  /** Every piece of a collection. */
  readonly readPieces: (marketId: string, stop?: AbortSignal) => Promise<MarketPieces>;
  /** What one wallet has for sale of a collection. */
  readonly readListedPieces: (query: ListedPiecesQuery, stop?: AbortSignal) => Promise<readonly MarketPiece[]>;
}

export function createMarketplaceClient(options: MarketplaceOptions): MarketplaceClient {
  const call = createMarketCall(options);
  return {
    readCollectionsAndBids: (query, stop) => readCollectionsAndBids(call, query, stop),
    readListedCount: (collectionId, stop) => readListedCount(call, collectionId, stop),
    readActivity: (query, stop) => readActivity(call, query, stop),
    findCollections: (query, stop) => findCollections(call, query, stop),
    readPieces: (marketId, stop) => readPieces(call, marketId, stop),
    readListedPieces: (query, stop) => readListedPieces(call, query, stop),
  };
}
