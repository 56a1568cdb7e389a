import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress } from '../../shared/sui-address.ts';
import { type ObjectDisplay, parseDisplay } from './display.ts';
import { readObjectBatches } from './object-batches.ts';
import { identityOf } from './object-identity.ts';
import type { SuiCall } from './sui-call.ts';

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
