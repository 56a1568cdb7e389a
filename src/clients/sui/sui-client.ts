import { listBalances, type WalletBalance } from './balances.ts';
import { type CoinInfo, readCoinInfo } from './coin-info.ts';
import { readDefaultName } from './default-name.ts';
import { type KioskItem, readKiosk } from './kiosk-contents.ts';
import { type ChainObject, readObjects } from './objects.ts';
import { listOwnedObjects, type OwnedObject, type OwnedObjectsQuery } from './owned-objects.ts';
import { readCheckpoint } from './service-checkpoint.ts';
import { createSuiCall, type SuiClientOptions } from './sui-call.ts';

/** The reads this product makes of the chain. Each throws Unavailable and nothing else; lists are always complete. */
export interface SuiClient {
  readonly readCheckpoint: (stop?: AbortSignal) => Promise<bigint>;
  readonly listBalances: (owner: string, stop?: AbortSignal) => Promise<readonly WalletBalance[]>;
  readonly listOwnedObjects: (query: OwnedObjectsQuery, stop?: AbortSignal) => Promise<readonly OwnedObject[]>;
  readonly readKiosk: (kioskId: string, stop?: AbortSignal) => Promise<readonly KioskItem[]>;
  /** null: the chain has no metadata of this coin. */
  readonly readCoinInfo: (coinType: string, stop?: AbortSignal) => Promise<CoinInfo | null>;
  /** Absent: no such object. */
  readonly readObjects: (objectIds: readonly string[], stop?: AbortSignal) => Promise<ReadonlyMap<string, ChainObject>>;
  readonly readDefaultName: (address: string, stop?: AbortSignal) => Promise<string | null>;
}

export function createSuiClient(options: SuiClientOptions): SuiClient {
  const call = createSuiCall(options);
  return {
    readCheckpoint: (stop) => readCheckpoint(call, stop),
    listBalances: (owner, stop) => listBalances(call, owner, stop),
    listOwnedObjects: (query, stop) => listOwnedObjects(call, query, stop),
    readKiosk: (kioskId, stop) => readKiosk(call, kioskId, stop),
    readCoinInfo: (coinType, stop) => readCoinInfo(call, coinType, stop),
    readObjects: (objectIds, stop) => readObjects(call, objectIds, stop),
    readDefaultName: (address, stop) => readDefaultName(call, address, stop),
  };
}
