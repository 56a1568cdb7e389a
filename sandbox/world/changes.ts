import type { BalanceChange, ChainTransaction, ObjectChange, ObjectOwner } from './state.ts';

/** Records what a transaction changed, as a node's effects do: once per address and coin, once per object. */

/** Adds to the transaction's balance change for one coin of one address. */
export function recordBalance(transaction: ChainTransaction, change: BalanceChange): void {
  addTo(transaction.balanceChanges, change);
}

/** The same for the part that goes into or out of an address balance. */
export function recordAccumulator(transaction: ChainTransaction, change: BalanceChange): void {
  addTo(transaction.accumulatorChanges, change);
}

function addTo(changes: BalanceChange[], { address, coinType, amount }: BalanceChange): void {
  const known = changes.find((each) => each.address === address && each.coinType === coinType);
  if (known) known.amount += amount;
  else changes.push({ address, coinType, amount });
}

/** An object changed twice is recorded once, from its first state to its last. */
export function recordObject(transaction: ChainTransaction, change: ObjectChange): void {
  const known = transaction.objects.find((each) => each.objectId === change.objectId);
  if (!known) {
    transaction.objects.push({ ...change });
    return;
  }
  known.after = change.after;
  if (known.versions && change.versions) known.versions.after = change.versions.after;
}

/** Records a new object: no earlier change of it can exist, so none is searched for. */
export function recordNew(
  transaction: ChainTransaction,
  made: { objectId: string; objectType: string; owner: ObjectOwner; version?: number },
): void {
  const { objectId, objectType, owner, version } = made;
  const versions = version === undefined ? {} : { versions: { before: null, after: version } };
  transaction.objects.push({ objectId, objectType, before: null, after: owner, ...versions });
}

export const shared: ObjectOwner = { kind: 'shared' };

export function ownedBy(address: string): ObjectOwner {
  return { kind: 'address', address };
}
