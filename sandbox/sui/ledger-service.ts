import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { digestFrom } from '../world/derived-ids.ts';
import { newestCheckpoint, timeOfCheckpoint } from '../world/ledger.ts';
import { chainIdOf, epochOf } from '../world/epochs.ts';
import type { WorldContext } from '../world/state.ts';
import { canonicalAddress } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { objectById } from './object-index.ts';
import { readMask } from './read-mask.ts';
import { required } from './state-service.ts';

const objectDefaults = ['object_id', 'version', 'digest'];
/** Mysten's newer servers accept at most this many ids without a version per batch; older ones accepted 1000. */
const maxBatch = 50;

export function timestampOf(atMs: number): NonNullable<GrpcTypes.GetServiceInfoResponse['timestamp']> {
  return { seconds: BigInt(Math.floor(atMs / 1000)), nanos: (atMs % 1000) * 1_000_000 };
}

export function getServiceInfo(world: WorldContext, firstKept: number): GrpcTypes.GetServiceInfoResponse {
  const nowMs = world.now().getTime();
  return {
    chainId: chainIdOf(world.state),
    chain: world.state.network,
    epoch: epochOf(nowMs),
    checkpointHeight: BigInt(newestCheckpoint(world)),
    timestamp: timestampOf(nowMs),
    lowestAvailableCheckpoint: BigInt(firstKept),
    lowestAvailableCheckpointObjects: BigInt(firstKept),
    server: 'sui-node/sandbox',
  };
}

export function getObject(
  world: WorldContext,
  imageBaseUrl: string,
  request: GrpcTypes.GetObjectRequest,
): GrpcTypes.GetObjectResponse {
  const id = required('object_id', request.objectId, canonicalAddress);
  const mask = readMask(GrpcTypes.Object, request.readMask, objectDefaults);
  const object = objectById(world.state, id, imageBaseUrl);
  if (!object) throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Object ${id} not found`);
  return { object: mask.apply(object.render()) };
}

/** Results in request order; a missing object is an error in its place. */
export function batchGetObjects(
  world: WorldContext,
  imageBaseUrl: string,
  request: GrpcTypes.BatchGetObjectsRequest,
): GrpcTypes.BatchGetObjectsResponse {
  if (request.requests.length > maxBatch) {
    throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, `at most ${maxBatch} objects`);
  }
  const { readMask: mask } = request;
  const objects = request.requests.map((each): GrpcTypes.GetObjectResult => {
    try {
      const { object } = getObject(world, imageBaseUrl, { ...each, ...(mask && { readMask: mask }) });
      if (object) return { result: { oneofKind: 'object', object } };
    } catch (error) {
      if (!(error instanceof GrpcRefusal)) throw error;
      return { result: { oneofKind: 'error', error: { code: error.code, message: error.message, details: [] } } };
    }
    return { result: { oneofKind: undefined } };
  });
  return { objects };
}

/** The newest checkpoint, or one by number, from the first kept to the newest. */
export function getCheckpoint(
  world: WorldContext,
  firstKept: number,
  request: GrpcTypes.GetCheckpointRequest,
): GrpcTypes.GetCheckpointResponse {
  const mask = readMask(GrpcTypes.Checkpoint, request.readMask, ['sequence_number', 'digest']);
  const newest = BigInt(newestCheckpoint(world));
  if (request.checkpointId.oneofKind === 'digest') {
    throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, 'Checkpoint not found');
  }
  const wanted = request.checkpointId.oneofKind === 'sequenceNumber' ? request.checkpointId.sequenceNumber : newest;
  if (wanted > newest || wanted < BigInt(firstKept)) {
    throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Checkpoint ${wanted} not found`);
  }
  const nowMs = world.now().getTime();
  const atMs = wanted === newest ? nowMs : Math.min(nowMs, timeOfCheckpoint(Number(wanted)));
  return {
    checkpoint: mask.apply(
      GrpcTypes.Checkpoint.create({
        sequenceNumber: wanted,
        digest: digestFrom(`checkpoint/${wanted}`),
        summary: { sequenceNumber: wanted, epoch: epochOf(atMs), timestamp: timestampOf(atMs) },
      }),
    ),
  };
}
