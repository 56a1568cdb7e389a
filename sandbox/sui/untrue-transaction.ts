import type { GrpcTypes } from '@mysten/sui/grpc';
import type { Lie } from '../faults/fault-board.ts';
import { limits } from '../transactions/protocol-limits.ts';
import { addressFrom } from '../world/derived-ids.ts';

/** Who gets the money in a lie. */
const liar = addressFrom('liar');

/** The same reply, in which its transaction pays somebody else, or more, or costs a fortune. */
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

/** The first who gets anything, in the balances and among the objects. */
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

/** The most that a transaction may cost. Of what a node fills in, gas is all that the SDK takes over beside the versions of objects. */
function dearOne({ gasPayment, ...transaction }: GrpcTypes.Transaction): GrpcTypes.Transaction {
  return { ...transaction, ...(gasPayment && { gasPayment: { ...gasPayment, budget: limits.budgetMist } }) };
}
