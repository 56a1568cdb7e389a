import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress } from '../../shared/sui-address.ts';
import { type ObjectDisplay, parseDisplay } from './display.ts';
import { identityOf } from './object-identity.ts';
import { malformed, type SuiCall } from './sui-call.ts';

export interface ChainObject {
  readonly objectId: string;
  readonly objectType: string;
  /** Canonical address of the owning wallet or parent object; null for shared and immutable objects. */
  readonly ownerAddress: string | null;
  readonly display: ObjectDisplay | null;
}

const readMask = { paths: ['object_id', 'object_type', 'owner', 'display'] };
const batchSize = 50;
/** google.rpc.Code of a missing object inside a batch. */
const notFoundCode = 5;

/** Objects by id, in batches of 50; an id that the chain does not know is absent. Throws Unavailable. */
export async function readObjects(
  call: SuiCall,
  objectIds: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, ChainObject>> {
  const batches = Array.from({ length: Math.ceil(objectIds.length / batchSize) }, (_, index) =>
    objectIds.slice(index * batchSize, (index + 1) * batchSize),
  );
  const answers = await Promise.all(batches.map((batch) => readBatch(call, batch, stop)));
  return new Map(answers.flat().map((object) => [object.objectId, object]));
}

async function readBatch(call: SuiCall, objectIds: readonly string[], stop?: AbortSignal): Promise<ChainObject[]> {
  const { objects } = await call(
    'BatchGetObjects',
    async (client, options) => {
      const request = { requests: objectIds.map((objectId) => ({ objectId })), readMask };
      return (await client.ledgerService.batchGetObjects(request, options)).response;
    },
    stop,
  );
  if (objects.length !== objectIds.length) throw malformed('A batch with another number of objects than asked');
  return objects.flatMap(({ result }) => {
    if (result.oneofKind === 'object') return [parseObject(result.object)];
    if (result.oneofKind === 'error' && result.error.code === notFoundCode) return [];
    throw malformed('An object of a batch could not be read');
  });
}

function parseObject(object: GrpcTypes.Object): ChainObject {
  return {
    ...identityOf(object),
    ownerAddress: canonicalAddress(object.owner?.address ?? ''),
    display: parseDisplay(object.display),
  };
}
