import type { PlanOutcome } from '../payout-admin-contract.ts';
import type { PayoutPlan } from '../payouts-contract.ts';
import { linesPerTransaction } from './next-lines.ts';

/** A coin object of about 130 bytes costs that much to store; 1,000,000 more for the computation of a transaction. */
const coinObjectMist = 988_000n;
const computationMist = 1_000_000n;

/** What a plan comes to, for who decides. `last`: the plan that was published before it. Pure. */
export function outcomeOf(plan: PayoutPlan, balanceRaw: bigint | null, last: PayoutPlan | null): PlanOutcome {
  const { lines, shareRaw, totalRaw, remainderRaw, leftOut } = plan;
  const transactions = Math.ceil(lines.length / linesPerTransaction);
  const paid = new Set(lines.map(({ address }) => address));
  const paidBefore = last === null ? null : new Set(last.lines.map(({ address }) => address));
  return {
    rocks: lines.reduce((sum, { rocks }) => sum + rocks.length, 0),
    holders: lines.length,
    shareRaw,
    totalRaw,
    remainderRaw,
    leftRaw: balanceRaw === null ? null : String(balanceRaw - BigInt(totalRaw)),
    leftOut,
    transactions,
    gasMist: String(BigInt(lines.length) * coinObjectMist + BigInt(transactions) * computationMist),
    newHolders: paidBefore === null ? null : countMissing(paid, paidBefore),
    goneHolders: paidBefore === null ? null : countMissing(paidBefore, paid),
  };
}

/** How many of these are not among the others. */
const countMissing = (these: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...these].filter((address) => !others.has(address)).length;
