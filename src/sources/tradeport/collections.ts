import { z } from 'zod';
import { callFailure } from '../bounded-fetch.ts';
import { Unavailable } from '../../shared/failure.ts';
import { type MarketCall, marketUpstream } from './market-call.ts';
import {
  collectionFields,
  collectionRow,
  identifier,
  type MarketBid,
  type MarketCollection,
  mistAmount,
  readableOf,
  utcTime,
  wholeCount,
} from './rows.ts';

export interface CollectionsAndBids {
  readonly collections: readonly MarketCollection[];
  /** Active collection bids, highest first; expired ones may be among them. */
  readonly bids: readonly MarketBid[];
}

/** An answer that reaches this may be incomplete, and is refused. */
const rowsMax = 5_000;

const bidRow = z.object({
  collection_id: identifier(100),
  price: mistAmount,
  expires_at: utcTime.nullable(),
  remaining_count: wholeCount.nullable(),
});
const factsSchema = z.object({ collections: z.array(z.unknown()), bids: z.array(z.unknown()).default([]) });
/** A page may be shorter than requested, but a page below this length is the last one. */
const shortPageRows = 10;

const collectionsPart = `collections(where: {slug: {_in: $slugs}}, limit: ${rowsMax}) { ${collectionFields} }`;
const bidsPart =
  'bids(where: {collection_id: {_in: $ids}, type: {_eq: "collection"}, status: {_eq: "active"}}, ' +
  `order_by: [{price: desc}], limit: ${rowsMax}) { collection_id price expires_at remaining_count }`;
const collectionsQuery = `query facts($slugs: [String!]!) { sui { ${collectionsPart} } }`;
const factsQuery = `query facts($slugs: [String!]!, $ids: [uuid!]!) { sui { ${collectionsPart} ${bidsPart} } }`;

interface FactsWanted {
  readonly slugs: readonly string[];
  readonly bidsOf: readonly string[];
}

/** The collections of these slugs and the bids on the collections `bidsOf`: one call, or more if an answer may be incomplete. */
export async function readCollectionsAndBids(
  call: MarketCall,
  wanted: FactsWanted,
  stop?: AbortSignal,
): Promise<CollectionsAndBids> {
  const { collections, bids, isShort } = await readPage(call, wanted, stop);
  const slugs = new Set(collections.map(({ slug }) => slug));
  const ids = new Set(bids.map(({ marketId }) => marketId));
  const left = {
    slugs: isShort.collections ? [] : wanted.slugs.filter((slug) => !slugs.has(slug)),
    bidsOf: isShort.bids ? [] : wanted.bidsOf.filter((id) => !ids.has(id)),
  };
  const leftCount = left.slugs.length + left.bidsOf.length;
  // An answer that brought nothing new would bring nothing again.
  if (leftCount === 0 || leftCount === wanted.slugs.length + wanted.bidsOf.length) return { collections, bids };
  const more = await readCollectionsAndBids(call, left, stop);
  return { collections: [...collections, ...more.collections], bids: [...bids, ...more.bids] };
}

async function readPage(call: MarketCall, { slugs, bidsOf }: FactsWanted, stop?: AbortSignal) {
  const form =
    bidsOf.length > 0
      ? { query: factsQuery, variables: { slugs, ids: bidsOf } }
      : { query: collectionsQuery, variables: { slugs } };
  const { collections, bids } = await call({ operation: 'collections', ...form, schema: factsSchema }, stop);
  if (collections.length >= rowsMax || bids.length >= rowsMax) {
    throw new Unavailable('too-many-rows', `${marketUpstream} has more than ${rowsMax} rows`);
  }
  return {
    collections: collectionsOfRows(collections),
    bids: bidsOfRows(bids),
    isShort: { collections: collections.length < shortPageRows, bids: bids.length < shortPageRows },
  };
}

const unverifiedRow = z.object({ verified: z.literal([false, null]) });

/** Anybody can create an unverified collection, and its floor is not used: an unreadable one must not hide all others. */
function collectionsOfRows(rows: readonly unknown[]): readonly MarketCollection[] {
  return rows.flatMap((row) => {
    const collection = collectionRow.safeParse(row).data;
    if (collection === undefined && !unverifiedRow.safeParse(row).success) throw nothingReadable();
    return collection ?? [];
  });
}

/** A bidder may set any end, even the year 10000: one unreadable bid must not hide the floor and all other bids. */
function bidsOfRows(rows: readonly unknown[]): readonly MarketBid[] {
  const readable = readableOf(bidRow, rows);
  if (rows.length > 0 && readable.length === 0) throw nothingReadable();
  return readable
    .filter(({ remaining_count, price }) => remaining_count !== 0 && price > 0n)
    .map((row) => ({ marketId: row.collection_id, priceMist: row.price, expiresAt: row.expires_at }));
}

const nothingReadable = (): Unavailable =>
  callFailure(marketUpstream, 'malformed-answer', { cause: new Error('No row could be read') });

/** How to look up a collection. Each way has its own query, because the indexer refuses complex ones. */
export type CollectionQuery =
  /** Types, package addresses or the slugs of links. */
  | { readonly by: 'slug'; readonly slugs: readonly string[] }
  /** The package itself and all its types; the address is canonical. */
  | { readonly by: 'package'; readonly address: string }
  | { readonly by: 'id'; readonly id: string }
  /** Verified collections with this title, ignoring case. */
  | { readonly by: 'verified-title'; readonly title: string };

/** The most collections that one query finds. */
export const foundMax = 50;

const forms = {
  slug: form('$slugs: [String!]!', '_or: [{slug: {_in: $slugs}}, {semantic_slug: {_in: $slugs}}]'),
  package: form(
    '$addresses: [String!]!, $one: String!, $other: String!',
    '_or: [{slug: {_in: $addresses}}, {slug: {_ilike: $one}}, {slug: {_ilike: $other}}]',
  ),
  id: form('$id: uuid!', 'id: {_eq: $id}'),
  'verified-title': form('$title: String!', 'title: {_ilike: $title}, verified: {_eq: true}'),
} as const;

function form(variables: string, where: string): string {
  return `query lookup(${variables}) { sui { collections(where: {${where}}, limit: ${foundMax}) { ${collectionFields} } } }`;
}

const foundSchema = z.object({ collections: z.array(z.unknown()) });

/** At most 50 collections, in no particular order. Unreadable rows are left out. */
export async function findCollections(
  call: MarketCall,
  query: CollectionQuery,
  stop?: AbortSignal,
): Promise<readonly MarketCollection[]> {
  const variables = variablesOf(query);
  const request = { operation: 'collection-lookup', query: forms[query.by], variables, schema: foundSchema };
  const { collections } = await call(request, stop);
  const readable = readableOf(collectionRow, collections);
  if (collections.length > 0 && readable.length === 0) throw nothingReadable();
  return readable;
}

function variablesOf(query: CollectionQuery): Readonly<Record<string, unknown>> {
  if (query.by === 'slug') return { slugs: query.slugs };
  if (query.by === 'id') return { id: query.id };
  // Wildcard characters in a title are meant literally.
  if (query.by === 'verified-title') return { title: query.title.replaceAll(/[\\%_]/g, String.raw`\$&`) };
  const short = query.address.replace(/^0x0*(?=[0-9a-f])/, '0x');
  return { addresses: [query.address, short], one: `${query.address}::%`, other: `${short}::%` };
}
