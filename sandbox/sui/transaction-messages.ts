import { GrpcTypes } from '@mysten/sui/grpc';
import { fromBase64 } from '@mysten/sui/utils';
import { accumulatorId } from '../transactions/coin-reservation.ts';
import { decodeTransaction } from '../transactions/transaction-data.ts';
import { addressFrom, objectDigest } from '../world/derived-ids.ts';
import type { BalanceChange, ChainEvent, ChainTransaction, ObjectChange, ObjectOwner } from '../world/state.ts';
import { effectsBcs } from './effects-bcs.ts';
import { errorMessage } from './execution-errors.ts';
import { valueOf } from './json-value.ts';
import { transactionProto } from './transaction-proto.ts';

const { ADDRESS, OBJECT, SHARED } = GrpcTypes.Owner_OwnerKind;

export function eventMessage(transaction: ChainTransaction, event: ChainEvent, index: number): GrpcTypes.Event {
  return {
    packageId: event.packageId,
    module: event.module,
    sender: transaction.sender,
    eventType: event.eventType,
    // The sandbox knows an event's fields but not its struct layout, so only `json` has content.
    contents: { name: event.eventType, value: new Uint8Array() },
    json: valueOf(event.json),
    checkpoint: BigInt(transaction.checkpoint),
    transactionDigest: transaction.digest,
    eventIndex: index,
  };
}

/** A transaction and its effects, executed or simulated. The caller adds its place in the ledger. */
export function transactionMessage(
  transaction: ChainTransaction,
  objects: readonly ObjectChange[],
  { epoch }: { epoch: bigint },
): GrpcTypes.ExecutedTransaction {
  const { digest, sender, signed } = transaction;
  const effects = effectsOf(transaction, objects);
  return GrpcTypes.ExecutedTransaction.create({
    digest,
    transaction: signed
      ? transactionProto(decodeTransaction(fromBase64(signed.bytes)))
      : { digest, sender, gasPayment: { objects: [], owner: transaction.gas.payer } },
    signatures: (signed?.signatures ?? []).map((signature) => ({
      bcs: { name: 'UserSignature', value: fromBase64(signature) },
      signature: { oneofKind: undefined },
    })),
    effects: { ...effects, epoch, ...(signed && { bcs: effectsBcs(transaction, effects, epoch) }) },
    events: { events: transaction.events.map((event, number) => eventMessage(transaction, event, number)) },
    balanceChanges: transaction.balanceChanges
      .filter(({ amount }) => amount !== 0n)
      .map(({ address, coinType, amount }) => ({ address, coinType, amount: String(amount) })),
  });
}

function effectsOf(transaction: ChainTransaction, objects: readonly ObjectChange[]): GrpcTypes.TransactionEffects {
  const { digest, gas, accumulatorChanges, failure, version } = transaction;
  const changed = objects.filter(({ before, after }) => before !== null || after !== null).map(changedObject);
  const gasObject = changed.find(({ objectId }) => objectId === gas.coinId);
  const { computation, storage, rebate, notRefunded } = gas.used;
  return GrpcTypes.TransactionEffects.create({
    version: 2,
    status: failure ? { success: false, error: errorMessage(failure) } : { success: true },
    transactionDigest: digest,
    lamportVersion: BigInt(version),
    gasUsed: {
      computationCost: computation,
      storageCost: storage,
      storageRebate: rebate,
      nonRefundableStorageFee: notRefunded,
    },
    ...(gasObject && { gasObject }),
    changedObjects: [
      ...changed,
      ...passingObjects(transaction),
      ...accumulatorChanges.filter(({ amount }) => amount !== 0n).map((change) => accumulatorWrite(change)),
    ],
  });
}

function changedObject({ objectId, objectType, before, after, versions }: ObjectChange): GrpcTypes.ChangedObject {
  const { EXISTS, DOES_NOT_EXIST } = GrpcTypes.ChangedObject_InputObjectState;
  const { OBJECT_WRITE, DOES_NOT_EXIST: GONE } = GrpcTypes.ChangedObject_OutputObjectState;
  const { CREATED, DELETED, NONE } = GrpcTypes.ChangedObject_IdOperation;
  const [read, written] = [versions?.before ?? null, versions?.after ?? null];
  return {
    objectId,
    objectType,
    inputState: before ? EXISTS : DOES_NOT_EXIST,
    outputState: after ? OBJECT_WRITE : GONE,
    idOperation: before ? (after ? NONE : DELETED) : CREATED,
    ...(before && { inputOwner: ownerMessage(before) }),
    ...(read !== null && { inputVersion: BigInt(read), inputDigest: objectDigest(objectId, read) }),
    ...(after && { outputOwner: ownerMessage(after) }),
    ...(written !== null && { outputVersion: BigInt(written), outputDigest: objectDigest(objectId, written) }),
  };
}

/**
 * Objects that exist neither before nor after: created and at once wrapped, like the cap of a new personal kiosk, or unwrapped
 * and deleted. They have no type: a node looks it up among the objects read and written, which do not include these.
 */
function passingObjects({ digest, placements }: ChainTransaction): readonly GrpcTypes.ChangedObject[] {
  if (!placements.some(({ before, after }) => before?.kind === 'kiosk' || after.kind === 'kiosk')) return [];
  const { CREATED, DELETED } = GrpcTypes.ChangedObject_IdOperation;
  return [CREATED, DELETED].map((idOperation) => ({
    objectId: addressFrom(`${digest}/passing/${idOperation}`),
    inputState: GrpcTypes.ChangedObject_InputObjectState.DOES_NOT_EXIST,
    outputState: GrpcTypes.ChangedObject_OutputObjectState.DOES_NOT_EXIST,
    idOperation,
  }));
}

function ownerMessage(owner: ObjectOwner): GrpcTypes.Owner {
  if (owner.kind === 'shared') return { kind: SHARED, version: 1n };
  return owner.kind === 'address'
    ? { kind: ADDRESS, address: owner.address }
    : { kind: OBJECT, address: owner.parentId };
}

/** The node reports a change of an address balance as a write to the accumulator of that address and coin. */
function accumulatorWrite({ address, coinType, amount }: BalanceChange): GrpcTypes.ChangedObject {
  const { MERGE, SPLIT } = GrpcTypes.AccumulatorWrite_AccumulatorOperation;
  return {
    objectId: accumulatorId(address, coinType),
    inputState: GrpcTypes.ChangedObject_InputObjectState.DOES_NOT_EXIST,
    outputState: GrpcTypes.ChangedObject_OutputObjectState.ACCUMULATOR_WRITE,
    idOperation: GrpcTypes.ChangedObject_IdOperation.NONE,
    accumulatorWrite: GrpcTypes.AccumulatorWrite.create({
      address,
      accumulatorType: `0x2::balance::Balance<${coinType}>`,
      operation: amount > 0n ? MERGE : SPLIT,
      valueKind: GrpcTypes.AccumulatorWrite_AccumulatorValue.INTEGER,
      integerValue: amount > 0n ? amount : -amount,
    }),
  };
}
