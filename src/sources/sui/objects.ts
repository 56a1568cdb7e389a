import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { concurrently } from '../../process/concurrency.ts';
import { chunksOf } from '../../shared/chunks.ts';
import {
  canonicalAddress,
  canonicalMoveType,
  canonicalType,
  kioskType,
  burnAddress,
} from '../../shared/sui-address.ts';
import type { ChainOwner } from './chain-transaction.ts';
import { malformed, type PageRequest, readAllPages, type SuiCall } from './sui-call.ts';

export interface OwnedThing {
  readonly objectId: string;
  readonly objectType: string;
  readonly owner: ChainOwner;
}

const kiosk = bcs.struct('Kiosk', {
  id: bcs.Address,
  profits: bcs.u64(),
  owner: bcs.Address,
  itemCount: bcs.u32(),
  allowExtensions: bcs.bool(),
});
const { ADDRESS, CONSENSUS_ADDRESS, IMMUTABLE, OBJECT, SHARED } = GrpcTypes.Owner_OwnerKind;

/** The current owners of these objects, in batches of 50; unknown ids are absent. An object sent to 0x0 has no owner. */
export async function readOwners(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, OwnedThing>> {
  const requested = new Set(objectIds);
  const objects = await readObjectBatches(call, [...requested], ['object_id', 'object_type', 'owner'], stop);
  return new Map(
    objects.map((object) => {
      const identity = identityOf(object);
      if (!requested.has(identity.objectId)) throw malformed('A different object than requested');
      const owner = parseOwner(object.owner);
      const isNobodys = owner.kind === 'wallet' && owner.address === burnAddress;
      return [identity.objectId, { ...identity, owner: isNobodys ? { kind: 'none' } : owner }];
    }),
  );
}

/** Throws Unavailable if the node names no owner. */
export function parseOwner(owner: GrpcTypes.Owner | undefined): ChainOwner {
  if (owner?.kind === SHARED || owner?.kind === IMMUTABLE) return { kind: 'none' };
  const address = canonicalAddress(owner?.address ?? '');
  if (address === null) throw malformed('An object without an owner');
  if (owner?.kind === ADDRESS || owner?.kind === CONSENSUS_ADDRESS) return { kind: 'wallet', address };
  if (owner?.kind === OBJECT) return { kind: 'object', objectId: address };
  throw malformed('An object with an unknown kind of owner');
}

/**
 * The owner field of each kiosk, by kiosk. The cap's holder can write anything there, and it stays when the cap is handed
 * on, so it is only a hint where to search.
 */
export async function readKioskOwnerFields(
  call: SuiCall,
  kioskIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const objects = await readObjectBatches(call, kioskIds, ['object_id', 'object_type', 'contents'], stop);
  return new Map(
    objects.flatMap((object): [string, string][] => {
      const { objectId, objectType } = identityOf(object);
      return objectType === kioskType ? [[objectId, parseKiosk(object.contents?.value)]] : [];
    }),
  );
}

function parseKiosk(contents: Uint8Array | undefined): string {
  try {
    return kiosk.parse(contents ?? new Uint8Array()).owner;
  } catch (error) {
    throw malformed(`Not a kiosk: ${String(error).slice(0, 200)}`);
  }
}

/** The current BCS of these objects; objects that no longer exist are left out. */
export async function readContents(call: SuiCall, objectIds: readonly string[], stop?: AbortSignal) {
  const objects = await readObjectBatches(call, objectIds, ['object_id', 'object_type', 'contents'], stop);
  return objects.map((object) => ({ ...identityOf(object), contents: object.contents?.value ?? null }));
}

/** Mysten's newer servers refuse a batch with more ids without a version (sui-kv-rpc: MAX_UNVERSIONED_BATCH_REQUESTS). */
const batchSize = 50;
/** A collection of 10,000 makes 200 batches: they must neither flood the node nor make other calls wait. */
const batchesAtOnceMax = 8;
/** google.rpc.Code of a missing object inside a batch. */
const notFoundCode = 5;

/** Objects by id, with these fields; ids that the chain does not know are left out. */
export async function readObjectBatches(
  call: SuiCall,
  objectIds: readonly string[],
  paths: readonly string[],
  stop?: AbortSignal,
): Promise<readonly GrpcTypes.Object[]> {
  const answers = await concurrently(chunksOf(objectIds, batchSize), batchesAtOnceMax, (batch) =>
    readBatch(call, batch, paths, stop),
  );
  return answers.flat();
}

async function readBatch(
  call: SuiCall,
  objectIds: readonly string[],
  paths: readonly string[],
  stop?: AbortSignal,
): Promise<readonly GrpcTypes.Object[]> {
  const request = { requests: objectIds.map((objectId) => ({ objectId })), readMask: { paths: [...paths] } };
  const { objects } = await call(
    'BatchGetObjects',
    ({ ledgerService }, options) => ledgerService.batchGetObjects(request, options),
    stop,
  );
  if (objects.length !== objectIds.length) throw malformed('A batch with a different number of objects than requested');
  return objects.flatMap(({ result }) => {
    if (result.oneofKind === 'object') return [result.object];
    if (result.oneofKind === 'error' && result.error.code === notFoundCode) return [];
    throw malformed('An object of a batch could not be read');
  });
}

/** For `readAllPages`: the objects that a wallet owns directly. */
export const listOwned =
  (call: SuiCall, query: GrpcTypes.ListOwnedObjectsRequest, stop?: AbortSignal) =>
  (page: PageRequest): Promise<GrpcTypes.ListOwnedObjectsResponse> =>
    call(
      'ListOwnedObjects',
      ({ stateService }, options) => stateService.listOwnedObjects({ ...query, ...page }, options),
      stop,
    );

/** Canonical id and type of an object. A published package has no struct type, so its type is 'package'. */
export function identityOf(object: Pick<GrpcTypes.Object, 'objectId' | 'objectType'>): {
  readonly objectId: string;
  readonly objectType: string;
} {
  const objectId = canonicalAddress(object.objectId ?? '');
  const objectType = object.objectType === 'package' ? 'package' : canonicalType(object.objectType ?? '');
  if (objectId === null || objectType === null) throw malformed('An object without an id or a type');
  return { objectId, objectType };
}

export interface KioskItem {
  readonly objectId: string;
  readonly objectType: string;
  /** For sale; this includes exclusive listings, where a marketplace holds the purchase cap. */
  readonly isListed: boolean;
}

const pagesMax = 20;

/** Without Display, which a count does not need: it would cut a large kiosk into many pages at 512 KiB. */
const readMask = { paths: ['kind', 'name', 'value_type', 'child_id'] };

const framework = `0x${'2'.padStart(64, '0')}`;
const itemType = `${framework}::kiosk::Item`;
const listingType = `${framework}::kiosk::Listing`;
const wrapperOfItem = `${framework}::dynamic_object_field::Wrapper<${itemType}>`;
const listingName = bcs.struct('Listing', { id: bcs.Address, isExclusive: bcs.bool() });

/** Everything in a kiosk, all pages. A listed item still belongs to the kiosk's owner. */
export async function readKiosk(call: SuiCall, kioskId: string, stop?: AbortSignal): Promise<readonly KioskItem[]> {
  const fields = await readAllPages(
    (page) =>
      call(
        'ListDynamicFields',
        ({ stateService }, options) => stateService.listDynamicFields({ parent: kioskId, readMask, ...page }, options),
        stop,
      ),
    ({ dynamicFields }) => dynamicFields,
    pagesMax,
  );
  return itemsOf(fields);
}

function itemsOf(fields: readonly GrpcTypes.DynamicField[]): readonly KioskItem[] {
  const types = new Map<string, string>();
  const listed = new Set<string>();
  for (const field of fields) {
    // Extensions keep fields of their own in a kiosk, under any type, but a field without a valid type is malformed.
    const nameType = canonicalMoveType(field.name?.name ?? '');
    if (nameType === null) throw malformed('A kiosk field without a type');
    if (nameType === itemType || nameType === wrapperOfItem) types.set(...parseItem(field));
    else if (nameType === listingType) listed.add(parseListing(field));
  }
  return [...types].map(([objectId, objectType]) => ({ objectId, objectType, isListed: listed.has(objectId) }));
}

function parseItem({ childId, valueType }: GrpcTypes.DynamicField): [string, string] {
  const objectId = canonicalAddress(childId ?? '');
  const objectType = canonicalType(valueType ?? '');
  if (objectId === null || objectType === null) throw malformed('A kiosk item without an id or a type');
  return [objectId, objectType];
}

/** The id of the listed item. */
function parseListing({ name }: GrpcTypes.DynamicField): string {
  try {
    return listingName.parse(name?.value ?? new Uint8Array()).id;
  } catch (error) {
    throw malformed(`A kiosk field that is not what its type says: ${String(error).slice(0, 200)}`);
  }
}
