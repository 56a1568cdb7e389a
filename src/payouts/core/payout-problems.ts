import type { PayoutPlan } from '../payouts-contract.ts';
import type { PlanResult } from './reconcile.ts';

/** Rulings R9: what was paid and is not in the plan is an alarm, one for each transaction that did so. Pure. */

export interface PayoutProblem {
  /** Never another one for the same fact. */
  readonly key: string;
  readonly since: Date;
  /** A sentence for the owner. */
  readonly what: string;
}

interface Counted {
  readonly since: Date;
  otherwise: number;
  twice: number;
  strays: number;
}

/** In the order of the plan's lines. */
export function payoutProblems({ payout, title, lines }: PayoutPlan, result: PlanResult): readonly PayoutProblem[] {
  const counted = new Map<string, Counted>();
  const count = (digest: string, since: Date, as: 'otherwise' | 'twice' | 'strays'): void => {
    const of = counted.get(digest) ?? { since, otherwise: 0, twice: 0, strays: 0 };
    of[as] += 1;
    counted.set(digest, of);
  };
  for (const [index, { payments }] of result.lines.entries()) {
    const line = lines[index];
    for (const [place, { digest, at, address, raw }] of payments.entries()) {
      if (place > 0) count(digest, at, 'twice');
      else if (address !== line?.address || String(raw) !== line.raw) count(digest, at, 'otherwise');
    }
  }
  for (const { digest, at } of result.strays) count(digest, at, 'strays');
  return [...counted].map(([digest, { since, otherwise, twice, strays }]) => {
    const found = [
      ...(otherwise === 0 ? [] : [`pays ${countOf(otherwise, 'line')} otherwise than planned`]),
      ...(twice === 0 ? [] : [`pays ${countOf(twice, 'line')} a second time`]),
      ...(strays === 0 ? [] : [`makes ${countOf(strays, 'payment')} that no line explains`]),
    ];
    return {
      key: `${payout}-${digest}`,
      since,
      what: `Payout ${payout}, '${title}': transaction ${digest} ${found.join(', ')}.`,
    };
  });
}

const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
