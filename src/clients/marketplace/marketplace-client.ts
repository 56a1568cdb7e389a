import {
  type CollectionsAndBids,
  type CollectionsAndBidsQuery,
  readCollectionsAndBids,
} from './collections-and-bids.ts';
import { readListedCount } from './listed-count.ts';
import { createMarketCall, type MarketplaceOptions } from './market-call.ts';

/** The reads this product makes of the marketplace's indexer. Each throws Unavailable and nothing else. */
export interface MarketplaceClient {
  readonly readCollectionsAndBids: (query: CollectionsAndBidsQuery, stop?: AbortSignal) => Promise<CollectionsAndBids>;
  readonly readListedCount: (collectionId: string, stop?: AbortSignal) => Promise<number>;
}

export function createMarketplaceClient(options: MarketplaceOptions): MarketplaceClient {
  const call = createMarketCall(options);
  return {
    readCollectionsAndBids: (query, stop) => readCollectionsAndBids(call, query, stop),
    readListedCount: (collectionId, stop) => readListedCount(call, collectionId, stop),
  };
}
