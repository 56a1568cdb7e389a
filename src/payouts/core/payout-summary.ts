import type { PayoutPlan, PayoutSummary } from '../payouts-contract.ts';
import { counted } from '../../shared/money.ts';
import { amountText, type LineState, paidAsPlanned, type PayoutState } from './payout-words.ts';
import { isPlanned, type PlanResult } from './reconcile.ts';

/** The summary of a published payout, and what is wrong with its payments. Pure. */

interface Published {
  readonly plan: PayoutPlan;
  readonly result: PlanResult;
  readonly publishedAt: Date;
  readonly withdrawn: { readonly at: Date; readonly reason: string } | null;
  readonly sha256: string;
}

export function summaryOf({ plan, result, publishedAt, withdrawn, sha256 }: Published): PayoutSummary {
  const count = (wanted: LineState): number => result.lines.filter(({ state }) => state === wanted).length;
  const lines = {
    open: count('open'),
    paid: count('paid'),
    paidOtherwise: count('paid-otherwise'),
    paidTwice: count('paid-twice'),
  };
  const { payout: id, title, reason, coin, shareRaw, totalRaw, remainderRaw } = plan;
  return {
    id,
    title,
    reason,
    state: stateOf({ lines, all: plan.lines.length, isWithdrawn: withdrawn !== null }),
    coin,
    shareRaw,
    totalRaw,
    remainderRaw,
    paidRaw: String(paidRaw(plan, result)),
    rocks: plan.lines.reduce((sum, { rocks }) => sum + rocks.length, 0),
    holders: plan.lines.length,
    lines,
    snapshot: { checkpoint: plan.snapshot.checkpoint, at: plan.snapshot.at },
    publishedAt: publishedAt.toISOString(),
    sha256,
    withdrawn: withdrawn === null ? null : { at: withdrawn.at.toISOString(), reason: withdrawn.reason },
  };
}

interface Counted {
  readonly lines: PayoutSummary['lines'];
  readonly all: number;
  readonly isWithdrawn: boolean;
}

/** Rulings R9. A withdrawn payout that was paid anyway counts as paid: the chain has the last word. */
function stateOf({ lines, all, isWithdrawn }: Counted): Exclude<PayoutState, 'draft'> {
  if (isWithdrawn && paidAsPlanned(lines) === 0) return 'withdrawn';
  if (lines.open === all) return 'published';
  return lines.open === 0 ? 'paid' : 'paying';
}

/** Whether each rock has received its share: 'paid' only means that nothing is left to build. */
export const isEachRockPaid = ({ lines, paidRaw, totalRaw }: PayoutSummary): boolean =>
  lines.paidOtherwise === 0 && paidRaw === totalRaw;

/** `10 SUI for each of 555 rocks`: what the plan gives. */
export const sharesText = ({ shareRaw, coin, rocks }: PayoutSummary): string =>
  `${amountText(shareRaw, coin)} for each of ${counted(rocks, 'rock')}`;

/** The same for a paid payout if each rock has its share; otherwise how many lines are as planned. */
export const paidText = (payout: PayoutSummary): string =>
  isEachRockPaid(payout) ? sharesText(payout) : `${paidAsPlanned(payout.lines)} of ${payout.holders} lines as planned`;

/** What the addresses of the plan have received, at most what the plan gives them. */
function paidRaw({ lines }: PayoutPlan, result: PlanResult): bigint {
  return lines.reduce((sum, { address, raw }, index) => {
    const payments = result.lines[index]?.payments.filter((payment) => payment.address === address) ?? [];
    const got = payments.reduce((all, payment) => all + payment.raw, 0n);
    return sum + (got < BigInt(raw) ? got : BigInt(raw));
  }, 0n);
}

/** Rulings R9: a transaction with a payment that is not in the plan raises one alarm. */
export interface PayoutProblem {
  /** Always the same for the same transaction of a payout. */
  readonly key: string;
  readonly since: Date;
  /** A sentence for the owner. */
  readonly what: string;
}

/** In the order of the plan's lines. */
export function payoutProblems({ payout, title, lines }: PayoutPlan, result: PlanResult): readonly PayoutProblem[] {
  const ofLines = result.lines.flatMap(({ payments }, index) =>
    payments.filter((payment, place) => place > 0 || !isPlanned(payment, lines[index])),
  );
  const wrong = new Map([...ofLines, ...result.strays].map(({ digest, at }) => [digest, at]));
  return [...wrong].map(([digest, since]) => ({
    key: `${payout}-${digest}`,
    since,
    what: `Payout ${payout}, '${title}': transaction ${digest} does not pay as planned. The payout's page says how.`,
  }));
}
