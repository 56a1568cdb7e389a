import { z } from 'zod';
import type { MarketCall } from './market-call.ts';
import { wholeCount } from './market-values.ts';

const schema = z.object({ listings_aggregate: z.object({ aggregate: z.object({ count: wholeCount }) }) });

/** Rows of ended listings stay in the table, hence `listed`. */
const query =
  'query listed($id: uuid!) { sui { listings_aggregate(where: {collection_id: {_eq: $id}, listed: {_eq: true}}) ' +
  '{ aggregate { count } } } }';

/** How many pieces of a collection are for sale now. Throws Unavailable. */
export async function readListedCount(call: MarketCall, collectionId: string, stop?: AbortSignal): Promise<number> {
  const answer = await call({ operation: 'listed-count', query, variables: { id: collectionId }, schema }, stop);
  return answer.listings_aggregate.aggregate.count;
}
