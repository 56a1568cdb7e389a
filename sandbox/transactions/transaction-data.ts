import { bcs } from '@mysten/sui/bcs';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { toBase64 } from '@mysten/sui/utils';
import { TransactionRefused } from './transaction-refused.ts';

type Parsed = ReturnType<typeof bcs.TransactionData.parse>['V1'];
type Programmable = NonNullable<Parsed['kind']['ProgrammableTransaction']>;

export type Input = Programmable['inputs'][number];
export type Command = Programmable['commands'][number];
export type Argument = Extract<Command, { $kind: 'SplitCoins' }>['SplitCoins']['coin'];
export type ObjectRef = Parsed['gasData']['payment'][number];
export type Expiration = Parsed['expiration'];

/** A programmable transaction as its signers see it. */
export type TransactionData = {
  sender: string;
  gas: { owner: string; priceMist: bigint; budgetMist: bigint; payment: ObjectRef[] };
  expiration: Expiration;
  inputs: Input[];
  commands: Command[];
};

/** Decodes the bytes that are signed. Throws TransactionRefused unless they are exactly one programmable transaction. */
export function decodeTransaction(bytes: Uint8Array): TransactionData {
  const parsed = parse(bytes);
  if (!parsed.kind.ProgrammableTransaction) {
    throw new TransactionRefused('Feature is not supported: SenderSignedData must not contain system transaction');
  }
  const { owner, price, budget, payment } = parsed.gasData;
  const data: TransactionData = {
    sender: parsed.sender,
    gas: { owner, priceMist: BigInt(price), budgetMist: BigInt(budget), payment },
    expiration: parsed.expiration,
    ...parsed.kind.ProgrammableTransaction,
  };
  if (toBase64(encodeTransaction(data)) !== toBase64(bytes)) throw invalid('bytes are left over');
  return data;
}

function parse(bytes: Uint8Array): Parsed {
  try {
    return bcs.TransactionData.parse(bytes).V1;
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function invalid(why: string): TransactionRefused {
  return new TransactionRefused(`invalid transaction: ${why}`, 'bytes');
}

/** The bytes that are signed. */
export function encodeTransaction({ sender, gas, expiration, inputs, commands }: TransactionData): Uint8Array {
  return bcs.TransactionData.serialize({
    V1: {
      kind: { ProgrammableTransaction: { inputs, commands } },
      sender,
      gasData: { payment: gas.payment, owner: gas.owner, price: gas.priceMist, budget: gas.budgetMist },
      expiration,
    },
  }).toBytes();
}

/** The digest that identifies the transaction on the chain. */
export function digestOfBytes(bytes: Uint8Array): string {
  return TransactionDataBuilder.getDigestFromBytes(bytes);
}

/** All arguments of a command, in the order in which failures count them. */
export function argumentsOf(command: Command): Argument[] {
  switch (command.$kind) {
    case 'SplitCoins':
      return [command.SplitCoins.coin, ...command.SplitCoins.amounts];
    case 'MergeCoins':
      return [command.MergeCoins.destination, ...command.MergeCoins.sources];
    case 'TransferObjects':
      return [...command.TransferObjects.objects, command.TransferObjects.address];
    case 'MoveCall':
      return command.MoveCall.arguments;
    default:
      return [];
  }
}

/** Whether any command uses the gas coin. */
export function usesGasCoin({ commands }: TransactionData): boolean {
  return commands.some((command) => argumentsOf(command).some(({ $kind }) => $kind === 'GasCoin'));
}
