import { z } from 'zod';
import { callFailure } from '../bounded-fetch.ts';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalAddress, burnAddress } from '../../shared/sui-address.ts';
import { type MarketCall, marketUpstream } from './market-call.ts';
import { identifier, mistAmount, optionalText, optionalWallet, readableOf, wholeCount } from './rows.ts';

export interface MarketNfts {
  readonly nfts: readonly MarketNft[];
  /** How many exist now, by the marketplace's own count; null: it does not say. */
  readonly supply: number | null;
  /** Rows that name no object id. */
  readonly unreadableCount: number;
}

export interface ListedNftsQuery {
  readonly marketId: string;
  readonly owner: string;
}

/** An owner table of more NFTs makes no sense. */
const rowsMax = 100_000;
const firstId = '00000000-0000-0000-0000-000000000000';

const objectId = z
  .string()
  .max(200)
  .transform((text, context) => {
    const canonical = canonicalAddress(text);
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: 'no object id' });
    return z.NEVER;
  });
const listingRow = z.object({ price: mistAmount.nullable().catch(null), market_name: optionalText(60).default(null) });
const nftRow = z
  .object({
    token_id: objectId,
    name: optionalText(200),
    owner: optionalWallet,
    listed: z.boolean().nullable(),
    burned: z.boolean().nullable().default(null),
    listings: z.array(listingRow).default([]),
    media_url: optionalText(2_000).default(null),
    token_id_index: wholeCount.nullable().default(null).catch(null),
  })
  .transform((row) => ({
    objectId: row.token_id,
    name: row.name,
    /** A listed NFT keeps its seller. */
    owner: row.owner === burnAddress ? null : row.owner,
    isListed: row.listed === true,
    isBurned: row.burned === true,
    ...lowest(row.listings),
    imageUrl: row.media_url,
    /** Its place in the collection, by the marketplace's count. */
    index: row.token_id_index,
  }));
/** One NFT as the marketplace knows it; `imageUrl` null: not known, or not requested. */
export type MarketNft = Readonly<z.output<typeof nftRow>>;

const rowId = z.object({ id: identifier(100) });
const collectionRows = z.array(z.object({ supply: wholeCount.nullable() }));

const nftsSchema = z.object({ collections: collectionRows, nfts: z.array(z.unknown()) });
const listedSchema = z.object({ nfts: z.array(z.unknown()) });

const page = 'order_by: [{id: asc}], limit: 1000';
const listings = 'listings(where: {listed: {_eq: true}}) { price market_name }';
const nftsQuery =
  'query nfts($id: uuid!, $after: uuid!) { sui { collections(where: {id: {_eq: $id}}) { supply } ' +
  `nfts(where: {collection_id: {_eq: $id}, id: {_gt: $after}}, ${page}) { id token_id token_id_index name media_url owner listed burned ${listings} } } }`;
const listedQuery =
  'query listed($id: uuid!, $owner: String!, $after: uuid!) { sui { nfts(where: {collection_id: {_eq: $id}, ' +
  `owner: {_eq: $owner}, listed: {_eq: true}, id: {_gt: $after}}, ${page}) ` +
  '{ id token_id name owner listed } } }';

/** Every NFT of a collection that the marketplace knows, burned ones too, in pages of at most 1000. */
export async function readNfts(call: MarketCall, marketId: string, stop?: AbortSignal): Promise<MarketNfts> {
  let supply: number | null = null;
  const rows = await readAllRows(async (after) => {
    const variables = { id: marketId, after };
    const answer = await call({ operation: 'nfts', query: nftsQuery, variables, schema: nftsSchema }, stop);
    supply = answer.collections[0]?.supply ?? null;
    return answer.nfts;
  });
  const nfts = readableOf(nftRow, rows);
  return { nfts, supply, unreadableCount: rows.length - nfts.length };
}

/** The NFTs that a wallet has for sale. Throws Unavailable, also if a row cannot be read. */
export async function readListedNfts(
  call: MarketCall,
  { marketId, owner }: ListedNftsQuery,
  stop?: AbortSignal,
): Promise<readonly MarketNft[]> {
  const rows = await readAllRows(async (after) => {
    const variables = { id: marketId, owner, after };
    return (await call({ operation: 'listed-nfts', query: listedQuery, variables, schema: listedSchema }, stop)).nfts;
  });
  const nfts = readableOf(nftRow, rows).filter((nft) => nft.owner === owner && nft.isListed);
  if (nfts.length === rows.length) return nfts;
  throw callFailure(marketUpstream, 'malformed-answer', { cause: new Error('A listed NFT could not be read') });
}

/**
 * Pages go by row id, which never changes, so that an NFT that comes or goes meanwhile shifts no page. A page may be shorter than
 * requested: only an empty page is the end.
 */
async function readAllRows(readPage: (after: string) => Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  let after = firstId;
  while (rows.length < rowsMax) {
    const more = await readPage(after);
    if (more.length === 0) return rows;
    rows.push(...more);
    const last = rowId.safeParse(more.at(-1)).data?.id;
    if (last === undefined || last <= after) {
      throw callFailure(marketUpstream, 'malformed-answer', { cause: new Error('The pages do not move on') });
    }
    after = last;
  }
  throw new Unavailable('too-many-rows', `${marketUpstream} has more than ${rowsMax} NFTs`);
}

/** The lowest price of the active listings, and its market; null: no readable price. */
function lowest(rows: readonly z.output<typeof listingRow>[]) {
  const listing = rows.reduce<z.output<typeof listingRow> | null>(
    (low, row) => (row.price !== null && (low?.price == null || row.price < low.price) ? row : low),
    null,
  );
  return { listPriceMist: listing?.price ?? null, listMarketName: listing?.market_name ?? null };
}
