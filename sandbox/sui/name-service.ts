import { GrpcStatusCode } from '@mysten/sui/grpc';
import type { GrpcTypes } from '@mysten/sui/grpc';
import { addressFrom } from '../world/derived-ids.ts';
import type { NameRecord, WorldContext } from '../world/state.ts';
import { canonicalAddress } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { timestampOf } from './ledger-service.ts';
import { required } from './state-service.ts';

export function reverseLookupName(
  world: WorldContext,
  request: GrpcTypes.ReverseLookupNameRequest,
): GrpcTypes.ReverseLookupNameResponse {
  const address = required('address', request.address, canonicalAddress);
  return {
    record: recordOf(
      world,
      world.state.names.find((each) => each.address === address),
    ),
  };
}

export function lookupName(world: WorldContext, request: GrpcTypes.LookupNameRequest): GrpcTypes.LookupNameResponse {
  const name = required('name', request.name, (given) => given.replace(/^@(.+)$/, '$1.sui'));
  return {
    record: recordOf(
      world,
      world.state.names.find((each) => each.name === name),
    ),
  };
}

function recordOf(world: WorldContext, found: NameRecord | undefined): GrpcTypes.NameRecord {
  if (!found) throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, 'name not found');
  // Like a real node: this is the code of a rate limit, but means an expired name here.
  if (found.expiresAtMs < world.now().getTime()) {
    throw new GrpcRefusal(GrpcStatusCode.RESOURCE_EXHAUSTED, 'name has expired');
  }
  return {
    id: addressFrom(`name/${found.name}`),
    name: found.name,
    registrationNftId: addressFrom(`name-nft/${found.name}`),
    expirationTimestamp: timestampOf(found.expiresAtMs),
    targetAddress: found.address,
    data: {},
  };
}
