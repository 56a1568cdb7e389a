import { describeFailure } from './failure-words.ts';
import { gasCostOf } from '../world/execution.ts';
import type { BalanceChange, WorldContext } from '../world/state.ts';
import { simulateTransaction } from './chain.ts';
import type { Execution } from './run-transaction.ts';
import type { TransactionData } from './transaction-data.ts';
import { decodeTransaction, digestOfBytes } from './transaction-data.ts';
import { TransactionRefused } from './transaction-refused.ts';

/** What a transaction would do, before it is signed. */
export type TransactionDescription = {
  digest: string;
  sender: string;
  gasOwner: string;
  budgetMist: bigint;
  /** Null: the chain would refuse it. */
  gasMist: bigint | null;
  payments: BalanceChange[];
  givenNfts: { nftId: string; to: string }[];
  /** The last epoch in which it can be executed; null: any. */
  lastEpoch: bigint | null;
  /** Why it would be refused or fail; null: it would do what is described here. */
  trouble: string | null;
};

/** Describes what a transaction would do now. Throws TransactionRefused for bytes that are not a transaction. */
export function describeTransaction(world: WorldContext, bytes: Uint8Array): TransactionDescription {
  const data = decodeTransaction(bytes);
  const facts = {
    digest: digestOfBytes(bytes),
    sender: data.sender,
    gasOwner: data.gas.owner,
    budgetMist: data.gas.budgetMist,
    lastEpoch: lastEpochOf(data),
  };
  const outcome = outcomeOf(world, data);
  if (typeof outcome === 'string') {
    return { ...facts, gasMist: null, payments: [], givenNfts: [], trouble: `The chain would refuse it: ${outcome}` };
  }
  const { transaction, nfts } = outcome;
  return {
    ...facts,
    gasMist: gasCostOf(transaction.gas.used),
    payments: transaction.balanceChanges.filter(({ address, amount }) => amount > 0n && address !== data.sender),
    givenNfts: nfts.flatMap(({ nft, to }) => (to === nft.owner ? [] : [{ nftId: nft.objectId, to }])),
    trouble: transaction.failure && `It would fail and still cost gas: ${describeFailure(transaction.failure)}`,
  };
}

function outcomeOf(world: WorldContext, data: TransactionData): Execution | string {
  try {
    return simulateTransaction(world, data, false);
  } catch (error) {
    if (error instanceof TransactionRefused) return error.message;
    throw error;
  }
}

function lastEpochOf({ expiration }: TransactionData): bigint | null {
  const last = expiration.Epoch ?? (expiration.ValidDuring ?? expiration.Validity)?.maxEpoch ?? null;
  return last === null ? null : BigInt(last);
}
