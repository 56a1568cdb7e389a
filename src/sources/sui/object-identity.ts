import type { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import { malformed } from './sui-call.ts';

/** Canonical id and type of an object. A published package has no struct type; it keeps its word. Throws Unavailable. */
export function identityOf(object: GrpcTypes.Object): { readonly objectId: string; readonly objectType: string } {
  const objectId = canonicalAddress(object.objectId ?? '');
  const objectType = object.objectType === 'package' ? 'package' : canonicalType(object.objectType ?? '');
  if (objectId === null || objectType === null) throw malformed('An object without an id or a type');
  return { objectId, objectType };
}
