import type { LedgerDeps } from '../../src/treasury/ledger/ledger-parts.ts';

const transactionsMax = 6;

/** A node that returns smaller pages than requested, up to the end of a checkpoint, as real nodes do after scanning much data. */
export const inSmallPages =
  (onPage: () => void) =>
  (node: LedgerDeps['sui']): LedgerDeps['sui'] => ({
    ...node,
    listTransactions: async (query, stop) => {
      onPage();
      const page = await node.listTransactions(query, stop);
      const next = page.transactions[transactionsMax]?.checkpoint;
      const transactions = page.transactions.filter(({ checkpoint }) => next === undefined || checkpoint < next);
      if (next === undefined || transactions.length === 0) return page;
      return { ...page, transactions, coveredCheckpoint: next - 1n, isAtTip: false };
    },
  });
