import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { deriveDynamicFieldID } from '@mysten/sui/utils';
import { gasUsed } from '../world/moving-coins.ts';
import type { BalanceChange, ChainEvent, ChainTransaction, ObjectChange, ObjectOwner } from '../world/state.ts';
import { valueOf } from './json-value.ts';
import { timestampOf } from './ledger-service.ts';

const { ADDRESS, OBJECT, SHARED } = GrpcTypes.Owner_OwnerKind;

export function eventMessage(transaction: ChainTransaction, event: ChainEvent, index: number): GrpcTypes.Event {
  return {
    packageId: event.packageId,
    module: event.module,
    sender: transaction.sender,
    eventType: event.eventType,
    // The sandbox knows the fields of an event, not the layout of its struct: only `json` says something.
    contents: { name: event.eventType, value: new Uint8Array() },
    json: valueOf(event.json),
    checkpoint: BigInt(transaction.checkpoint),
    transactionDigest: transaction.digest,
    eventIndex: index,
  };
}

/** `epoch` and `index` (the place in its checkpoint) are known to the ledger around it. */
export type Surroundings = { epoch: bigint; index: number };

export function transactionMessage(
  transaction: ChainTransaction,
  objects: readonly ObjectChange[],
  { epoch, index }: Surroundings,
): GrpcTypes.ExecutedTransaction {
  const { digest, sender, checkpoint, timestampMs } = transaction;
  return GrpcTypes.ExecutedTransaction.create({
    digest,
    transaction: { digest, sender, gasPayment: { objects: [], owner: transaction.gas.payer } },
    effects: { ...effectsOf(transaction, objects), epoch },
    events: { events: transaction.events.map((event, number) => eventMessage(transaction, event, number)) },
    checkpoint: BigInt(checkpoint),
    timestamp: timestampOf(timestampMs),
    balanceChanges: transaction.balanceChanges
      .filter(({ amount }) => amount !== 0n)
      .map(({ address, coinType, amount }) => ({ address, coinType, amount: String(amount) })),
    transactionIndex: BigInt(index),
  });
}

function effectsOf(
  { digest, gas, accumulatorChanges }: ChainTransaction,
  objects: readonly ObjectChange[],
): GrpcTypes.TransactionEffects {
  const changed = objects.filter(({ before, after }) => before !== null || after !== null).map(changedObject);
  const gasObject = changed.find(({ objectId }) => objectId === gas.coinId);
  return GrpcTypes.TransactionEffects.create({
    status: { success: true },
    transactionDigest: digest,
    gasUsed: {
      computationCost: gasUsed.computation,
      storageCost: gasUsed.storage,
      storageRebate: gasUsed.rebate,
      nonRefundableStorageFee: gasUsed.notRefunded,
    },
    ...(gasObject && { gasObject }),
    changedObjects: [
      ...changed,
      ...accumulatorChanges.filter(({ amount }) => amount !== 0n).map((change) => accumulatorWrite(change)),
    ],
  });
}

function changedObject({ objectId, objectType, before, after }: ObjectChange): GrpcTypes.ChangedObject {
  const { EXISTS, DOES_NOT_EXIST } = GrpcTypes.ChangedObject_InputObjectState;
  const { OBJECT_WRITE, DOES_NOT_EXIST: GONE } = GrpcTypes.ChangedObject_OutputObjectState;
  const { CREATED, DELETED, NONE } = GrpcTypes.ChangedObject_IdOperation;
  return {
    objectId,
    objectType,
    inputState: before ? EXISTS : DOES_NOT_EXIST,
    outputState: after ? OBJECT_WRITE : GONE,
    idOperation: before ? (after ? NONE : DELETED) : CREATED,
    ...(before && { inputOwner: ownerMessage(before) }),
    ...(after && { outputOwner: ownerMessage(after) }),
  };
}

function ownerMessage(owner: ObjectOwner): GrpcTypes.Owner {
  if (owner.kind === 'shared') return { kind: SHARED, version: 1n };
  return owner.kind === 'address'
    ? { kind: ADDRESS, address: owner.address }
    : { kind: OBJECT, address: owner.parentId };
}

/** The node tells a change of an address balance as a write to the accumulator of that address and coin. */
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

const accumulatorRoot = '0xacc';

function accumulatorId(address: string, coinType: string): string {
  const key = `0x2::accumulator::Key<0x2::balance::Balance<${coinType}>>`;
  return deriveDynamicFieldID(accumulatorRoot, key, bcs.Address.serialize(address).toBytes());
}
