import { concurrently } from '../process/concurrency.ts';
import { chunksOf } from '../shared/chunks.ts';
import { Unavailable } from '../shared/failure.ts';
import { isUsableType } from '../shared/sui-address.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { readBids, readCollections } from '../sources/tradeport/collections.ts';
import { countHoldings, isOfType, mayBeNft } from './core/held-types.ts';
import { factsOf, matchListings, slugsOf } from './core/market-facts.ts';
import { type CapType, capTypesOf, isCap, kiosksMax, readCaps, readKiosksOfCaps } from './owners/kiosk-caps.ts';
import { createOwnership, type OwnershipDeps } from './owners/ownership.ts';
import { type ActivityDeps, createActivity } from './poll/activity.ts';

export interface CollectionsDeps extends Omit<ActivityDeps & OwnershipDeps, 'config' | 'sui'> {
  readonly config: ActivityDeps['config'] & OwnershipDeps['config'];
  readonly sui: OwnershipDeps['sui'] & NftSource & Pick<SuiClient, 'readContents'>;
}

export type Collections = ReturnType<typeof createCollections>;

/** Collections: who holds what, and what the marketplace says about them. Adds its jobs. */
export function createCollections(deps: CollectionsDeps) {
  const { config, sui } = deps;
  const capTypes = capTypesOf(config.SUI_NETWORK);
  return {
    /** Tracked collections and their activity. Add listeners before the start. */
    activity: createActivity(deps),
    ownership: createOwnership(deps),
    /** Throws Unavailable when any part of the wallet could not be read. */
    readHoldings: (owner: string, stop?: AbortSignal) => readHoldings(sui, capTypes, owner, stop),
    isCap: (objectType: string): boolean => isCap(capTypes, objectType),
    isNft: (objectType: string): boolean => mayBeNft(objectType) && !isCap(capTypes, objectType),
    isOwnCollection: (objectType: string): boolean => isOfType(config.COLLECTION_TYPE, objectType),
    /** The kiosk caps that an address holds now. Throws Unavailable. */
    readKiosksOf: (owner: string, stop?: AbortSignal) => readCaps(sui, capTypes, owner, stop),
    /** The kiosk that each cap opens now. Throws Unavailable. */
    readKiosksOfCaps: (capIds: readonly string[], stop?: AbortSignal) => readKiosksOfCaps(sui, capTypes, capIds, stop),
    readMarketFacts: (types: readonly string[], stop?: AbortSignal) => readMarketFacts(deps, types, stop),
  };
}

type NftSource = Pick<SuiClient, 'listOwnedObjects' | 'readKiosk'>;

/** Fifty kiosks are two rounds; more at once would only queue at the node. */
const kiosksAtOnceMax = 25;

/**
 * Rulings R3: NFTs directly owned and in every kiosk whose cap the wallet holds, listed or not, all pages. One call per
 * kiosk. Throws Unavailable when anything could not be read: a partial answer would be wrong.
 */
async function readHoldings(sui: NftSource, capTypes: readonly CapType[], owner: string, stop?: AbortSignal) {
  const readKiosks = async () => {
    const caps = await readCaps(sui, capTypes, owner, stop);
    const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
    if (kioskIds.length > kiosksMax) {
      throw new Unavailable('too-many-kiosks', `The wallet holds the caps of more than ${kiosksMax} kiosks`);
    }
    return concurrently(kioskIds, kiosksAtOnceMax, (kioskId) => sui.readKiosk(kioskId, stop));
  };
  const [direct, kiosks] = await Promise.all([sui.listOwnedObjects({ owner, include: 'display' }, stop), readKiosks()]);
  const objectTypes = capTypes.map(({ objectType }) => objectType);
  return countHoldings(direct, kiosks, objectTypes);
}

/** The slugs of this many types still fit a request that any server accepts. */
const typesPerCallMax = 200;

/** The marketplace's facts about collections; collections that it does not know are absent. Throws Unavailable. */
async function readMarketFacts(
  { marketplace, clock }: Pick<CollectionsDeps, 'marketplace' | 'clock'>,
  collectionTypes: readonly string[],
  stop?: AbortSignal,
) {
  const readChunk = async (types: readonly string[]) => {
    const listings = matchListings(
      types,
      await readCollections(marketplace, [...new Set(types.flatMap(slugsOf))], stop),
    );
    // The bids on the others do not count.
    const verified = [...listings.values()].filter(({ isVerified }) => isVerified);
    const ids = [...new Set(verified.map(({ marketId }) => marketId))];
    const bids = ids.length === 0 ? [] : await readBids(marketplace, ids, stop);
    return factsOf(listings, bids, clock.now());
  };
  const types = [...new Set(collectionTypes)].filter(isUsableType);
  const chunks = await Promise.all(chunksOf(types, typesPerCallMax).map(readChunk));
  return new Map(chunks.flat().map((fact) => [fact.collectionType, fact]));
}
