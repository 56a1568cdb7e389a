import { objectsOf } from '../world/places.ts';
import type { ChainTransaction, ObjectChange, WorldState } from '../world/state.ts';

/** The transactions that touched an address or object, as ascending indexes into `state.transactions`. */
export type LedgerIndex = {
  read: number;
  byDigest: Map<string, number>;
  bySender: Map<string, number[]>;
  byAddress: Map<string, number[]>;
  byObject: Map<string, number[]>;
};

const indexes = new WeakMap<WorldState, LedgerIndex>();

/** The index of a world, up to date with its newest transaction. */
export function ledgerIndexOf(state: WorldState): LedgerIndex {
  const index = indexes.get(state) ?? {
    read: 0,
    byDigest: new Map(),
    bySender: new Map(),
    byAddress: new Map(),
    byObject: new Map(),
  };
  indexes.set(state, index);
  for (; index.read < state.transactions.length; index.read += 1) {
    const transaction = state.transactions[index.read];
    if (transaction) enter(index, state, transaction, index.read);
  }
  return index;
}

function enter(index: LedgerIndex, state: WorldState, transaction: ChainTransaction, at: number): void {
  const objects = objectsOf(state, transaction);
  index.byDigest.set(transaction.digest, at);
  note(index.bySender, transaction.sender, at);
  for (const address of affectedBy(transaction, objects)) note(index.byAddress, address, at);
  for (const { objectId } of objects) note(index.byObject, objectId, at);
}

function note(places: Map<string, number[]>, key: string, at: number): void {
  const known = places.get(key);
  if (known) known.push(at);
  else places.set(key, [at]);
}

/** The sender, owners of changed objects before and after, and addresses whose balance changed. */
function affectedBy({ sender, balanceChanges }: ChainTransaction, objects: readonly ObjectChange[]): Set<string> {
  const addresses = new Set([sender]);
  for (const { before, after } of objects) {
    if (before?.kind === 'address') addresses.add(before.address);
    if (after?.kind === 'address') addresses.add(after.address);
  }
  for (const { address, amount } of balanceChanges) if (amount !== 0n) addresses.add(address);
  return addresses;
}

/** Whether an ascending list has this place. */
export function hasPlace(list: readonly number[] | undefined, at: number): boolean {
  return list !== undefined && list[firstPlace(list.length, (index) => (list[index] ?? 0) >= at)] === at;
}

/** Binary search: the first place where a test that is first false and then true is true. */
export function firstPlace(length: number, isThere: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isThere(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export type Span = { from: number; to: number; descending: boolean };

/** Merges several ascending lists: their places from `from` (inclusive) to `to` (exclusive), each once, in order. */
export function* inOrder(lists: readonly (readonly number[])[], { from, to, descending }: Span): Generator<number> {
  const step = descending ? -1 : 1;
  const heads = lists.map((list) =>
    descending
      ? firstPlace(list.length, (at) => (list[at] ?? 0) >= to) - 1
      : firstPlace(list.length, (at) => (list[at] ?? 0) >= from),
  );
  const pick = descending ? Math.max : Math.min;
  for (;;) {
    const present = lists.flatMap((list, which) => list[heads[which] ?? -1] ?? []);
    if (present.length === 0) return;
    const next = pick(...present);
    if (next < from || next >= to) return;
    lists.forEach((list, which) => {
      const head = heads[which] ?? -1;
      if (list[head] === next) heads[which] = head + step;
    });
    yield next;
  }
}

/** Every place of a span, in order. */
export function* everyPlace({ from, to, descending }: Span): Generator<number> {
  if (descending) for (let at = to - 1; at >= from; at -= 1) yield at;
  else for (let at = from; at < to; at += 1) yield at;
}
