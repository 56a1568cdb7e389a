import { listBalances, type WalletBalance } from './balances.ts';
import { type CoinInfo, readCoinInfo } from './coin-info.ts';
import { type Datatype, readDatatype } from './datatype.ts';
import { readDefaultName } from './default-name.ts';
import { type KioskItem, readKiosk } from './kiosk-contents.ts';
import { type OwnedThing, readKioskOwnerFields, readOwners } from './object-owners.ts';
import { type ChainObject, readObjects } from './objects.ts';
import { listOwnedObjects, type OwnedObject, type OwnedObjectsQuery } from './owned-objects.ts';
import { readCheckpoint } from './service-checkpoint.ts';
import { createSuiCall, type SuiClientOptions } from './sui-call.ts';
import { type SignatureVerdict, type SignedMessage, verifyPersonalMessage } from './verify-personal-message.ts';

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
  /** Absent: no such object. */
  readonly readOwners: (objectIds: readonly string[], stop?: AbortSignal) => Promise<ReadonlyMap<string, OwnedThing>>;
  /** Hints, never proof. Absent: no such kiosk. */
  readonly readKioskOwnerFields: (
    kioskIds: readonly string[],
    stop?: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>;
  /** null: nothing of that name was published. */
  readonly readDatatype: (baseType: string, stop?: AbortSignal) => Promise<Datatype | null>;
  readonly verifyPersonalMessage: (signed: SignedMessage, stop?: AbortSignal) => Promise<SignatureVerdict>;
}

/** A visitor waits on a page while a signature is checked: 'try again' should come soon. */
const signatureLimits = { attemptTimeoutMs: 4_000, totalTimeoutMs: 8_000, retries: 1 };

export function createSuiClient(options: SuiClientOptions): SuiClient {
  const call = createSuiCall(options);
  const checkCall = createSuiCall({ ...options, limits: { ...signatureLimits, ...options.limits } });
  return {
    readCheckpoint: (stop) => readCheckpoint(call, stop),
    listBalances: (owner, stop) => listBalances(call, owner, stop),
    listOwnedObjects: (query, stop) => listOwnedObjects(call, query, stop),
    readKiosk: (kioskId, stop) => readKiosk(call, kioskId, stop),
    readCoinInfo: (coinType, stop) => readCoinInfo(call, coinType, stop),
    readObjects: (objectIds, stop) => readObjects(call, objectIds, stop),
    readDefaultName: (address, stop) => readDefaultName(call, address, stop),
    readOwners: (objectIds, stop) => readOwners(call, objectIds, stop),
    readKioskOwnerFields: (kioskIds, stop) => readKioskOwnerFields(call, kioskIds, stop),
    readDatatype: (baseType, stop) => readDatatype(call, baseType, stop),
    verifyPersonalMessage: (signed, stop) => verifyPersonalMessage(checkCall, signed, stop),
  };
}
