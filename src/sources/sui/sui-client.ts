import { listBalances, type WalletBalance, type CoinInfo, readCoinInfo } from './coins.ts';
import { type Datatype, readDatatype } from './datatype.ts';
import { type KioskItem, readKiosk } from './kiosk-contents.ts';
import { type OwnedThing, readKioskOwnerFields, readOwners } from './object-owners.ts';
import { type ChainObject, readObjects } from './objects.ts';
import { listOwnedObjects, type OwnedObject, type OwnedObjectsQuery } from './owned-objects.ts';
import { createSuiCall, type SuiClientOptions, malformed, type SuiCall, hasStatus } from './sui-call.ts';
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

/** Some 100,000 years of checkpoints: more is no count of them. */
const checkpointMax = 2n ** 53n;

/** The newest checkpoint the node has executed. */
async function readCheckpoint(call: SuiCall, stop?: AbortSignal): Promise<bigint> {
  const { checkpointHeight } = await call(
    'GetServiceInfo',
    async (client, options) => (await client.ledgerService.getServiceInfo({}, options)).response,
    stop,
  );
  if (checkpointHeight === undefined || checkpointHeight > checkpointMax) throw malformed('No checkpoint');
  return checkpointHeight;
}

/** SuiNS: labels of lower-case letters, digits and dashes. */
const namePattern = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,4}$/;

/**
 * The name an address shows itself by (`example.sui`), or null. An expired name comes as RESOURCE_EXHAUSTED, the code of
 * a rate limit: only the message distinguishes them (a real rate limit is HTTP 429, judged before). Throws Unavailable.
 */
async function readDefaultName(call: SuiCall, address: string, stop?: AbortSignal): Promise<string | null> {
  const name = await call(
    'ReverseLookupName',
    async (client, options) => {
      try {
        return (await client.nameService.reverseLookupName({ address }, options)).response.record?.name;
      } catch (error) {
        const isExpired = hasStatus(error, 'RESOURCE_EXHAUSTED') && /expired/i.test(error.message);
        if (isExpired || hasStatus(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    stop,
  );
  if (name === undefined || name === null || name === '') return null;
  if (!namePattern.test(name)) throw malformed('Not a name');
  return name;
}
