import type { MarketCollection } from '../../sources/tradeport/collection-row.ts';
import type { MarketplaceClient } from '../../sources/tradeport/marketplace-client.ts';
import type { ActivityPageQuery, ActivitySource, CollectionFinder, CollectionNow } from '../activity-ports.ts';

export type TradeportActivitySource = Pick<MarketplaceClient, 'readActivity' | 'findCollections'>;

/** The ports on TradePort's indexer. */
export function createTradeportActivity(marketplace: TradeportActivitySource): ActivitySource & CollectionFinder {
  const find = async (query: Parameters<TradeportActivitySource['findCollections']>[0]) =>
    (await marketplace.findCollections(query)).map(toNow);
  return {
    readPage: async (query: ActivityPageQuery, stop?: AbortSignal) => {
      const { collection, actions, ...rest } = await marketplace.readActivity(query, stop);
      return { ...rest, collection: collection === null ? null : toNow(collection), rows: actions };
    },
    bySlugs: (slugs) => find({ by: 'slug', slugs }),
    ofPackage: (address) => find({ by: 'package', addresses: [address, withoutZeros(address)] }),
    byMarketId: (id) => find({ by: 'id', id }),
    verifiedByName: (title) => find({ by: 'verified-title', title }),
  };
}

function toNow({ id, title, supply, ...rest }: MarketCollection): CollectionNow {
  // Rulings R3: a marketplace's supply is what exists now.
  return { ...rest, marketId: id, name: title, mintedCount: supply };
}

const withoutZeros = (address: string): string => address.replace(/^0x0*(?=[0-9a-f])/, '0x');
