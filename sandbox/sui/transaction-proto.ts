import { GrpcTypes } from '@mysten/sui/grpc';
import type { Argument, Command, Expiration, Input, TransactionData } from '../transactions/transaction-data.ts';
import { digestOfBytes, encodeTransaction } from '../transactions/transaction-data.ts';
import { timestampOf } from './ledger-service.ts';

const kinds = GrpcTypes.Argument_ArgumentKind;
const inputKinds = GrpcTypes.Input_InputKind;
const expirations = GrpcTypes.TransactionExpiration_TransactionExpirationKind;
const sources = GrpcTypes.FundsWithdrawal_Source;

/** A transaction as the node returns it: as fields and as the signed bytes. */
export function transactionProto(data: TransactionData): GrpcTypes.Transaction {
  const bytes = encodeTransaction(data);
  return {
    bcs: { name: 'TransactionData', value: bytes },
    digest: digestOfBytes(bytes),
    version: 1,
    kind: {
      kind: GrpcTypes.TransactionKind_Kind.PROGRAMMABLE_TRANSACTION,
      data: {
        oneofKind: 'programmableTransaction',
        programmableTransaction: { inputs: data.inputs.map(inputProto), commands: data.commands.map(commandProto) },
      },
    },
    sender: data.sender,
    gasPayment: {
      objects: data.gas.payment.map(({ objectId, version, digest }) => ({
        objectId,
        version: BigInt(version),
        digest,
      })),
      owner: data.gas.owner,
      price: data.gas.priceMist,
      budget: data.gas.budgetMist,
    },
    expiration: expirationProto(data.expiration),
  };
}

function inputProto({ Pure: pure, Object: object, FundsWithdrawal: funds }: Input): GrpcTypes.Input {
  if (pure) return { kind: inputKinds.PURE, pure: new Uint8Array(Buffer.from(pure.bytes, 'base64')) };
  if (funds) {
    return {
      kind: inputKinds.FUNDS_WITHDRAWAL,
      fundsWithdrawal: {
        amount: BigInt(funds.reservation.MaxAmountU64),
        coinType: funds.typeArg.Balance,
        source: funds.withdrawFrom.Sender ? sources.SENDER : sources.SPONSOR,
      },
    };
  }
  if (object?.SharedObject) {
    const { objectId, initialSharedVersion, mutable } = object.SharedObject;
    return { kind: inputKinds.SHARED, objectId, version: BigInt(initialSharedVersion), mutable };
  }
  const ref = object?.ImmOrOwnedObject ?? object?.Receiving;
  const kind = object?.Receiving ? inputKinds.RECEIVING : inputKinds.IMMUTABLE_OR_OWNED;
  return { kind, ...(ref && { ...ref, version: BigInt(ref.version) }) };
}

function argumentProto(argument: Argument): GrpcTypes.Argument {
  switch (argument.$kind) {
    case 'GasCoin':
      return { kind: kinds.GAS };
    case 'Input':
      return { kind: kinds.INPUT, input: argument.Input };
    case 'Result':
      return { kind: kinds.RESULT, result: argument.Result };
    default: {
      const [result, subresult] = argument.NestedResult;
      return { kind: kinds.RESULT, result, subresult };
    }
  }
}

function commandProto(command: Command): GrpcTypes.Command {
  const all = (given: readonly Argument[]): GrpcTypes.Argument[] => given.map(argumentProto);
  switch (command.$kind) {
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins;
      const splitCoins = { coin: argumentProto(coin), amounts: all(amounts) };
      return { command: { oneofKind: 'splitCoins', splitCoins } };
    }
    case 'MergeCoins': {
      const { destination, sources: merged } = command.MergeCoins;
      const mergeCoins = { coin: argumentProto(destination), coinsToMerge: all(merged) };
      return { command: { oneofKind: 'mergeCoins', mergeCoins } };
    }
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects;
      const transferObjects = { objects: all(objects), address: argumentProto(address) };
      return { command: { oneofKind: 'transferObjects', transferObjects } };
    }
    case 'MoveCall': {
      const { typeArguments, arguments: given, ...named } = command.MoveCall;
      return { command: { oneofKind: 'moveCall', moveCall: { ...named, typeArguments, arguments: all(given) } } };
    }
    default:
      return { command: { oneofKind: undefined } };
  }
}

function expirationProto(expiration: Expiration): GrpcTypes.TransactionExpiration {
  if (expiration.$kind === 'None') return { kind: expirations.NONE };
  if (expiration.$kind === 'Epoch') return { kind: expirations.EPOCH, epoch: BigInt(expiration.Epoch) };
  const validity = expiration.ValidDuring ?? expiration.Validity;
  const { minEpoch, maxEpoch, minTimestamp, maxTimestamp, chain, nonce } = validity;
  const allowed = expiration.Validity?.allowedProposers;
  return {
    kind: expiration.Validity ? expirations.VALIDITY : expirations.VALID_DURING,
    chain,
    nonce,
    ...(minEpoch !== null && { minEpoch: BigInt(minEpoch) }),
    ...(maxEpoch !== null && { epoch: BigInt(maxEpoch) }),
    ...(minTimestamp !== null && { minTimestamp: timestampOf(Number(minTimestamp)) }),
    ...(maxTimestamp !== null && { maxTimestamp: timestampOf(Number(maxTimestamp)) }),
    ...(allowed && { allowedProposers: { epoch: BigInt(allowed.epoch), proposers: allowed.proposers } }),
  };
}
