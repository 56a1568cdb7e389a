import type { MarketCollection } from '../sources/tradeport/collection-row.ts';
import type { MarketplaceClient } from '../sources/tradeport/marketplace-client.ts';
import type {
  ActivityPageQuery,
  ActivitySource,
  CollectionFinder,
  CollectionNow,
  MarketListing,
  MarketSource,
} from './ports.ts';

export type Marketplace = Pick<
  MarketplaceClient,
  'readActivity' | 'findCollections' | 'readCollectionsAndBids' | 'readListedCount'
>;

type Listed = Omit<MarketCollection, 'imageUrl'>;

/** The ports on TradePort's indexer. */
export function createTradeport(marketplace: Marketplace): ActivitySource & CollectionFinder & MarketSource {
  const find = async (query: Parameters<Marketplace['findCollections']>[0]) =>
    (await marketplace.findCollections(query)).map(toNow);
  return {
    name: 'tradeport',
    readPage: async (query: ActivityPageQuery, stop?: AbortSignal) => {
      const { collection, actions, ...rest } = await marketplace.readActivity(query, stop);
      return { ...rest, collection: collection === null ? null : toNow(collection), rows: actions };
    },
    bySlugs: (slugs) => find({ by: 'slug', slugs }),
    ofPackage: (address) => find({ by: 'package', addresses: [address, withoutZeros(address)] }),
    byMarketId: (id) => find({ by: 'id', id }),
    verifiedByName: (title) => find({ by: 'verified-title', title }),
    readCollections: async (slugs: readonly string[], bidsOf: readonly string[], stop?: AbortSignal) => {
      const { collections, bids } = await marketplace.readCollectionsAndBids({ slugs, bidsOf }, stop);
      return {
        listings: collections.map(toListing),
        bids: bids.map(({ collectionId, priceMist, expiresAt }) => ({ marketId: collectionId, priceMist, expiresAt })),
      };
    },
    readListedCount: (marketId: string, stop?: AbortSignal) => marketplace.readListedCount(marketId, stop),
  };
}

/** Rulings R3: a marketplace's supply is what exists now. */
const toListing = ({ id, slug, title, isVerified, floorMist, supply, ownerCount }: Listed): MarketListing => ({
  slug,
  isVerified,
  floorMist,
  ownerCount,
  marketId: id,
  name: title,
  mintedCount: supply,
});

const toNow = (row: MarketCollection): CollectionNow => ({ ...toListing(row), imageUrl: row.imageUrl });

const withoutZeros = (address: string): string => address.replace(/^0x0*(?=[0-9a-f])/, '0x');
