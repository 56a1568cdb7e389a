import type { PayoutLine } from '../payouts-contract.ts';
import type { LineState } from './payout-terms.ts';

/** Rulings R9: what became of each line, from the chain alone, whoever sent it. Pure. */

/** A published plan, as far as paying it goes. */
export interface PayablePlan {
  readonly payout: number;
  readonly coinType: string;
  /** Nothing up to and including it pays the plan. */
  readonly checkpoint: bigint;
  readonly lines: readonly PayoutLine[];
  /** The transactions that were built for it. */
  readonly batches: readonly Batch[];
}

export interface Batch {
  readonly digest: string;
  /** Places in `lines`. */
  readonly lines: readonly number[];
}

/** What one transaction of the treasury sent of one coin. */
export interface Sent {
  readonly digest: string;
  readonly checkpoint: bigint;
  readonly at: Date;
  readonly coinType: string;
  readonly to: readonly { readonly address: string; readonly raw: bigint }[];
}

export interface Payment {
  readonly digest: string;
  readonly checkpoint: bigint;
  readonly at: Date;
  readonly address: string;
  readonly raw: bigint;
}

export interface LineResult {
  readonly state: LineState;
  readonly payments: readonly Payment[];
}

export interface PlanResult {
  /** As the plan's lines. */
  readonly lines: readonly LineResult[];
  /** Payments in transactions of this payout to addresses without a line. */
  readonly strays: readonly Payment[];
}

interface Ongoing {
  readonly plan: PayablePlan;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly lines: { state: LineState; payments: Payment[] }[];
  readonly strays: Payment[];
}

/** By payout. Plans oldest first; transactions in the order of the chain. */
export function reconcile(plans: readonly PayablePlan[], sent: readonly Sent[]): ReadonlyMap<number, PlanResult> {
  const ongoing = plans.map((plan): Ongoing => ({
    plan,
    lineOf: new Map(plan.lines.map(({ address }, index) => [address, index])),
    lines: plan.lines.map(() => ({ state: 'open', payments: [] })),
    strays: [],
  }));
  for (const transaction of sent) {
    const of = planOf(ongoing, transaction);
    if (of !== null) settle(of, transaction);
  }
  return new Map(ongoing.map(({ plan, lines, strays }) => [plan.payout, { lines, strays }]));
}

/** The plan that a transaction pays. One that was built says so; of any other its addresses and amounts do. null: none. */
function planOf(ongoing: readonly Ongoing[], sent: Sent): Ongoing | null {
  const built = ongoing.find(({ plan }) => plan.batches.some(({ digest }) => digest === sent.digest));
  if (built !== undefined) return built;
  const able = ongoing.filter(
    ({ plan }) => plan.coinType === sent.coinType && sent.checkpoint > plan.checkpoint && sent.to.length > 0,
  );
  return (
    best(able, (each) => matches(each, sent, 'open')) ??
    best(able, (each) => matches(each, sent, 'settled')) ??
    able.find((each) => isCopy(each, sent)) ??
    able.find((each) => sent.to.every(({ address }) => lineAt(each, address)?.state === 'open')) ??
    null
  );
}

const lineAt = ({ lineOf, lines }: Ongoing, address: string) => lines[lineOf.get(address) ?? -1];

/** How many lines it pays to the unit that are open, or that were settled before. */
function matches(each: Ongoing, { to }: Sent, wanted: 'open' | 'settled'): number {
  return to.filter(({ address, raw }) => {
    const index = each.lineOf.get(address) ?? -1;
    const isOpen = each.lines[index]?.state === 'open';
    return each.plan.lines[index]?.raw === String(raw) && isOpen === (wanted === 'open');
  }).length;
}

/** The oldest of those that have the most; null: none has any. */
function best(of: readonly Ongoing[], count: (each: Ongoing) => number): Ongoing | null {
  const counted = of.map((each) => ({ each, count: count(each) }));
  const most = Math.max(0, ...counted.map((one) => one.count));
  return most === 0 ? null : (counted.find((one) => one.count === most)?.each ?? null);
}

/** The same amounts as in a transaction that was built and not executed: somebody has changed an address in it. */
function isCopy({ plan, lines }: Ongoing, { to }: Sent): boolean {
  const amounts = (of: readonly (string | undefined)[]): string => [...of].map(String).sort().join();
  const asked = amounts(to.map(({ raw }) => String(raw)));
  return plan.batches.some(
    (batch) =>
      batch.lines.every((index) => lines[index]?.state === 'open') &&
      amounts(batch.lines.map((index) => plan.lines[index]?.raw)) === asked,
  );
}

function settle(of: Ongoing, { digest, checkpoint, at, to }: Sent): void {
  const outside: Payment[] = [];
  for (const { address, raw } of to) {
    const payment = { digest, checkpoint, at, address, raw };
    const index = of.lineOf.get(address) ?? -1;
    const line = of.lines[index];
    if (line === undefined) {
      outside.push(payment);
      continue;
    }
    const isExact = of.plan.lines[index]?.raw === String(raw);
    line.state = line.state !== 'open' ? 'paid-twice' : isExact ? 'paid' : 'paid-otherwise';
    line.payments.push(payment);
  }
  for (const payment of outside) {
    const line = of.lines.find(
      ({ state }, index) => state === 'open' && of.plan.lines[index]?.raw === String(payment.raw),
    );
    if (line === undefined) {
      of.strays.push(payment);
      continue;
    }
    line.state = 'paid-otherwise';
    line.payments.push(payment);
  }
}
