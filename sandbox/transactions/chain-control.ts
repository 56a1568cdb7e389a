import type { ChainTransaction, WorldContext } from '../world/state.ts';
import { Impossible } from '../world/state.ts';
import { executeTransaction } from './chain.ts';
import type { TransactionDescription } from './describe-transaction.ts';
import { describeTransaction } from './describe-transaction.ts';
import { TransactionRefused } from './transaction-refused.ts';
import type { NameOf, TransactionWords } from './transaction-words.ts';
import { wordsOf } from './transaction-words.ts';

/** Direct access to the chain, bypassing the wire: faults and falsified replies do not affect it. */
export type ChainControl = {
  /** What a transaction would do now. Throws Impossible for bytes that are not a transaction. */
  describe: (bytes: Uint8Array) => TransactionDescription;
  /** The same as sentences. */
  tell: (bytes: Uint8Array, nameOf: NameOf) => TransactionWords;
  /** Like `ExecuteTransaction`. Throws Impossible, with a node's error text, when validators would reject it. */
  execute: (bytes: Uint8Array, signatures: readonly string[]) => Promise<ChainTransaction>;
};

export function createChainControl(world: WorldContext): ChainControl {
  return {
    describe: (bytes) => orImpossible(() => describeTransaction(world, bytes)),
    tell: (bytes, nameOf) => orImpossible(() => wordsOf(world.state, describeTransaction(world, bytes), nameOf)),
    execute: (bytes, signatures) => executeTransaction(world, bytes, signatures).catch(refuse),
  };
}

function orImpossible<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  throw error instanceof TransactionRefused ? new Impossible(error.message) : error;
}
