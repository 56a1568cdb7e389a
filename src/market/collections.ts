import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../shared/clock.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import type { MarketCall } from '../sources/tradeport/market-call.ts';
import { isOfType, mayBeCollected } from './core/held-types.ts';
import { describeMarketFacts } from './core/market-facts.ts';
import { collectionPurges, type EventUse } from './poll/event-store.ts';
import { createFactReader, createFactStore } from './facts/kept-facts.ts';
import type { ChainSource } from './look-up-collection.ts';
import {
  type CapType,
  frameworkCapTypes,
  isCap,
  mainnetCapTypes,
  type NftSource,
  type OwnerSource,
  readCaps,
  readHoldings,
  readKiosksOfCaps,
} from './owners/holdings.ts';
import { createOwnership } from './owners/ownership.ts';
import { createActivity, type PollTimes } from './poll/activity.ts';
import type { Log } from '../process/logger.ts';

export interface CollectionsDeps {
  readonly settings: {
    readonly network: string;
    /** Canonical. */
    readonly collectionType: string;
    /** Which objects prove the ownership of a kiosk; by default those of the network. */
    readonly capTypes?: readonly CapType[];
    /** How often the activity of a tracked collection is read; 30 to 45 s when left out. */
    readonly tracker?: PollTimes;
  };
  readonly sui: NftSource & ChainSource & OwnerSource & Pick<SuiClient, 'readContents'>;
  readonly backgroundSui: OwnerSource;
  readonly marketplace: MarketCall;
  readonly database: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export type Collections = ReturnType<typeof createCollections>;

/** What is true of collections: who holds what, and what the marketplace says of them. Adds its jobs. */
export function createCollections(deps: CollectionsDeps) {
  const { settings, sui, marketplace: market, database, jobs, clock, log } = deps;
  const { network, collectionType } = settings;
  const capTypes = settings.capTypes ?? (network === 'mainnet' ? mainnetCapTypes : frameworkCapTypes);
  const readFacts = createFactReader({ market, store: createFactStore(database, network), clock, log });
  return {
    /** Collections that are tracked, and what happens in them. Add listeners before the start. */
    activity: createActivity({ settings, market, sui, database, jobs, clock, log }),
    ownership: createOwnership({ ...deps, settings: { network, capTypes }, market }),
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
