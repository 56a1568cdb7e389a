import { AsyncLocalStorage } from 'node:async_hooks';

import { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress, canonicalName, canonicalType } from '../../shared/sui-address.ts';
import { listBalances, listCoinObjects, readCoinInfo, readVersions } from './coins.ts';
import { executeTransaction, readTransaction, simulateTransaction } from './execution.ts';
import { readKiosk, readContents, readKioskOwnerFields, readOwners } from './objects.ts';
import { listOwnedObjects, readShownObjects, readStakedMist } from './owned-objects.ts';
import {
  createSuiCall,
  malformed,
  type NodeTip,
  orElse,
  orNull,
  type SuiCall,
  type SuiClientOptions,
} from './sui-call.ts';
import { listTransactions, timeOf } from './transactions.ts';
import { verifyPersonalMessage, verifyTransaction } from './verify-signature.ts';

/** A visitor waits while a signature is checked or a name is looked up: 'try again' should come soon. */
const visitorLimits = { attemptTimeoutMs: 4_000, totalTimeoutMs: 8_000, retries: 1 };

export type SuiClient = ReturnType<typeof createSuiClient>;

/** For calls that must not be repeated blindly: no retries. They may take seconds, because validators must answer. */
const onceLimits = { attemptTimeoutMs: 15_000, totalTimeoutMs: 20_000 };

/** The calls this product makes to the chain. Each throws only Unavailable; lists are always complete. */
export function createSuiClient(options: SuiClientOptions) {
  const watched = new AsyncLocalStorage<NodeTip[]>();
  const call = createSuiCall({ ...options, onTip: (tip) => void watched.getStore()?.push(tip) });
  const visitorCall = createSuiCall({ ...options, limits: { ...visitorLimits, ...options.limits } });
  const onceCall = createSuiCall({ ...options, limits: { ...onceLimits, ...options.limits, retries: 0 } });
  return {
    /**
     * Runs `work` and gives the tips of the nodes that answered it, but not those of calls that visitors wait for. A watch within
     * `work` keeps its tips to itself.
     */
    watchTips: async <T>(work: () => Promise<T>): Promise<Watched<T>> => {
      const tips: NodeTip[] = [];
      return { value: await watched.run(tips, work), tips };
    },
    readKeptCheckpoints: by(call, readKeptCheckpoints),
    readEpoch: by(call, readEpoch),
    /** null: the node does not know the transaction (yet or any more). */
    readTransaction: by(call, readTransaction),
    listTransactions: by(call, listTransactions),
    listBalances: by(call, listBalances),
    listCoinObjects: by(call, listCoinObjects),
    readVersions: by(call, readVersions),
    simulateTransaction: by(call, simulateTransaction),
    executeTransaction: by(onceCall, executeTransaction),
    listOwnedObjects: by(call, listOwnedObjects),
    readStakedMist: by(call, readStakedMist),
    readKiosk: by(call, readKiosk),
    /** null: the chain has no metadata for this coin. */
    readCoinInfo: by(call, readCoinInfo),
    readDefaultName: by(call, readDefaultName),
    /** The name is canonical. null: the name does not exist, has expired, or leads to no address. */
    resolveName: by(visitorCall, resolveName),
    /** Absent: no such object. */
    readOwners: by(call, readOwners),
    readContents: by(call, readContents),
    readShownObjects: by(call, readShownObjects),
    /** Hints, never proof. Absent: no such kiosk. */
    readKioskOwnerFields: by(call, readKioskOwnerFields),
    /** null: no such type was published. */
    readDatatype: by(call, readDatatype),
    verifyPersonalMessage: by(visitorCall, verifyPersonalMessage),
    verifyTransaction: by(visitorCall, verifyTransaction),
  };
}

interface Watched<T> {
  readonly value: T;
  readonly tips: readonly NodeTip[];
}

/** Binds a reading to the call that it uses. */
const by =
  <Args extends unknown[], Answer>(call: SuiCall, read: (call: SuiCall, ...args: Args) => Answer) =>
  (...args: Args): Answer =>
    read(call, ...args);

/** More than any chain's number of checkpoints: millions of years of them. */
const checkpointMax = 2n ** 53n;

/** The range of checkpoints whose transactions the node has (a pruned node begins late), and its chain. */
interface KeptCheckpoints {
  readonly oldest: bigint;
  readonly newest: bigint;
  /** The chain's own time of the newest checkpoint; it stops if the node does. null: the node does not say. */
  readonly newestAt: Date | null;
  readonly chainId: string | null;
  /** The epoch of the newest checkpoint; null: the node does not say. */
  readonly epoch: bigint | null;
}

async function readKeptCheckpoints(call: SuiCall, stop?: AbortSignal): Promise<KeptCheckpoints> {
  const {
    checkpointHeight,
    lowestAvailableCheckpoint = 0n,
    chainId = null,
    epoch = null,
    timestamp,
  } = await call('GetServiceInfo', ({ ledgerService }, options) => ledgerService.getServiceInfo({}, options), stop);
  if (checkpointHeight === undefined || checkpointHeight > checkpointMax) throw malformed('No checkpoint');
  const newestAt = timestamp === undefined ? null : timeOf(timestamp);
  return { oldest: lowestAvailableCheckpoint, newest: checkpointHeight, newestAt, chainId, epoch };
}

/** Millions of years of one-day epochs, and the highest gas price that a transaction may offer (`max_gas_price`). */
const epochMax = 2n ** 32n;
const gasPriceMaxMist = 100_000n;

/** The current epoch and its lowest gas price. */
async function readEpoch(
  call: SuiCall,
  stop?: AbortSignal,
): Promise<{ readonly epoch: bigint; readonly gasPriceMist: bigint }> {
  const request = { readMask: { paths: ['epoch', 'reference_gas_price'] } };
  const { epoch: answered } = await call(
    'GetEpoch',
    ({ ledgerService }, options) => ledgerService.getEpoch(request, options),
    stop,
  );
  const { epoch, referenceGasPrice: gasPriceMist } = answered ?? {};
  if (epoch === undefined || gasPriceMist === undefined) throw malformed('An epoch without its gas');
  if (epoch > epochMax || gasPriceMist > gasPriceMaxMist) throw malformed('An impossible epoch or gas price');
  return { epoch, gasPriceMist };
}

/**
 * No such record. For an expired name the node answers RESOURCE_EXHAUSTED, the code of a rate limit, so the message is checked too (a
 * real rate limit is HTTP 429, handled before).
 */
const noRecord = ({ code, message }: { readonly code: string; readonly message: string }) =>
  code === 'NOT_FOUND' || (code === 'RESOURCE_EXHAUSTED' && /expired/i.test(message)) ? {} : undefined;

/** The default name of an address (`example.sui`), or null. */
async function readDefaultName(call: SuiCall, address: string, stop?: AbortSignal): Promise<string | null> {
  const { record }: GrpcTypes.ReverseLookupNameResponse = await call(
    'ReverseLookupName',
    ({ nameService }, options) => orElse(nameService.reverseLookupName({ address }, options), noRecord),
    stop,
  );
  const name = record?.name;
  if (name === undefined || name === '') return null;
  if (canonicalName(name) !== name) throw malformed('Not a name');
  return name;
}

async function resolveName(call: SuiCall, name: string, stop?: AbortSignal): Promise<string | null> {
  const { record }: GrpcTypes.LookupNameResponse = await call(
    'LookupName',
    ({ nameService }, options) => orElse(nameService.lookupName({ name }, options), noRecord),
    stop,
  );
  if (record === undefined) return null;
  if (record.name !== name) throw malformed('A different name than requested');
  const { targetAddress = '' } = record;
  if (targetAddress === '') return null;
  const address = canonicalAddress(targetAddress);
  if (address === null) throw malformed('A name with an unreadable address');
  return address;
}

/** A type published by a package. */
interface Datatype {
  /** Canonical, without type arguments, with the package that first defined it, as in the types of objects. */
  readonly definedType: string;
  /** It is a struct with `key`, so its values are objects. */
  readonly isObject: boolean;
  readonly typeParameterCount: number;
}

/** null: there is no such package, module or type. `baseType` is canonical, without type arguments. */
async function readDatatype(call: SuiCall, baseType: string, stop?: AbortSignal): Promise<Datatype | null> {
  const [packageId = '', moduleName = '', name = ''] = baseType.split('::');
  const request = { packageId, moduleName, name };
  const answer = await call(
    'GetDatatype',
    // For an object that is not a package, the node answers INVALID_ARGUMENT.
    ({ movePackageService }, options) =>
      orNull(['NOT_FOUND', 'INVALID_ARGUMENT'], movePackageService.getDatatype(request, options)),
    stop,
  );
  if (answer === null) return null;
  const { datatype } = answer;
  const definedType = canonicalType(
    `${datatype?.definingId ?? ''}::${datatype?.module ?? ''}::${datatype?.name ?? ''}`,
  );
  if (datatype === undefined || definedType === null) throw malformed('A type without a name');
  if (!definedType.endsWith(`::${moduleName}::${name}`)) throw malformed('A different type than requested');
  return {
    definedType,
    isObject:
      datatype.kind === GrpcTypes.DatatypeDescriptor_DatatypeKind.STRUCT &&
      datatype.abilities.includes(GrpcTypes.Ability.KEY),
    typeParameterCount: datatype.typeParameters.length,
  };
}
