import { baseType, canonicalType } from '../../shared/sui-address.ts';
import { findCollections } from '../../sources/tradeport/collections.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { MarketCollection } from '../../sources/tradeport/rows.ts';
import type { NftTypeAnswer } from '../contract.ts';
import { isCoinType, parseCollectionText } from '../core/collection-text.ts';
import { mayBeCollected } from '../core/count-holdings.ts';
import { bestOf } from '../core/found-collection.ts';
import { typeArguments } from '../core/held-type.ts';
import { type ChainSource, isCoin, objectTypeOf } from '../lookup/look-up-collection.ts';
import { type CollectionsOf, collectionsOrNone } from './market-collections.ts';
import type { OwnerSource } from './owner-reader.ts';

export interface ReadNftTypeDeps {
  readonly sui: ChainSource & Pick<OwnerSource, 'readDatatype'>;
  readonly market: MarketCall;
  readonly collectionsOf: CollectionsOf;
}

const malformed: NftTypeAnswer = { kind: 'malformed' };
const missing: NftTypeAnswer = { kind: 'missing' };
const coin: NftTypeAnswer = { kind: 'not-an-nft', problem: 'coin' };
const noObject: NftTypeAnswer = { kind: 'not-an-nft', problem: 'no-object' };

/**
 * What a server's NFT is set to: a type, a piece of it, or a package or marketplace link that can mean one
 * collection only. Where several are possible the whole type has to be given: `malformed`. Throws Unavailable.
 */
export async function readNftType(deps: ReadNftTypeDeps, text: string, stop?: AbortSignal): Promise<NftTypeAnswer> {
  const parsed = parseCollectionText(text);
  if (parsed.kind === 'malformed') return parsed.problem === 'coin' ? coin : malformed;
  if (parsed.kind === 'type') return checkType(deps, parsed.type, stop);
  if (parsed.kind === 'address') return checkAddress(deps, parsed.address, stop);
  const query =
    parsed.kind === 'market-id'
      ? ({ by: 'id', id: parsed.marketId } as const)
      : ({ by: 'slug', slugs: [parsed.slug] } as const);
  const found = await findCollections(deps.market, query);
  if (found.length > 0) return checkOnly(deps, found, stop);
  // A word that names nothing is no type that could be missing.
  return parsed.kind === 'slug' && parsed.slug === text.trim() ? malformed : missing;
}

/** An address is a package's or, where it is none, a piece's own. */
async function checkAddress(deps: ReadNftTypeDeps, address: string, stop?: AbortSignal): Promise<NftTypeAnswer> {
  const type = await objectTypeOf(deps.sui, address);
  if (type === null) return missing;
  if (type !== 'package') return checkType(deps, type, stop);
  return checkOnly(deps, await findCollections(deps.market, { by: 'package', address }), stop);
}

/** The one type that these collections can mean; of several the only verified one. */
async function checkOnly(
  deps: ReadNftTypeDeps,
  found: readonly MarketCollection[],
  stop?: AbortSignal,
): Promise<NftTypeAnswer> {
  const typesOf = (collections: readonly MarketCollection[]): readonly string[] => [
    ...new Set(collections.flatMap(({ slug }) => canonicalType(slug) ?? [])),
  ];
  const verified = typesOf(found.filter(({ isVerified }) => isVerified));
  const all = typesOf(found);
  const [type, ...others] = verified.length > 0 ? verified : all;
  return type === undefined || others.length > 0 ? malformed : checkType(deps, type, stop);
}

async function checkType(deps: ReadNftTypeDeps, type: string, stop?: AbortSignal): Promise<NftTypeAnswer> {
  if (isCoinType(type)) return coin;
  const datatype = await deps.sui.readDatatype(baseType(type), stop);
  if (datatype === null) return missing;
  if (!datatype.isObject) return (await isCoin(deps.sui, type)) ? coin : noObject;
  const given = typeArguments(type);
  if (given !== '' && datatype.typeParameterCount === 0) return missing;
  // An upgrade gives a package another address; objects keep the type of the one that first had it.
  const nftType = `${datatype.definedType}${given}`;
  if (!mayBeCollected(nftType)) return nftType.endsWith('::coin::Coin') ? coin : noObject;
  const { collections } = await collectionsOrNone(deps.collectionsOf, nftType);
  const best = bestOf(collections.filter(({ slug }) => canonicalType(slug) === nftType)) ?? bestOf(collections);
  const { name = null, imageUrl = null, marketId = null } = best ?? {};
  return { kind: 'nft', nftType, name, imageUrl, marketId };
}
