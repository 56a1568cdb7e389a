/** How a transaction went. Plain data, as the effects of a node tell it. */

/** In MIST. Of the storage of what was written or ended before, `rebate` comes back and `notRefunded` does not. */
export type GasUsed = { computation: bigint; storage: bigint; rebate: bigint; notRefunded: bigint };

/** What a transaction costs its payer; less than nothing when it gives more storage back than it takes. */
export function gasCostOf({ computation, storage, rebate }: GasUsed): bigint {
  return computation + storage - rebate;
}

/** What was wrong with an argument of a command; the names are those of the effects in BCS. */
export type ArgumentProblem =
  | 'TypeMismatch'
  | 'InvalidBCSBytes'
  | 'InvalidUsageOfPureArg'
  | 'InvalidGasCoinUsage'
  | 'InvalidValueUsage'
  | { IndexOutOfBounds: { idx: number } }
  | { SecondaryIndexOutOfBounds: { resultIdx: number; secondaryIdx: number } }
  | { InvalidResultArity: { resultIdx: number } };

/** Why commands failed; `kind` is named as in the effects in BCS. */
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

/** `command` null: it failed as a whole. */
export type Failure = { reason: FailureReason; command: number | null };

/** What was signed, and by whom: base64 of the transaction's BCS bytes, and signatures as wallets give them. */
export type SignedBytes = { bytes: string; signatures: string[] };

/** A coin object as a transaction left it: `lastDigest` is the one that wrote this version. */
export type HeldCoin = { id: string; amount: bigint; version: number; lastDigest: string };

/** SUI that somebody gave to a validator: an object in their wallet, and no balance. `amount` is the principal. */
export type Stake = HeldCoin & { owner: string; poolId: string; activationEpoch: bigint };
