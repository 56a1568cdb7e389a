import { z } from 'zod';
import { callFailure } from '../call-failure.ts';
import { collectionFields, collectionRow, type MarketCollection } from './collection-row.ts';
import { type MarketCall, marketUpstream } from './market-call.ts';

/** By what a collection is looked for; every one is a call of its own shape, because the indexer likes simple ones. */
export type CollectionQuery =
  /** Types, package addresses or the words of links. */
  | { readonly by: 'slug'; readonly slugs: readonly string[] }
  /** The package itself and every type of it, by its address with and without leading zeros. */
  | { readonly by: 'package'; readonly addresses: readonly [string, string] }
  | { readonly by: 'id'; readonly id: string }
  /** Verified ones whose title is this, in small or capital letters. */
  | { readonly by: 'verified-title'; readonly title: string };

const rowsMax = 50;

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
  return `query lookup(${variables}) { sui { collections(where: {${where}}, limit: ${rowsMax}) { ${collectionFields} } } }`;
}

const schema = z.object({ collections: z.array(z.unknown()) });

/** At most 50, in no particular order; one row of nonsense does not hide the others. Throws Unavailable. */
export async function findCollections(
  call: MarketCall,
  query: CollectionQuery,
  stop?: AbortSignal,
): Promise<readonly MarketCollection[]> {
  const request = { operation: 'collection-lookup', query: forms[query.by], variables: variablesOf(query), schema };
  const { collections } = await call(request, stop);
  const readable = collections.flatMap((row) => {
    const parsed = collectionRow.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
  if (collections.length === 0 || readable.length > 0) return readable;
  throw callFailure(marketUpstream, 'malformed-answer', { cause: new Error('No row could be read') });
}

function variablesOf(query: CollectionQuery): Readonly<Record<string, unknown>> {
  if (query.by === 'slug') return { slugs: query.slugs };
  if (query.by === 'id') return { id: query.id };
  // What means "anything" in a pattern is meant as it is written.
  if (query.by === 'verified-title') return { title: query.title.replaceAll(/[\\%_]/g, String.raw`\$&`) };
  const [one, other] = query.addresses;
  return { addresses: query.addresses, one: `${one}::%`, other: `${other}::%` };
}
