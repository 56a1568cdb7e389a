import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { toBase64 } from '@mysten/sui/utils';
import { limits } from '../transactions/protocol-limits.ts';
import type { ObjectLookup } from '../transactions/owned-objects.ts';
import { objectLookup } from '../transactions/owned-objects.ts';
import type {
  Argument,
  Command,
  Expiration,
  Input,
  ObjectRef,
  TransactionData,
} from '../transactions/transaction-data.ts';
import { decodeTransaction } from '../transactions/transaction-data.ts';
import { objectDigest } from '../world/derived-ids.ts';
import type { WorldState } from '../world/state.ts';
import { canonicalAddress, canonicalType } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { required } from './state-service.ts';

/** Fills in, as a node does, what a caller left open: object versions and digests, gas and gas price. */

const { INVALID_ARGUMENT, NOT_FOUND } = GrpcStatusCode;
const kinds = GrpcTypes.Argument_ArgumentKind;
const inputKinds = GrpcTypes.Input_InputKind;
const expirations = GrpcTypes.TransactionExpiration_TransactionExpirationKind;

function refused(why: string): GrpcRefusal {
  return new GrpcRefusal(INVALID_ARGUMENT, why);
}

/** Decodes given bytes unchanged; otherwise builds the transaction from its fields and fills in what is missing. */
export function resolveTransaction(state: WorldState, given: GrpcTypes.Transaction): TransactionData {
  if (given.bcs?.value) return decodeTransaction(given.bcs.value);
  const { data } = given.kind ?? {};
  if (data?.oneofKind !== 'programmableTransaction')
    throw refused('transaction.kind.programmable_transaction is missing');
  const { inputs, commands } = data.programmableTransaction;
  const lookup = objectLookup(state);
  const sender = required('sender', given.sender, canonicalAddress);
  return {
    sender,
    gas: gasOf(lookup, sender, given.gasPayment, state.referenceGasPriceMist),
    expiration: expirationOf(given.expiration),
    inputs: inputs.map((input) => inputOf(lookup, input)),
    commands: commands.map(commandOf),
  };
}

function gasOf(
  lookup: ObjectLookup,
  sender: string,
  payment: GrpcTypes.GasPayment | undefined,
  referenceGasPriceMist: bigint,
): TransactionData['gas'] {
  const refs = (payment?.objects ?? []).map((each) => refOf(lookup, each));
  const balances = refs.map(({ objectId }) => coinAmount(lookup, objectId));
  const all = balances.reduce((sum, amount) => sum + amount, 0n);
  const most = refs.length === 0 || all > limits.budgetMist ? limits.budgetMist : all;
  return {
    owner: payment?.owner === undefined ? sender : required('owner', payment.owner, canonicalAddress),
    priceMist: payment?.price ?? referenceGasPriceMist,
    budgetMist: payment?.budget ?? most,
    payment: refs,
  };
}

function coinAmount(lookup: ObjectLookup, objectId: string): bigint {
  const found = lookup(objectId);
  // A reservation of the address balance is not an object; its amount is checked when it is used.
  return found?.kind === 'coin' ? found.amount : limits.budgetMist;
}

/** The current version of an object, which must match any version or digest given. Error texts of `simulate/resolve/mod.rs`. */
function refOf(lookup: ObjectLookup, given: { objectId?: string; version?: bigint; digest?: string }): ObjectRef {
  const objectId = required('object_id', given.objectId, canonicalAddress);
  const { version, digest } = given;
  if (version === 0n && digest !== undefined) return { objectId, version: '0', digest };
  const found = lookup(objectId);
  if (!found) throw new GrpcRefusal(NOT_FOUND, `Object ${objectId} not found`);
  if (version !== undefined && version !== BigInt(found.version)) {
    throw refused(`provided version doesn't match, provided: ${version} actual: ${found.version}`);
  }
  const current = objectDigest(objectId, found.version);
  if (digest !== undefined && digest !== current) {
    throw refused(`provided digest doesn't match, provided: ${digest} actual: ${current}`);
  }
  return { objectId, version: String(found.version), digest: current };
}

function inputOf(lookup: ObjectLookup, input: GrpcTypes.Input): Input {
  if (input.pure) return { $kind: 'Pure', Pure: { bytes: toBase64(input.pure) } };
  if (input.fundsWithdrawal) return withdrawalOf(input.fundsWithdrawal);
  if (input.kind !== undefined && input.kind !== inputKinds.IMMUTABLE_OR_OWNED) {
    throw refused("the sandbox's chain does not accept shared or receiving objects");
  }
  const ImmOrOwnedObject = refOf(lookup, input);
  return { $kind: 'Object', Object: { $kind: 'ImmOrOwnedObject', ImmOrOwnedObject } };
}

function withdrawalOf({ amount, coinType, source }: GrpcTypes.FundsWithdrawal): Input {
  const isSponsor = source === GrpcTypes.FundsWithdrawal_Source.SPONSOR;
  return {
    $kind: 'FundsWithdrawal',
    FundsWithdrawal: {
      reservation: { $kind: 'MaxAmountU64', MaxAmountU64: String(amount ?? 0n) },
      typeArg: { $kind: 'Balance', Balance: required('coin_type', coinType, canonicalType) },
      withdrawFrom: isSponsor ? { $kind: 'Sponsor', Sponsor: true } : { $kind: 'Sender', Sender: true },
    },
  };
}

function argumentOf(given: GrpcTypes.Argument | undefined): Argument {
  const { kind, input = 0, result = 0, subresult } = given ?? {};
  if (kind === kinds.GAS) return { $kind: 'GasCoin', GasCoin: true };
  if (kind === kinds.INPUT) return { $kind: 'Input', Input: input };
  if (kind !== kinds.RESULT) throw refused('invalid command: argument is missing');
  return subresult === undefined
    ? { $kind: 'Result', Result: result }
    : { $kind: 'NestedResult', NestedResult: [result, subresult] };
}

function commandOf({ command }: GrpcTypes.Command): Command {
  switch (command.oneofKind) {
    case 'splitCoins': {
      const { coin, amounts } = command.splitCoins;
      return { $kind: 'SplitCoins', SplitCoins: { coin: argumentOf(coin), amounts: amounts.map(argumentOf) } };
    }
    case 'mergeCoins': {
      const { coin, coinsToMerge } = command.mergeCoins;
      return {
        $kind: 'MergeCoins',
        MergeCoins: { destination: argumentOf(coin), sources: coinsToMerge.map(argumentOf) },
      };
    }
    case 'transferObjects': {
      const { objects, address } = command.transferObjects;
      return {
        $kind: 'TransferObjects',
        TransferObjects: { objects: objects.map(argumentOf), address: argumentOf(address) },
      };
    }
    case 'moveCall': {
      const { package: from, module = '', function: name = '', typeArguments, arguments: given } = command.moveCall;
      const MoveCall = {
        package: required('package', from, canonicalAddress),
        module,
        function: name,
        typeArguments: typeArguments.map((type) => required('type_arguments', type, canonicalType)),
        arguments: given.map(argumentOf),
      };
      return { $kind: 'MoveCall', MoveCall };
    }
    default:
      throw refused(`the sandbox's chain does not run ${command.oneofKind ?? 'an empty command'}`);
  }
}

function expirationOf(given: GrpcTypes.TransactionExpiration | undefined): Expiration {
  const { kind = expirations.NONE, epoch, minEpoch, chain = '', nonce = 0 } = given ?? {};
  if (kind === expirations.NONE) return { $kind: 'None', None: true };
  if (kind === expirations.EPOCH) return { $kind: 'Epoch', Epoch: Number(epoch ?? 0n) };
  if (kind !== expirations.VALID_DURING) throw refused('unknown expiration');
  const text = (value: bigint | undefined): string | null => (value === undefined ? null : String(value));
  return {
    $kind: 'ValidDuring',
    ValidDuring: {
      minEpoch: text(minEpoch),
      maxEpoch: text(epoch),
      minTimestamp: null,
      maxTimestamp: null,
      chain,
      nonce,
    },
  };
}
