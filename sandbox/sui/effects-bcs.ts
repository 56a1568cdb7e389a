import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import type { Failure } from '../world/execution.ts';
import type { ChainTransaction } from '../world/state.ts';
import { framework } from './execution-errors.ts';

type Effects = Extract<Parameters<typeof bcs.TransactionEffects.serialize>[0], { V2: unknown }>['V2'];
type Change = Effects['changedObjects'] extends Iterable<infer Item> ? Item : never;
type Owner = Parameters<typeof bcs.Owner.serialize>[0];

/** The effects as BCS bytes, which wallets pass on: the same content as the node's fields, as TransactionEffects V2. */
export function effectsBcs(
  { failure, gas, digest, version }: ChainTransaction,
  { changedObjects }: GrpcTypes.TransactionEffects,
  epoch: bigint,
): GrpcTypes.Bcs {
  const { computation, storage, rebate, notRefunded } = gas.used;
  const gasObjectIndex = changedObjects.findIndex(({ objectId }) => objectId === gas.coinId);
  const V2: Effects = {
    status: failure ? { Failure: failureOf(failure) } : { Success: true },
    executedEpoch: epoch,
    gasUsed: {
      computationCost: computation,
      storageCost: storage,
      storageRebate: rebate,
      nonRefundableStorageFee: notRefunded,
    },
    transactionDigest: digest,
    gasObjectIndex: gasObjectIndex < 0 ? null : gasObjectIndex,
    eventsDigest: null,
    dependencies: [],
    lamportVersion: version,
    changedObjects: changedObjects.map(changeOf),
    unchangedConsensusObjects: [],
    auxDataDigest: null,
  };
  return { name: 'TransactionEffects', value: bcs.TransactionEffects.serialize({ V2 }).toBytes() };
}

type BcsFailure = Extract<Effects['status'], { Failure: unknown }>['Failure'];

function failureOf({ reason, command }: Failure): BcsFailure {
  return { error: errorOf(reason), command };
}

function errorOf(reason: Failure['reason']): BcsFailure['error'] {
  switch (reason.kind) {
    case 'MoveAbort': {
      const { module, functionName, code } = reason;
      const location = { module: { address: framework, name: module }, function: 0, instruction: 0, functionName };
      return { MoveAbort: [location, code] };
    }
    case 'CommandArgumentError': {
      const { argument, problem } = reason;
      const kind = typeof problem === 'string' ? ({ [problem]: true } as { TypeMismatch: true }) : problem;
      return { CommandArgumentError: { argIdx: argument, kind } };
    }
    case 'UnusedValueWithoutDrop':
      return { UnusedValueWithoutDrop: { resultIdx: reason.result, secondaryIdx: reason.subresult } };
    case 'MovePrimitiveRuntimeError':
      return { MovePrimitiveRuntimeError: null };
    default:
      return { [reason.kind]: true } as { InsufficientGas: true };
  }
}

function ownerOf(owner: GrpcTypes.Owner | undefined): Owner {
  return { AddressOwner: owner?.address ?? '' };
}

function changeOf(change: GrpcTypes.ChangedObject): Change {
  const { objectId = '', inputVersion, inputDigest, outputDigest, accumulatorWrite } = change;
  const { CREATED, DELETED } = GrpcTypes.ChangedObject_IdOperation;
  const idOperation = change.idOperation === CREATED ? 'Created' : change.idOperation === DELETED ? 'Deleted' : 'None';
  return [
    objectId,
    {
      inputState:
        inputVersion !== undefined && inputDigest !== undefined
          ? { Exist: [[inputVersion, inputDigest], ownerOf(change.inputOwner)] }
          : { NotExist: true },
      outputState: accumulatorWrite
        ? { AccumulatorWriteV1: accumulatorOf(accumulatorWrite) }
        : outputDigest === undefined
          ? { NotExist: true }
          : { ObjectWrite: [outputDigest, ownerOf(change.outputOwner)] },
      idOperation: { [idOperation]: true } as { None: true },
    },
  ];
}

function accumulatorOf({
  address = '',
  accumulatorType = '',
  operation,
  integerValue = 0n,
}: GrpcTypes.AccumulatorWrite) {
  const isMerge = operation === GrpcTypes.AccumulatorWrite_AccumulatorOperation.MERGE;
  return {
    address: { address, ty: accumulatorType },
    operation: isMerge ? { Merge: true as const } : { Split: true as const },
    value: { Integer: integerValue },
  };
}
