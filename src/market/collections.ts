import type { SuiClient } from '../sources/sui/sui-client.ts';
import { isOfType, mayBeCollected } from './core/held-types.ts';
import { describeMarketFacts } from './core/market-facts.ts';
import { collectionPurges, type EventUse } from './poll/event-store.ts';
import { createFactReader } from './facts/kept-facts.ts';
import {
  type CapType,
  frameworkCapTypes,
  isCap,
  mainnetCapTypes,
  type NftSource,
  readCaps,
  readHoldings,
  readKiosksOfCaps,
} from './owners/holdings.ts';
import { createOwnership, type OwnershipDeps } from './owners/ownership.ts';
import { type ActivityDeps, createActivity } from './poll/activity.ts';

export interface CollectionsDeps extends Omit<ActivityDeps & OwnershipDeps, 'settings' | 'sui'> {
  readonly settings: ActivityDeps['settings'] & {
    readonly network: string;
    /** Which objects prove the ownership of a kiosk; by default those of the network. */
    readonly capTypes?: readonly CapType[];
  };
  readonly sui: OwnershipDeps['sui'] & NftSource & Pick<SuiClient, 'readContents'>;
}

export type Collections = ReturnType<typeof createCollections>;

/** What is true of collections: who holds what, and what the marketplace says of them. Adds its jobs. */
export function createCollections(deps: CollectionsDeps) {
  const { settings, sui, marketplace: market, database, clock, log } = deps;
  const { network, collectionType } = settings;
  const capTypes = settings.capTypes ?? (network === 'mainnet' ? mainnetCapTypes : frameworkCapTypes);
  const readFacts = createFactReader({ market, database, network, clock, log });
  return {
    /** Collections that are tracked, and what happens in them. Add listeners before the start. */
    activity: createActivity(deps),
    ownership: createOwnership({ ...deps, settings: { network, capTypes } }),
    /** What it keeps for a time only (src/shared/retention.ts). */
    purges: (use: EventUse) => collectionPurges(database, use),
    /** Throws Unavailable when any part of the wallet could not be read. */
    readHoldings: (owner: string, stop?: AbortSignal) => readHoldings(sui, capTypes, owner, stop),
    isCap: (objectType: string): boolean => isCap(capTypes, objectType),
    isNft: (objectType: string): boolean => mayBeCollected(objectType) && !isCap(capTypes, objectType),
    isOwnPiece: (objectType: string): boolean => isOfType(collectionType, objectType),
    /** Kiosks whose cap an address has now. Throws Unavailable. */
    readKiosksOf: (owner: string, stop?: AbortSignal) => readCaps(sui, capTypes, owner, stop),
    /** Which kiosk each cap opens now. Throws Unavailable. */
    readKiosksOfCaps: (capIds: readonly string[], stop?: AbortSignal) => readKiosksOfCaps(sui, capTypes, capIds, stop),
    /** Absent: not on the marketplace. Throws Unavailable without a last good answer. */
    readMarketFacts: async (collectionTypes: readonly string[], stop?: AbortSignal) =>
      describeMarketFacts(await readFacts(collectionTypes, stop)),
  };
}
