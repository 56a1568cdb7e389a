import { bcs } from '@mysten/sui/bcs';
import type { ArgumentProblem, FailureReason } from '../world/execution.ts';
import type { OwnedNft } from './owned-objects.ts';
import type { Withdrawal } from './input-objects.ts';
import { limits } from './protocol-limits.ts';
import type { Argument } from './transaction-data.ts';

export type Coin = { kind: 'coin'; objectId: string; coinType: string; amount: bigint };
export type Balance = { kind: 'balance'; coinType: string; amount: bigint };
type Pure = { kind: 'pure'; bytes: Uint8Array };
export type Value = Coin | Balance | OwnedNft | Withdrawal | Pure | { kind: 'u64'; amount: bigint };

/** A value that can be moved out once; null afterwards. */
type Slot = { value: Value | null };

/** A command failed: gas is paid and nothing else happens. */
export class CommandsFailed extends Error {
  override name = 'CommandsFailed';
  readonly reason: FailureReason;
  constructor(reason: FailureReason) {
    super(reason.kind);
    this.reason = reason;
  }
}

function wrong(argument: number, problem: ArgumentProblem): CommandsFailed {
  return new CommandsFailed({ kind: 'CommandArgumentError', argument, problem });
}

/** The values that commands work on. `gas` null: there is no gas coin. */
export type Session = {
  gas: Slot | null;
  /** False: the rest of the gas coin returns to an address balance, so it cannot be transferred. */
  mayGiveGas: boolean;
  inputs: Slot[];
  results: Slot[][];
  /** Transferred objects and their recipients, in order. */
  given: { object: Coin | OwnedNft; to: string }[];
  /** Amounts sent to address balances. */
  sent: { to: string; coinType: string; amount: bigint }[];
  /** Amounts withdrawn from address balances. */
  withdrawn: Withdrawal[];
  newObjects: number;
  idOf: (index: number) => string;
};

/** An argument with its index in the command, by which failures name it. */
export type Place = { argument: Argument; index: number };

function slotOf({ gas, inputs, results }: Session, { argument, index }: Place): Slot {
  if (argument.$kind === 'GasCoin') {
    if (!gas) throw wrong(index, 'InvalidGasCoinUsage');
    return gas;
  }
  if (argument.$kind === 'Input') {
    return inputs[argument.Input] ?? outOfBounds(index, argument.Input);
  }
  const [command, sub] = argument.$kind === 'Result' ? [argument.Result, null] : argument.NestedResult;
  const ofCommand = results[command] ?? outOfBounds(index, command);
  if (sub === null && ofCommand.length !== 1) throw wrong(index, { InvalidResultArity: { resultIdx: command } });
  const slot = ofCommand[sub ?? 0];
  if (!slot) {
    throw wrong(index, { SecondaryIndexOutOfBounds: { resultIdx: command, secondaryIdx: sub ?? 0 } });
  }
  return slot;
}

function outOfBounds(index: number, idx: number): never {
  throw wrong(index, { IndexOutOfBounds: { idx } });
}

function valueIn(slot: Slot, index: number): Value {
  if (!slot.value) throw wrong(index, 'InvalidValueUsage');
  return slot.value;
}

/** A coin that is used but not moved; it must have the given coin type, if any. */
export function borrowCoin(session: Session, place: Place, coinType?: string): Coin {
  const value = valueIn(slotOf(session, place), place.index);
  if (value.kind !== 'coin') throw wrong(place.index, 'TypeMismatch');
  if (coinType !== undefined && value.coinType !== coinType) throw wrong(place.index, 'TypeMismatch');
  return value;
}

type Kind = Value['kind'];

/** Moves a value out of its place. The gas coin may only be given away, by TransferObjects. */
export function take<K extends Kind>(
  session: Session,
  place: Place,
  kinds: readonly K[],
  { coinType, mayBeGas = false }: { coinType?: string; mayBeGas?: boolean } = {},
): Extract<Value, { kind: K }> {
  if (place.argument.$kind === 'GasCoin' && !(mayBeGas && session.mayGiveGas)) {
    throw wrong(place.index, 'InvalidGasCoinUsage');
  }
  const slot = slotOf(session, place);
  const value = valueIn(slot, place.index);
  const isOfKind = (each: Value): each is Extract<Value, { kind: K }> => kinds.some((kind) => kind === each.kind);
  if (!isOfKind(value)) throw wrong(place.index, 'TypeMismatch');
  if (coinType !== undefined && 'coinType' in value && value.coinType !== coinType) {
    throw wrong(place.index, 'TypeMismatch');
  }
  slot.value = null;
  return value;
}

const u64Bytes = 8;
const addressBytes = 32;

export function amountAt(session: Session, place: Place): bigint {
  const value = valueIn(slotOf(session, place), place.index);
  if (value.kind === 'u64') return value.amount;
  return BigInt(bcs.u64().parse(pureBytes(value, place, u64Bytes)));
}

export function addressAt(session: Session, place: Place): string {
  return bcs.Address.parse(pureBytes(valueIn(slotOf(session, place), place.index), place, addressBytes));
}

function pureBytes(value: Value, { index }: Place, length: number): Uint8Array {
  if (value.kind !== 'pure') throw wrong(index, 'TypeMismatch');
  if (value.bytes.length !== length) throw wrong(index, 'InvalidBCSBytes');
  return value.bytes;
}

/** A coin object that did not exist before this transaction. */
export function newCoin(session: Session, coinType: string, amount: bigint): Coin {
  if (session.newObjects >= limits.newObjects) throw new CommandsFailed({ kind: 'MovePrimitiveRuntimeError' });
  session.newObjects += 1;
  return { kind: 'coin', objectId: session.idOf(session.newObjects), coinType, amount };
}

const largestU64 = 18_446_744_073_709_551_615n;

export function addTo(target: Coin | Balance, amount: bigint): void {
  if (target.amount + amount > largestU64) throw new CommandsFailed({ kind: 'CoinBalanceOverflow' });
  target.amount += amount;
}

/** Unused coins, balances or NFTs at the end make the transaction fail. Numbers and reservations may be dropped. */
export function requireNothingLeft({ results }: Session): void {
  results.forEach((slots, result) =>
    slots.forEach(({ value }, subresult) => {
      if (value?.kind === 'coin' || value?.kind === 'balance' || value?.kind === 'nft') {
        throw new CommandsFailed({ kind: 'UnusedValueWithoutDrop', result, subresult });
      }
    }),
  );
}
