import type { MarketplaceClient } from '../../sources/tradeport/marketplace-client.ts';
import type { MarketSource } from '../ports.ts';

export type MarketplaceSource = Pick<MarketplaceClient, 'readCollectionsAndBids' | 'readListedCount'>;

/** The port on TradePort's indexer. */
export function createTradeportSource(marketplace: MarketplaceSource): MarketSource {
  return {
    name: 'tradeport',
    readCollections: async (slugs: readonly string[], bidsOf: readonly string[], stop?: AbortSignal) => {
      const { collections, bids } = await marketplace.readCollectionsAndBids({ slugs, bidsOf }, stop);
      return {
        listings: collections.map(({ id, slug, title, isVerified, floorMist, supply, ownerCount }) => ({
          marketId: id,
          slug,
          name: title,
          isVerified,
          floorMist,
          // Rulings R3: a marketplace's supply is what exists now.
          mintedCount: supply,
          ownerCount,
        })),
        bids: bids.map(({ collectionId, priceMist, expiresAt }) => ({ marketId: collectionId, priceMist, expiresAt })),
      };
    },
    readListedCount: (marketId: string, stop?: AbortSignal) => marketplace.readListedCount(marketId, stop),
  };
}
