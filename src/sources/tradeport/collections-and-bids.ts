import { z } from 'zod';
import { callFailure } from '../call-failure.ts';
import { Unavailable } from '../../shared/failure.ts';
import { type MarketCall, marketUpstream } from './market-call.ts';
import { mistAmount, utcTime, wholeCount } from './market-values.ts';

/** A collection as the marketplace describes it. `title` is untrusted text. */
interface MarketCollection {
  readonly id: string;
  /** The on-chain type or the package address, as the marketplace writes it. */
  readonly slug: string;
  readonly title: string | null;
  /** Floors of unverified collections are what their makers like them to be. */
  readonly isVerified: boolean;
  readonly floorMist: bigint | null;
  /** What exists now, not the maximum. */
  readonly supply: number | null;
  readonly ownerCount: number | null;
}

/** An open offer for any piece of a collection. */
interface MarketBid {
  readonly collectionId: string;
  readonly priceMist: bigint;
  /** null: until cancelled. */
  readonly expiresAt: Date | null;
}

export interface CollectionsAndBidsQuery {
  readonly slugs: readonly string[];
  /** Whose bids are wanted; none when empty. */
  readonly bidsOf: readonly string[];
}

export interface CollectionsAndBids {
  readonly collections: readonly MarketCollection[];
  /** Active collection bids, highest first; expired ones may be among them. */
  readonly bids: readonly MarketBid[];
}

const titleMax = 200;
/** Reaching it means that something may be missing, which is refused rather than guessed. */
const rowsMax = 5_000;

const collectionRow = z.object({
  id: z.string().min(1).max(100),
  slug: z.string().max(2_000),
  title: z.string().nullable(),
  floor: mistAmount.nullable(),
  supply: wholeCount.nullable(),
  num_owners: wholeCount.nullable(),
  verified: z.boolean().nullable(),
});

const bidRow = z.object({
  collection_id: z.string().min(1).max(100),
  price: mistAmount,
  expires_at: utcTime.nullable(),
  remaining_count: wholeCount.nullable(),
});

const schema = z.object({ collections: z.array(collectionRow), bids: z.array(z.unknown()).default([]) });

const collectionsPart =
  'collections(where: {slug: {_in: $slugs}}, limit: 5000) { id slug title floor supply num_owners verified }';
const bidsPart =
  'bids(where: {collection_id: {_in: $ids}, type: {_eq: "collection"}, status: {_eq: "active"}}, ' +
  'order_by: [{price: desc}], limit: 5000) { collection_id price expires_at remaining_count }';
const collectionsQuery = `query facts($slugs: [String!]!) { sui { ${collectionsPart} } }`;
const factsQuery = `query facts($slugs: [String!]!, $ids: [uuid!]!) { sui { ${collectionsPart} ${bidsPart} } }`;

/** One call for both, however many. Throws Unavailable. */
export async function readCollectionsAndBids(
  call: MarketCall,
  { slugs, bidsOf }: CollectionsAndBidsQuery,
  stop?: AbortSignal,
): Promise<CollectionsAndBids> {
  const withBids = bidsOf.length > 0;
  const { collections, bids } = await call(
    {
      operation: 'collections',
      query: withBids ? factsQuery : collectionsQuery,
      variables: withBids ? { slugs, ids: bidsOf } : { slugs },
      schema,
    },
    stop,
  );
  if (collections.length >= rowsMax || bids.length >= rowsMax) {
    throw new Unavailable('too-many-rows', `${marketUpstream} has more than ${rowsMax} rows`);
  }
  return {
    collections: collections.map((row) => ({
      id: row.id,
      slug: row.slug,
      title: row.title?.slice(0, titleMax) ?? null,
      isVerified: row.verified === true,
      floorMist: row.floor === 0n ? null : row.floor,
      supply: row.supply,
      ownerCount: row.num_owners,
    })),
    bids: readableOf(bids)
      .filter((row) => row.remaining_count !== 0 && row.price > 0n)
      .map((row) => ({ collectionId: row.collection_id, priceMist: row.price, expiresAt: row.expires_at })),
  };
}

/** A bidder sets when the bid ends, even in the year 10000: that must not hide the floor and all other bids. */
function readableOf(bids: readonly unknown[]): readonly z.infer<typeof bidRow>[] {
  const rows = bids.flatMap((bid) => bidRow.safeParse(bid).data ?? []);
  if (bids.length > 0 && rows.length === 0) {
    throw callFailure(marketUpstream, 'malformed-answer', { cause: new Error('No bid could be read') });
  }
  return rows;
}

const listedSchema = z.object({ listings_aggregate: z.object({ aggregate: z.object({ count: wholeCount }) }) });

/** Rows of ended listings stay in the table, hence `listed`. */
const listedQuery =
  'query listed($id: uuid!) { sui { listings_aggregate(where: {collection_id: {_eq: $id}, listed: {_eq: true}}) ' +
  '{ aggregate { count } } } }';

/** How many pieces of a collection are for sale now. Throws Unavailable. */
export async function readListedCount(call: MarketCall, collectionId: string, stop?: AbortSignal): Promise<number> {
  const answer = await call(
    { operation: 'listed-count', query: listedQuery, variables: { id: collectionId }, schema: listedSchema },
    stop,
  );
  return answer.listings_aggregate.aggregate.count;
}
