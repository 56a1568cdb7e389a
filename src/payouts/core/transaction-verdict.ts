/** Rulings R9: whether a transaction that was handed out may still be executed. Anything uncertain is `waiting`. Pure. */

interface HandedOut {
  readonly digest: string;
  /** The last epoch in which it can be executed. */
  readonly expiresEpoch: bigint;
  /** The chain for which it was built; null: the node did not say. */
  readonly chainId: string | null;
}

/** Answers of nodes, each read after the ones before it. */
export interface NodeAnswers {
  /** One answer of one node: this checkpoint belongs to this epoch. */
  readonly tip: { readonly newest: bigint; readonly epoch: bigint | null; readonly chainId: string | null };
  /** A transaction that has used up a version of one of its objects; null: none is known. */
  readonly spender: { readonly digest: string; readonly checkpoint: bigint } | null;
  /** The transaction itself, by its digest; null: the node does not know it. */
  readonly own: { readonly isSuccess: boolean; readonly checkpoint: bigint | null; readonly at: Date | null } | null;
}

export type Verdict =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'executed' | 'failed' | 'expired' | 'spent';
      /** Once the ledger is read up to it, everything the transaction paid is known. */
      readonly checkpoint: bigint;
      /** Time of its checkpoint, if it is in one. */
      readonly at: Date | null;
    };

const waiting: Verdict = { state: 'waiting' };

/**
 * Never concludes anything from an absence: a node that is behind knows neither the transaction nor a newer version. 'spent': another
 * transaction in a checkpoint has used its objects; 'expired': there is a checkpoint of a later epoch, and it was not executed before.
 */
export function verdictOf({ digest, expiresEpoch, chainId }: HandedOut, { tip, spender, own }: NodeAnswers): Verdict {
  if (own !== null) {
    if (own.checkpoint === null) return waiting;
    return { state: own.isSuccess ? 'executed' : 'failed', checkpoint: own.checkpoint, at: own.at };
  }
  if (spender !== null && spender.digest !== digest)
    return { state: 'spent', checkpoint: spender.checkpoint, at: null };
  // A test network that was reset under the same name.
  const isOtherChain = chainId !== null && tip.chainId !== null && tip.chainId !== chainId;
  const isOver = tip.epoch !== null && tip.epoch > expiresEpoch;
  return isOtherChain || isOver ? { state: 'expired', checkpoint: tip.newest, at: null } : waiting;
}
