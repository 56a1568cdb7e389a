import type { GrpcTypes } from '@mysten/sui/grpc';
import type { Lie } from '../faults/fault-board.ts';
import { limits } from '../transactions/protocol-limits.ts';
import { addressFrom } from '../world/derived-ids.ts';

/** The recipient of the money in a falsified reply. */
const liar = addressFrom('liar');

/** The same reply, but its transaction pays another address, pays more, or has the maximum gas budget. */
export function untrue<T>(message: T, about: Lie): T {
  if (typeof message !== 'object' || message === null || !('transaction' in message)) return message;
  const transaction = message.transaction as GrpcTypes.ExecutedTransaction | undefined;
  return transaction ? { ...message, transaction: ways[about](transaction) } : message;
}

type Executed = GrpcTypes.ExecutedTransaction;

const ways: Record<Lie, (told: Executed) => Executed> = {
  recipient: payingTheLiar,
  amount: payingMore,
  budget: ({ transaction, ...told }) => ({ ...told, ...(transaction && { transaction: dearOne(transaction) }) }),
};

/** Replaces the first recipient, in the balance changes and the changed objects. */
function payingTheLiar(told: Executed): Executed {
  const paid = told.balanceChanges.find(({ amount = '' }) => BigInt(amount) > 0n)?.address;
  const isPaid = (address: string | undefined): boolean => paid !== undefined && address === paid;
  return {
    ...told,
    balanceChanges: told.balanceChanges.map((each) => (isPaid(each.address) ? { ...each, address: liar } : each)),
    ...(told.effects && {
      effects: {
        ...told.effects,
        changedObjects: told.effects.changedObjects.map((each) =>
          isPaid(each.outputOwner?.address) ? { ...each, outputOwner: { ...each.outputOwner, address: liar } } : each,
        ),
      },
    }),
  };
}

function payingMore(told: Executed): Executed {
  const at = told.balanceChanges.findIndex(({ amount = '' }) => BigInt(amount) > 0n);
  return {
    ...told,
    balanceChanges: told.balanceChanges.map((each, index) =>
      index === at ? { ...each, amount: String(BigInt(each.amount ?? '0') + 1n) } : each,
    ),
  };
}

/** Sets the maximum budget. Of what a node fills in, the SDK takes over only gas and object versions. */
function dearOne({ gasPayment, ...transaction }: GrpcTypes.Transaction): GrpcTypes.Transaction {
  return { ...transaction, ...(gasPayment && { gasPayment: { ...gasPayment, budget: limits.budgetMist } }) };
}
