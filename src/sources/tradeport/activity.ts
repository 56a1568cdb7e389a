import { z } from 'zod';
import { callFailure } from '../bounded-fetch.ts';
import { Unavailable } from '../../shared/failure.ts';
import { type MarketCall, marketUpstream } from './market-call.ts';
import {
  actionFields,
  actionRow,
  collectionFields,
  collectionRow,
  type MarketAction,
  type MarketCollection,
  readableOf,
  wholeCount,
} from './rows.ts';

export interface ActivityQuery {
  /** The marketplace's id of the collection. */
  readonly marketId: string;
  /** The wanted activity types, in the marketplace's words. */
  readonly types: readonly string[];
  /** Inclusive, by the marketplace's clock. */
  readonly since: Date;
  /** Rows to skip in this order, for paging. */
  readonly offset: number;
  readonly limit: number;
  /** `newest-first` is for the first sight of a collection; later reading goes on `oldest-first`. */
  readonly order: 'oldest-first' | 'newest-first';
}

export interface MarketActivity {
  /** null: its row could not be read this time. */
  readonly collection: MarketCollection | null;
  readonly listedCount: number | null;
  readonly actions: readonly MarketAction[];
  /** All rows of the page, the unreadable ones included. */
  readonly rowCount: number;
  /** The query has more rows after this page. A page may be shorter than requested. */
  readonly hasMore: boolean;
  readonly unreadableCount: number;
}

const where = 'where: {collection_id: {_eq: $id}, type: {_in: $types}, block_time: {_gte: $since}}';
/** All actions of one transaction have the same `tx_index`: only the id makes their order the same on each page. */
const query = (direction: 'asc' | 'desc'): string =>
  'query activity($id: uuid!, $types: [String!]!, $since: timestamp!, $limit: Int!, $offset: Int!) { sui { ' +
  `collections(where: {id: {_eq: $id}}) { ${collectionFields} } ` +
  'listings_aggregate(where: {collection_id: {_eq: $id}, listed: {_eq: true}}) { aggregate { count } } ' +
  `actions_aggregate(${where}) { aggregate { count } } ` +
  `actions(${where}, order_by: [{block_time: ${direction}}, {tx_index: ${direction}}, {id: ${direction}}], limit: $limit, offset: $offset) ` +
  `{ ${actionFields} } } }`;
const queries = { 'oldest-first': query('asc'), 'newest-first': query('desc') };

const counted = z
  .object({ aggregate: z.object({ count: wholeCount }) })
  .transform(({ aggregate }) => aggregate.count)
  .nullable()
  .catch(null);
const schema = z.object({
  collections: z.array(z.unknown()),
  listings_aggregate: counted,
  actions_aggregate: counted,
  actions: z.array(z.unknown()),
});

/** If no row can be read and there are more than this, the format has changed. */
const badRowsMax = 2;

/**
 * One page of a collection's activity, and the collection as it is now, in one call. Unreadable rows are counted and left
 * out. Throws Unavailable; `collection-unknown`: the marketplace has no collection with that id.
 */
export async function readActivity(
  call: MarketCall,
  { marketId, types, since, offset, limit, order }: ActivityQuery,
  stop?: AbortSignal,
): Promise<MarketActivity> {
  // A timestamp of the indexer has no zone and is UTC.
  const variables = { id: marketId, types, since: since.toISOString().replace('Z', ''), offset, limit };
  const answer = await call({ operation: 'activity', query: queries[order], variables, schema }, stop);
  if (answer.collections.length === 0) {
    throw new Unavailable('collection-unknown', `${marketUpstream} no longer knows the collection`);
  }
  const collection = readableOf(collectionRow, answer.collections).find((row) => row.marketId === marketId);
  const actions = readableOf(actionRow, answer.actions);
  const rowCount = answer.actions.length;
  const unreadableCount = rowCount - actions.length;
  if (actions.length === 0 && (collection === undefined || unreadableCount > badRowsMax)) {
    throw callFailure(marketUpstream, 'malformed-answer', { cause: new Error('No row could be read') });
  }
  return {
    collection: collection ?? null,
    listedCount: answer.listings_aggregate,
    actions,
    rowCount,
    // Without a total count, an empty page is the end.
    hasMore: rowCount > 0 && offset + rowCount < (answer.actions_aggregate ?? Infinity),
    unreadableCount,
  };
}
