import * as z from 'zod/mini';
import { flag, list, number, oneOf, part, rows, text, time } from '../../ui/api/answer-schema.ts';
import { declaredRoles, ledgerKinds } from '../core/ledger-words.ts';

/** What the page reads of GET /api/treasury/ledger (rulings R8). null: not known. */

const digits = z.string().check(z.regex(/^-?\d{1,60}$/));
const coinForm = { coinType: z.string(), symbol: text, decimals: number };

export const coinSum = z.object({
  ...coinForm,
  openingRaw: digits,
  inRaw: digits,
  outRaw: digits,
  closingRaw: digits,
  chainRaw: z.nullable(digits),
  unexplainedRaw: z.nullable(digits),
});
export type ShownCoinSum = z.infer<typeof coinSum>;

const entry = z.object({
  digest: z.string(),
  at: time,
  kind: oneOf(...ledgerKinds),
  payout: number,
  counterparty: part({ address: z.string(), name: text, role: oneOf(...declaredRoles, 'holder') }),
  changes: list(z.object({ ...coinForm, raw: digits })),
  nfts: rows(z.object({ objectId: z.string(), collectionType: z.string(), direction: text })),
  nftCount: number,
  usdAtTime: number,
  note: part({ text: z.string(), link: text, at: time }),
  explorerUrl: text,
});
export type ShownMovement = z.infer<typeof entry>;

export const ledgerPage = z.object({
  asOf: time,
  state: oneOf('live', 'stale', 'unavailable'),
  complete: flag,
  progressText: text,
  knownSince: time,
  total: number,
  page: number,
  pageSize: number,
  apart: number,
  coins: list(coinSum),
  entries: list(entry),
});
export type ShownLedger = z.infer<typeof ledgerPage>;
