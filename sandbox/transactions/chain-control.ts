import type { ChainTransaction, WorldContext } from '../world/state.ts';
import { Impossible } from '../world/state.ts';
import { executeTransaction } from './chain.ts';
import type { TransactionDescription } from './describe-transaction.ts';
import { describeTransaction } from './describe-transaction.ts';
import { TransactionRefused } from './transaction-refused.ts';
import type { NameOf, TransactionWords } from './transaction-words.ts';
import { wordsOf } from './transaction-words.ts';

/** The chain without the wire between: no fault reaches it, and it never lies. */
export type ChainControl = {
  /** What bytes would do now. Throws Impossible for what is no transaction. */
  describe: (bytes: Uint8Array) => TransactionDescription;
  /** The same in plain words. */
  tell: (bytes: Uint8Array, nameOf: NameOf) => TransactionWords;
  /** As `ExecuteTransaction` does. Throws Impossible, in a node's words, for what no validator takes. */
  execute: (bytes: Uint8Array, signatures: readonly string[]) => Promise<ChainTransaction>;
};

export function createChainControl(world: WorldContext): ChainControl {
  return {
    describe: (bytes) => told(() => describeTransaction(world, bytes)),
    tell: (bytes, nameOf) => told(() => wordsOf(world.state, describeTransaction(world, bytes), nameOf)),
    execute: (bytes, signatures) => executeTransaction(world, bytes, signatures).catch(refuse),
  };
}

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  throw error instanceof TransactionRefused ? new Impossible(error.message) : error;
}
