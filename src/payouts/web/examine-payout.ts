import { readAnswer } from '../../ui/api/answer-schema.ts';
import { ApiError } from '../../ui/api/api-client.ts';
import { sha256Here } from '../../ui/recalculation.tsx';
import { checkPayments } from '../core/check/check-payments.ts';
import { examinePlan, listProblems, transfersOf } from '../core/check/examine-plan.ts';
import type { CheckedPlan } from '../core/check/read-plan.ts';
import { everyLine, linesCall } from './line-choice.ts';
import { planFile } from './payout-addresses.ts';
import { payoutPageAnswer, type ShownPayout } from './payouts-answer.ts';

export interface ExaminedPayout {
  /** null: the file is no plan. */
  readonly plan: CheckedPlan | null;
  readonly canHash: boolean;
  /** One sentence for each thing that does not add up; none: it does. */
  readonly problems: readonly string[];
  /** Lines that were paid once and to the unit, and lines that nothing has paid. */
  readonly paid: number;
  readonly open: number;
  readonly transactions: number;
}

/** Reads the plan and every line with its payments, and recalculates all of it (rulings R9). */
export async function examinePayout({ id, sha256 }: ShownPayout): Promise<ExaminedPayout> {
  const hash = sha256Here();
  const examined = await examinePlan({ file: await readFile(id), publishedSha256: sha256, sha256: hash });
  const canHash = hash !== null;
  if ('problem' in examined) {
    return { plan: null, canHash, problems: [examined.problem], paid: 0, open: 0, transactions: 0 };
  }
  const { plan, problems } = examined;
  const { lines, strays } = await readLines(id);
  const payments = [...lines.flatMap((line) => line.payments), ...strays];
  const transfers = transfersOf(plan, payments);
  const found = checkPayments(plan, transfers);
  return {
    plan,
    canHash,
    problems: [...problems, ...listProblems(plan, lines), ...found.problems],
    paid: found.paid,
    open: found.open.length,
    transactions: transfers.length,
  };
}

async function readFile(id: number): Promise<string> {
  const response = await fetch(planFile(id));
  const file = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, file);
  return file;
}

async function readLines(id: number): Promise<Pick<ShownPayout, 'strays'> & { readonly lines: ShownPayout['found'] }> {
  const lines: ShownPayout['found'] = [];
  for (let page = 1; ; page += 1) {
    const answer = await readAnswer({ path: linesCall(id, { ...everyLine, page }) }, payoutPageAnswer);
    lines.push(...answer.found);
    if (answer.found.length === 0 || lines.length >= (answer.total ?? 0)) return { lines, strays: answer.strays };
  }
}
