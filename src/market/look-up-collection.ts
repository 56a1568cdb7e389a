import { baseType, canonicalType } from '../shared/sui-address.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { findCollections, foundMax } from '../sources/tradeport/collections.ts';
import type { MarketCall } from '../sources/tradeport/market-call.ts';
import type { MarketCollection } from '../sources/tradeport/rows.ts';
import type { CollectionLookup, NftTypeAnswer } from './contract.ts';
import {
  answerFound,
  bestOf,
  type CollectionText,
  describeFound,
  isCoinType,
  parseCollectionText,
} from './core/collection-lookup.ts';
import { mayBeNft, mayHoldType, typeArguments } from './core/held-types.ts';
import { slugsOf } from './core/market-facts.ts';
import { createAnswerCache } from '../process/answer-cache.ts';
import { outageOf } from './owners/outages.ts';

export interface LookUpDeps {
  /** Canonical type of the product's own collection. */
  readonly ownType: string;
  readonly market: MarketCall;
  readonly sui: ChainSource;
}

type WellFormed = Exclude<CollectionText, { kind: 'malformed' }>;

/**
 * The collection meant by an address, a type, or a link or slug of the marketplace. Looks at the marketplace first, and on the chain
 * only for what the marketplace does not know. Throws Unavailable.
 */
export async function lookUpCollection(deps: LookUpDeps, text: string): Promise<CollectionLookup> {
  const parsed = parseCollectionText(text);
  if (parsed.kind === 'malformed') return parsed;
  const found = await findAtMarketplace(deps, parsed);
  if (found !== undefined) return describe(deps, found);
  if (parsed.kind === 'type') return findTypeOnChain(deps, parsed.type);
  if (parsed.kind === 'address') return findAddressOnChain(deps, parsed.address);
  return { kind: 'unknown', existsOnChain: false, isName: true };
}

async function findAtMarketplace({ market }: LookUpDeps, wanted: WellFormed): Promise<MarketCollection | undefined> {
  if (wanted.kind === 'type') return findByType(market, wanted.type);
  if (wanted.kind === 'market-id') return bestOf(await findCollections(market, { by: 'id', id: wanted.marketId }));
  // The marketplace knows a collection by its package or by a type of that package.
  if (wanted.kind === 'address')
    return bestOf(await findCollections(market, { by: 'package', address: wanted.address }));
  const slugs = [...new Set([wanted.slug, wanted.slug.toLowerCase()])];
  return bestOf(await findCollections(market, { by: 'slug', slugs }));
}

/** `slugsOf` goes from the type itself to its package: the first match is the closest. */
async function findByType(market: MarketCall, type: string): Promise<MarketCollection | undefined> {
  const slugs = slugsOf(type);
  const found = await findCollections(market, { by: 'slug', slugs });
  for (const slug of slugs) {
    const best = bestOf(found.filter((each) => each.slug.toLowerCase() === slug.toLowerCase()));
    if (best !== undefined) return best;
  }
  return undefined;
}

async function describe({ market, ownType }: LookUpDeps, found: MarketCollection): Promise<CollectionLookup> {
  const collection = describeFound(found, ownType);
  const alone = answerFound(collection, [], ownType);
  if (alone.kind !== 'unverified' || found.name === null) return alone;
  const sameName = await findCollections(market, { by: 'verified-title', title: found.name });
  return answerFound(
    collection,
    sameName.map((each) => describeFound(each, ownType)),
    ownType,
  );
}

async function findTypeOnChain({ sui }: LookUpDeps, type: string): Promise<CollectionLookup> {
  if (await isCoin(sui, type)) return { kind: 'malformed', problem: 'coin' };
  const packageId = type.slice(0, type.indexOf('::'));
  return { kind: 'unknown', existsOnChain: (await objectTypeOf(sui, packageId)) === 'package', isName: false };
}

/** A canonical address that begins with this many zeros was cut short. */
const isCutShort = (address: string): boolean => address.startsWith('0x00000000');

/** The address of one NFT also names its collection. A complete address without an object is taken for a wallet. */
async function findAddressOnChain(deps: LookUpDeps, address: string): Promise<CollectionLookup> {
  const type = await objectTypeOf(deps.sui, address);
  if (type === null) {
    return isCutShort(address)
      ? { kind: 'unknown', existsOnChain: false, isName: false }
      : { kind: 'malformed', problem: 'wallet' };
  }
  if (type === 'package') return onChainOnly;
  if (isCoinType(type)) return { kind: 'malformed', problem: 'coin' };
  const found = await findByType(deps.market, type);
  return found === undefined ? onChainOnly : describe(deps, found);
}

const onChainOnly: CollectionLookup = { kind: 'unknown', existsOnChain: true, isName: false };

export type ChainSource = Pick<SuiClient, 'readOwners' | 'readCoinInfo'>;

/** The canonical type, or `package`; null: there is no such object. Throws Unavailable. */
const objectTypeOf = async (sui: ChainSource, objectId: string): Promise<string | null> =>
  (await sui.readOwners([objectId])).get(objectId)?.objectType ?? null;

/** Whether the chain has coin metadata for the type. Throws Unavailable. */
const isCoin = async (sui: ChainSource, type: string): Promise<boolean> => (await sui.readCoinInfo(type)) !== null;

interface ReadNftTypeDeps {
  readonly sui: ChainSource & Pick<SuiClient, 'readDatatype'>;
  readonly collectionsOf: CollectionsOf;
}

const missing: NftTypeAnswer = { kind: 'missing' };
const coin: NftTypeAnswer = { kind: 'not-an-nft', problem: 'coin' };
const noObject: NftTypeAnswer = { kind: 'not-an-nft', problem: 'no-object' };

/** Whether this type can be a server's NFT; with its name if the marketplace gives one. Throws Unavailable. */
export async function readNftType(deps: ReadNftTypeDeps, text: string, stop?: AbortSignal): Promise<NftTypeAnswer> {
  const type = canonicalType(text.trim());
  return type === null ? { kind: 'malformed' } : checkType(deps, type, stop);
}

async function checkType(deps: ReadNftTypeDeps, type: string, stop?: AbortSignal): Promise<NftTypeAnswer> {
  if (isCoinType(type)) return coin;
  const datatype = await deps.sui.readDatatype(baseType(type), stop);
  if (datatype === null) return missing;
  if (!datatype.isObject) return (await isCoin(deps.sui, type)) ? coin : noObject;
  const given = typeArguments(type);
  if (given !== '' && datatype.typeParameterCount === 0) return missing;
  // An upgraded package has a new address, but objects keep the address of the version that defined their type.
  const nftType = `${datatype.definedType}${given}`;
  if (!mayBeNft(nftType)) return nftType.endsWith('::coin::Coin') ? coin : noObject;
  const found = await outageOf(deps.collectionsOf(nftType));
  const collections = 'outage' in found ? [] : found.value.collections;
  const best = bestOf(collections.filter(({ slug }) => canonicalType(slug) === nftType)) ?? bestOf(collections);
  return { kind: 'nft', nftType, name: best?.name ?? null };
}

export interface CollectionsOfType {
  /** Empty: the marketplace knows none, so no NFT can be for sale there. */
  readonly collections: readonly MarketCollection[];
  /** False: there may be more. */
  readonly isComplete: boolean;
}

/** Throws Unavailable. */
export type CollectionsOf = (nftType: string) => Promise<CollectionsOfType>;

const keepMs = 600_000;
/** Short, so that a collection that the marketplace adds is found soon. */
const keepUnknownMs = 60_000;

/** The marketplace's collections for a type, cached in memory: their ids do not change. */
export function createMarketCollections(market: MarketCall, clock: { now(): Date }): CollectionsOf {
  const cached = createAnswerCache<CollectionsOfType>(clock, ({ collections }) =>
    collections.length === 0 ? keepUnknownMs : keepMs,
  );
  return (nftType) => cached(nftType, () => collectionsOfType(market, nftType));
}

async function collectionsOfType(market: MarketCall, nftType: string): Promise<CollectionsOfType> {
  const address = nftType.slice(0, nftType.indexOf('::'));
  const ofPackage = await findCollections(market, { by: 'package', address });
  const isComplete = ofPackage.length < foundMax;
  // A launchpad's package holds many collections: the requested one may be beyond the first fifty.
  const rows = isComplete
    ? ofPackage
    : [...ofPackage, ...(await findCollections(market, { by: 'slug', slugs: slugsOf(nftType) }))];
  const matching = rows.filter(({ slug }) => mayHoldType(slug, nftType));
  const byId = new Map(matching.map((each) => [each.marketId, each]));
  return { collections: [...byId.values()], isComplete: isComplete || nftType.includes('<') };
}
