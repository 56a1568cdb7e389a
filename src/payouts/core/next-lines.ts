import type { PayoutPlan } from '../payouts-contract.ts';
import type { PlanResult } from './reconcile.ts';

/** So many are paid in one transaction (rulings R9: fewer than 1,024 commands, three of which split and merge coins). */
export const linesPerTransaction = 1_000;

/** What is left to pay of a plan, and which part of it comes next. */
export interface NextLines {
  /** Places in the plan's lines, ascending. */
  readonly lines: readonly number[];
  readonly raw: bigint;
  readonly open: { readonly lines: number; readonly raw: bigint };
}

/** Only what nothing on chain has paid: a line that was paid otherwise or twice is not paid again. */
export function nextLines({ lines }: PayoutPlan, result: PlanResult, atOnceMax = linesPerTransaction): NextLines {
  const open = lines.flatMap((_line, index) => (result.lines[index]?.state === 'open' ? [index] : []));
  const sum = (places: readonly number[]): bigint =>
    places.reduce((total, index) => total + BigInt(lines[index]?.raw ?? 0), 0n);
  const next = open.slice(0, atOnceMax);
  return { lines: next, raw: sum(next), open: { lines: open.length, raw: sum(open) } };
}
