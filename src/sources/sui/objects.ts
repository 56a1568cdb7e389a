import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import { type SuiCall, malformed } from './sui-call.ts';
import { concurrently } from '../../process/concurrently.ts';

export interface ChainObject {
  readonly objectId: string;
  readonly objectType: string;
  /** Canonical address of the owning wallet or parent object; null for shared and immutable objects. */
  readonly ownerAddress: string | null;
  readonly display: ObjectDisplay | null;
}

const paths = ['object_id', 'object_type', 'owner', 'display'];

/** Objects by id, in batches of 50; an id that the chain does not know is absent. Throws Unavailable. */
export async function readObjects(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, ChainObject>> {
  const objects = await readObjectBatches(call, objectIds, paths, stop);
  return new Map(objects.map(parseObject).map((object) => [object.objectId, object]));
}

function parseObject(object: GrpcTypes.Object): ChainObject {
  return {
    ...identityOf(object),
    ownerAddress: canonicalAddress(object.owner?.address ?? ''),
    display: parseDisplay(object.display),
  };
}

/** Mysten's newer servers refuse more ids without a version in one batch (sui-kv-rpc: MAX_UNVERSIONED_BATCH_REQUESTS). */
const batchSize = 50;
/** A collection of 10,000 is 200 batches: they must neither flood the node nor make others wait behind them. */
const batchesAtOnceMax = 8;
/** google.rpc.Code of a missing object inside a batch. */
const notFoundCode = 5;

/** Objects by id with the fields of the mask; those that the chain does not know are left out. Throws Unavailable. */
export async function readObjectBatches(
  call: SuiCall,
  objectIds: readonly string[],
  paths: readonly string[],
  stop?: AbortSignal,
): Promise<readonly GrpcTypes.Object[]> {
  const batches = Array.from({ length: Math.ceil(objectIds.length / batchSize) }, (_, index) =>
    objectIds.slice(index * batchSize, (index + 1) * batchSize),
  );
  const answers = await concurrently(batches, batchesAtOnceMax, (batch) => readBatch(call, batch, paths, stop));
  return answers.flat();
}

async function readBatch(
  call: SuiCall,
  objectIds: readonly string[],
  paths: readonly string[],
  stop?: AbortSignal,
): Promise<readonly GrpcTypes.Object[]> {
  const { objects } = await call(
    'BatchGetObjects',
    async (client, options) => {
      const request = { requests: objectIds.map((objectId) => ({ objectId })), readMask: { paths: [...paths] } };
      return (await client.ledgerService.batchGetObjects(request, options)).response;
    },
    stop,
  );
  if (objects.length !== objectIds.length) throw malformed('A batch with a different number of objects than requested');
  return objects.flatMap(({ result }) => {
    if (result.oneofKind === 'object') return [result.object];
    if (result.oneofKind === 'error' && result.error.code === notFoundCode) return [];
    throw malformed('An object of a batch could not be read');
  });
}

/** Canonical id and type of an object. A published package has no struct type; it keeps its word. Throws Unavailable. */
export function identityOf(object: GrpcTypes.Object): { readonly objectId: string; readonly objectType: string } {
  const objectId = canonicalAddress(object.objectId ?? '');
  const objectType = object.objectType === 'package' ? 'package' : canonicalType(object.objectType ?? '');
  if (objectId === null || objectType === null) throw malformed('An object without an id or a type');
  return { objectId, objectType };
}

/** What an object's Display publishes. Untrusted text, cut to a length that fits a card. */
export interface ObjectDisplay {
  readonly name: string | null;
  readonly imageUrl: string | null;
}

const nameMax = 200;
const urlMax = 8_000;

/** null: the object has no Display. Keys as most collections use them (Sui Object Display standard). */
export function parseDisplay(display: GrpcTypes.Display | undefined): ObjectDisplay | null {
  const output = display?.output?.kind;
  if (output?.oneofKind !== 'structValue') return null;
  const textOf = (key: string): string | null => {
    const value = output.structValue.fields[key]?.kind;
    return value?.oneofKind === 'stringValue' && value.stringValue.trim() !== '' ? value.stringValue : null;
  };
  const imageUrl = textOf('image_url') ?? textOf('img_url') ?? textOf('thumbnail_url');
  return {
    name: textOf('name')?.slice(0, nameMax) ?? null,
    imageUrl: imageUrl !== null && imageUrl.length <= urlMax ? imageUrl : null,
  };
}
