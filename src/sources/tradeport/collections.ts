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

/** An answer that reaches this may be incomplete, and is refused. */
const rowsMax = 5_000;
/** A page may be shorter than requested, but a page below this length is the last one. */
const shortPageRows = 10;

const collectionsSchema = z.object({ collections: z.array(z.unknown()) });
const collectionsQuery = `query facts($slugs: [String!]!) { sui { collections(where: {slug: {_in: $slugs}}, limit: ${rowsMax}) { ${collectionFields} } } }`;

/** The collections of these slugs; those that the marketplace does not know are absent. */
export function readCollections(
  call: MarketCall,
  slugs: readonly string[],
  stop?: AbortSignal,
): Promise<readonly MarketCollection[]> {
  const query = { operation: 'collections', query: collectionsQuery, schema: collectionsSchema };
  const read = async (left: readonly string[]) =>
    (await call({ ...query, variables: { slugs: left } }, stop)).collections;
  return readForAll(slugs, read, collectionsOfRows, ({ slug }) => slug);
}

const bidRow = z.object({
  collection_id: identifier(100),
  price: mistAmount,
  expires_at: utcTime.nullable(),
  remaining_count: wholeCount.nullable(),
});
const bidsSchema = z.object({ bids: z.array(z.unknown()) });
const bidsQuery =
  'query bids($ids: [uuid!]!) { sui { ' +
  'bids(where: {collection_id: {_in: $ids}, type: {_eq: "collection"}, status: {_eq: "active"}}, ' +
  `order_by: [{price: desc}], limit: ${rowsMax}) { collection_id price expires_at remaining_count } } }`;

/** The active bids for any NFT of these collections; expired ones may be among them. `ids`: the marketplace's. */
export function readBids(call: MarketCall, ids: readonly string[], stop?: AbortSignal): Promise<readonly MarketBid[]> {
  const query = { operation: 'bids', query: bidsQuery, schema: bidsSchema };
  const read = async (left: readonly string[]) => (await call({ ...query, variables: { ids: left } }, stop)).bids;
  return readForAll(ids, read, bidsOfRows, ({ marketId }) => marketId);
}

/** One call, or, if its answer may be incomplete, another one for the keys without a row. */
async function readForAll<Row>(
  keys: readonly string[],
  read: (keys: readonly string[]) => Promise<readonly unknown[]>,
  parse: (answered: readonly unknown[]) => readonly Row[],
  keyOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const answered = await read(keys);
  if (answered.length >= rowsMax) {
    throw new Unavailable('too-many-rows', `${marketUpstream} has more than ${rowsMax} rows`);
  }
  const rows = parse(answered);
  const found = new Set(rows.map(keyOf));
  const left = answered.length < shortPageRows ? [] : keys.filter((key) => !found.has(key));
  // An answer that brought nothing new would bring nothing again.
  if (left.length === 0 || left.length === keys.length) return rows;
  return [...rows, ...(await readForAll(left, read, parse, keyOf))];
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

/** At most 50 collections, in no particular order. Unreadable rows are left out. */
export async function findCollections(
  call: MarketCall,
  query: CollectionQuery,
  stop?: AbortSignal,
): Promise<readonly MarketCollection[]> {
  const variables = variablesOf(query);
  const request = { operation: 'collection-lookup', query: forms[query.by], variables, schema: collectionsSchema };
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
