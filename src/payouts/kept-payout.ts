import type { Selectable } from 'kysely';
import { z } from 'zod';

import type { Database } from '../db/schema.ts';
import type { DraftTerms } from './payouts-contract.ts';

export type PayoutRow = Selectable<Database['payouts']>;

/** A payout as it is kept. What became of it is the chain's to say. */
export interface KeptPayout {
  readonly id: number;
  /** To the millisecond the time of its last change: for If-Match. */
  readonly version: number;
  readonly terms: DraftTerms;
  readonly snapshot: { readonly askedAt: Date | null; readonly problem: string | null };
  /** Of a draft what would be published. */
  readonly plan: { readonly json: string; readonly sha256: string } | null;
  readonly published: By | null;
  readonly withdrawn: (By & { readonly reason: string }) | null;
  readonly updated: By;
}

interface By {
  readonly at: Date;
  readonly by: string;
}

export const columnsOf = ({ title, reason, coinType, amount, leftOut }: DraftTerms) => ({
  title,
  reason,
  coinType,
  amountMode: amount.mode,
  amountRaw: amount.raw,
  leftOut: JSON.stringify(leftOut),
});

const leftOutColumn = z.array(z.object({ address: z.string(), reason: z.string() }));

export function keptOf(row: PayoutRow): KeptPayout {
  const { id, title, reason, coinType, plan, sha256 } = row;
  return {
    id,
    version: row.updatedAt.getTime(),
    terms: {
      title,
      reason,
      coinType,
      amount: { mode: row.amountMode, raw: row.amountRaw },
      leftOut: leftOutColumn.parse(row.leftOut),
    },
    snapshot: { askedAt: row.snapshotAskedAt, problem: row.snapshotProblem },
    plan: plan === null || sha256 === null ? null : { json: plan, sha256 },
    published: byOf(row.publishedAt, row.publishedBy),
    withdrawn: withReason(byOf(row.withdrawnAt, row.withdrawnBy), row.withdrawnReason),
    updated: { at: row.updatedAt, by: row.updatedBy },
  };
}

const byOf = (at: Date | null, by: string | null): By | null => (at === null || by === null ? null : { at, by });

const withReason = (by: By | null, reason: string | null) =>
  by === null || reason === null ? null : { ...by, reason };
