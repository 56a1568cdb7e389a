import type { TableName } from './tables.ts';

export type ColumnType = 'uuid' | 'String' | 'bigint' | 'Int' | 'Boolean' | 'timestamp' | 'float8' | 'jsonb';
type Relation = { table: TableName; many: boolean; from: string; to: string };
type Table = { columns: Record<string, ColumnType>; relations: Record<string, Relation> };

const collection: Relation = { table: 'collections', many: false, from: 'collection_id', to: 'id' };
const nft: Relation = { table: 'nfts', many: false, from: 'nft_id', to: 'id' };
const listings: Relation = { table: 'listings', many: true, from: 'id', to: 'nft_id' };
const bids: Relation = { table: 'bids', many: true, from: 'id', to: 'nft_id' };
const actions: Relation = { table: 'actions', many: true, from: 'id', to: 'nft_id' };

/** The tables as the indexer publishes them; any other column is refused as an unknown field. */
export const marketTables: Record<TableName, Table> = {
  collections: {
    columns: {
      id: 'uuid',
      title: 'String',
      slug: 'String',
      semantic_slug: 'String',
      description: 'String',
      floor: 'bigint',
      volume: 'bigint',
      usd_volume: 'float8',
      supply: 'Int',
      num_owners: 'Int',
      cover_url: 'String',
      verified: 'Boolean',
      discord: 'String',
      twitter: 'String',
      website: 'String',
    },
    relations: {},
  },
  nfts: {
    columns: {
      id: 'uuid',
      token_id: 'String',
      token_id_index: 'Int',
      name: 'String',
      media_url: 'String',
      media_type: 'String',
      ranking: 'Int',
      owner: 'String',
      listed: 'Boolean',
      burned: 'Boolean',
      collection_id: 'uuid',
      chain_state: 'jsonb',
      claimable: 'Boolean',
      claimable_by: 'String',
    },
    relations: { collection, listings, bids, actions },
  },
  listings: {
    columns: {
      id: 'uuid',
      nft_id: 'uuid',
      price: 'bigint',
      price_str: 'String',
      seller: 'String',
      market_name: 'String',
      block_time: 'timestamp',
      listed: 'Boolean',
      nonce: 'String',
      collection_id: 'uuid',
    },
    relations: { nft, collection },
  },
  bids: {
    columns: {
      id: 'uuid',
      nft_id: 'uuid',
      price: 'bigint',
      price_str: 'String',
      bidder: 'String',
      type: 'String',
      status: 'String',
      remaining_count: 'Int',
      expires_at: 'timestamp',
      block_time: 'timestamp',
      nonce: 'String',
      collection_id: 'uuid',
    },
    relations: { nft, collection },
  },
  actions: {
    columns: {
      id: 'uuid',
      type: 'String',
      nft_id: 'uuid',
      price: 'bigint',
      usd_price: 'float8',
      price_coin: 'String',
      sender: 'String',
      receiver: 'String',
      tx_id: 'String',
      tx_index: 'Int',
      block_time: 'timestamp',
      market_name: 'String',
      bought_on_tradeport: 'Boolean',
      nonce: 'String',
      collection_id: 'uuid',
    },
    relations: { nft, collection },
  },
};

export const tableNames: readonly TableName[] = ['collections', 'nfts', 'listings', 'bids', 'actions'];
