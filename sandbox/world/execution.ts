/** The outcome of a transaction, as plain data like a node's effects. */

/** In MIST. Of the storage cost of overwritten or deleted objects, `rebate` is refunded and `notRefunded` is not. */
export type GasUsed = { computation: bigint; storage: bigint; rebate: bigint; notRefunded: bigint };

/** What a transaction costs its payer; negative when the storage rebate exceeds the costs. */
export function gasCostOf({ computation, storage, rebate }: GasUsed): bigint {
  return computation + storage - rebate;
}

/** What was wrong with a command's argument, named as in the BCS effects. */
export type ArgumentProblem =
  | 'TypeMismatch'
  | 'InvalidBCSBytes'
  | 'InvalidUsageOfPureArg'
  | 'InvalidGasCoinUsage'
  | 'InvalidValueUsage'
  | { IndexOutOfBounds: { idx: number } }
  | { SecondaryIndexOutOfBounds: { resultIdx: number; secondaryIdx: number } }
  | { InvalidResultArity: { resultIdx: number } };

/** Why commands failed; `kind` is named as in the BCS effects. */
export type FailureReason =
  | {
      kind:
        | 'InsufficientGas'
        | 'InsufficientCoinBalance'
        | 'CoinBalanceOverflow'
        | 'ArityMismatch'
        | 'TypeArityMismatch'
        | 'MovePrimitiveRuntimeError';
    }
  | { kind: 'MoveAbort'; module: string; functionName: string; code: bigint }
  | { kind: 'CommandArgumentError'; argument: number; problem: ArgumentProblem }
  | { kind: 'UnusedValueWithoutDrop'; result: number; subresult: number };

/** `command` null: the transaction as a whole failed. */
export type Failure = { reason: FailureReason; command: number | null };

/** A signed transaction: base64 of its BCS bytes, and the signatures as wallets return them. */
export type SignedBytes = { bytes: string; signatures: string[] };

/**
 * A coin object; `lastDigest` is the transaction that wrote this version. `isParty`: a party object, which consensus sequences, so
 * that no transaction can name it as an owned one.
 */
export type HeldCoin = { id: string; amount: bigint; version: number; lastDigest: string; isParty?: boolean };

/** SUI staked with a validator: an object in the owner's wallet, not part of a balance. `amount` is the principal. */
export type Stake = HeldCoin & { owner: string; poolId: string; activationEpoch: bigint };
