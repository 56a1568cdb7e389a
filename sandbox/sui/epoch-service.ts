import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { protocolAttributes, protocolVersion } from '../transactions/protocol-limits.ts';
import { epochOf, startOfEpoch } from '../world/epochs.ts';
import type { WorldContext } from '../world/state.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { timestampOf } from './ledger-service.ts';
import { readMask } from './read-mask.ts';

/** The current epoch, with its gas price and protocol limits. Earlier epochs are not kept. */
export function getEpoch(world: WorldContext, request: GrpcTypes.GetEpochRequest): GrpcTypes.GetEpochResponse {
  const mask = readMask(GrpcTypes.Epoch, request.readMask, [
    'epoch',
    'first_checkpoint',
    'last_checkpoint',
    'start',
    'end',
  ]);
  const { state } = world;
  const epoch = epochOf(world.now().getTime());
  if (request.epoch !== undefined && request.epoch !== epoch) {
    throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Epoch ${request.epoch} not found`);
  }
  const startMs = startOfEpoch(epoch);
  const version = BigInt(protocolVersion);
  return {
    epoch: mask.apply(
      GrpcTypes.Epoch.create({
        epoch,
        start: timestampOf(startMs),
        referenceGasPrice: state.referenceGasPriceMist,
        protocolConfig: {
          protocolVersion: version,
          featureFlags: {},
          attributes: { ...protocolAttributes },
          configs: {},
        },
        systemState: GrpcTypes.SystemState.create({
          version: 2n,
          epoch,
          protocolVersion: version,
          referenceGasPrice: state.referenceGasPriceMist,
          epochStartTimestampMs: BigInt(startMs),
          safeMode: false,
          parameters: { epochDurationMs: 86_400_000n },
        }),
      }),
    ),
  };
}
