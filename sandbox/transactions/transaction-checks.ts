import { leastGasUnits, limits } from './protocol-limits.ts';
import type { Command, Expiration, Input, TransactionData } from './transaction-data.ts';
import { argumentsOf } from './transaction-data.ts';
import { TransactionRefused } from './transaction-refused.ts';

/** A validator's checks before it loads any object. Error texts and comparisons as in sui-types, `transaction.rs` and `error.rs`. */

function requireWithin(isWithin: boolean, limit: string, value: number): void {
  if (!isWithin) throw new TransactionRefused(`Size limit exceeded: ${limit} is ${value}`);
}

/** `bytes`: the size of the signed transaction as a whole (in a simulation, without signatures). */
export function checkLimits(data: TransactionData, bytes: number): void {
  requireWithin(
    bytes <= limits.transactionBytes,
    `serialized transaction size exceeded maximum of ${limits.transactionBytes}`,
    bytes,
  );
  requireWithin(data.gas.payment.length <= limits.gasCoins, 'maximum number of gas payment objects', limits.gasCoins);
  // The limit is exclusive: `commands.len() < max_programmable_tx_commands`. So are those of arguments and pure bytes.
  requireWithin(
    data.commands.length < limits.commands,
    'maximum commands in a programmable transaction',
    limits.commands,
  );
  checkInputs(data);
  for (const command of data.commands) checkCommand(command);
}

function objectIdOf({ Object: object }: Input): string | undefined {
  return (object?.ImmOrOwnedObject ?? object?.SharedObject ?? object?.Receiving)?.objectId;
}

function checkInputs({ inputs, gas }: TransactionData): void {
  const objects = inputs.flatMap((input) => objectIdOf(input) ?? []);
  if (new Set(objects).size < objects.length) {
    throw new TransactionRefused("The transaction inputs contain duplicated ObjectRef's");
  }
  const known = new Set(objects);
  for (const { objectId } of gas.payment) {
    if (known.has(objectId)) {
      throw new TransactionRefused(`Mutable object ${objectId} cannot appear more than one in one transaction`);
    }
    known.add(objectId);
  }
  requireWithin(
    objects.length <= limits.inputObjects,
    'maximum input + receiving objects in a transaction',
    limits.inputObjects,
  );
  for (const { Pure: pure } of inputs) {
    const bytes = pure ? Buffer.from(pure.bytes, 'base64').length : 0;
    requireWithin(bytes < limits.pureBytes, 'maximum pure argument size', limits.pureBytes);
  }
}

function checkCommand(command: Command): void {
  const isCall = command.$kind === 'MoveCall';
  // Only the list counts, without the single coin or address next to it.
  const count = argumentsOf(command).length - (isCall ? 0 : 1);
  if (!isCall && count === 0) {
    throw new TransactionRefused(
      'TransferObjects, MergeCoin, and Publish cannot have empty arguments. If MakeMoveVec has empty arguments, it must have a type specified',
    );
  }
  requireWithin(
    count < limits.argumentsOfCommand,
    isCall ? 'maximum arguments in a move call' : 'maximum arguments in a programmable transaction command',
    limits.argumentsOfCommand,
  );
}

export function checkGasData({ gas }: TransactionData, { referenceGasPriceMist }: ChainTime): void {
  const { priceMist, budgetMist } = gas;
  if (priceMist < referenceGasPriceMist) {
    throw new TransactionRefused(`Gas price ${priceMist} under reference gas price (RGP) ${referenceGasPriceMist}`);
  }
  if (budgetMist > limits.budgetMist) {
    throw new TransactionRefused(`Gas budget: ${budgetMist} is higher than max: ${limits.budgetMist}`);
  }
  const least = leastGasUnits * priceMist;
  if (budgetMist < least) throw new TransactionRefused(`Gas budget: ${budgetMist} is lower than min: ${least}`);
}

/** The chain's id, epoch and gas price. */
export type ChainTime = { epoch: bigint; chainId: string; referenceGasPriceMist: bigint };

export function checkExpiration(data: TransactionData, now: ChainTime): void {
  const window = windowOf(data.expiration);
  if (window.max !== null && window.max < now.epoch) throw new TransactionRefused('Transaction Expired');
  if (window.min !== null && window.min > now.epoch) {
    throw new TransactionRefused('Invalid transaction expiration: the transaction is not valid yet');
  }
  if (window.chain !== null && window.chain !== now.chainId) {
    throw new TransactionRefused(
      `Transaction chain ID ${window.chain} does not match network chain ID ${now.chainId}.`,
    );
  }
  const ownsInputs = data.inputs.some(({ Object: object }) => object?.ImmOrOwnedObject);
  // A gas coin's version is used up; an address balance has no version, so without an expiration the transaction could repeat.
  if (data.gas.payment.length === 0 && !ownsInputs && window.chain === null) {
    throw new TransactionRefused('Transaction with empty gas payment must specify an expiration.');
  }
}

type Window = { min: bigint | null; max: bigint | null; chain: string | null };

function windowOf(expiration: Expiration): Window {
  if (expiration.$kind === 'Epoch') return { min: null, max: BigInt(expiration.Epoch), chain: null };
  const validity = expiration.ValidDuring ?? expiration.Validity;
  if (!validity) return { min: null, max: null, chain: null };
  const epoch = (given: string | null): bigint | null => (given === null ? null : BigInt(given));
  return { min: epoch(validity.minEpoch), max: epoch(validity.maxEpoch), chain: validity.chain };
}
