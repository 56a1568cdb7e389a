import { z } from 'zod';

import { type HistoryReach, historyText } from '../../shared/history-reach.ts';
import { coinSum } from '../ledger-contract.ts';
import type { LedgerBook } from '../ledger/ledger-book.ts';

const history = z.object({
  percent: z.int().min(0).max(100).nullable().describe('Of the time since the first event; null: nothing was read yet'),
  until: z.iso.datetime().nullable(),
  isComplete: z.boolean(),
  text: z.string().describe("'History: 62 %, up to 3 March 2026'"),
});

/** GET /api/admin/treasury. */
export const treasuryStatusAnswer = z.object({
  data: z.object({
    ledger: history,
    rocks: history,
    coins: z.array(coinSum).readonly(),
  }),
});
type TreasuryStatusAnswer = z.infer<typeof treasuryStatusAnswer>;

export interface StatusDeps {
  readonly book: Pick<LedgerBook, 'heading' | 'reach'>;
  readonly rocksReach: () => HistoryReach;
}

export const treasuryStatus = ({ book, rocksReach }: StatusDeps): TreasuryStatusAnswer => ({
  data: { ledger: historyOf(book.reach()), rocks: historyOf(rocksReach()), coins: book.heading().coins },
});

const historyOf = (reach: HistoryReach) => ({
  ...reach,
  until: reach.until?.toISOString() ?? null,
  text: historyText(reach),
});
