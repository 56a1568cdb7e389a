import { inCoin } from './check-plan.ts';
import type { CheckedPlan, PlanLine } from './read-plan.ts';

/** What one transaction took from the treasury and gave to others, of one coin. */
export interface Transfer {
  readonly digest: string;
  readonly checkpoint: bigint;
  readonly coinType: string;
  readonly to: readonly { readonly address: string; readonly raw: bigint }[];
}

export interface PaymentFindings {
  /** Lines that were paid once, to the unit. */
  readonly paid: number;
  /** Lines that nothing has paid. */
  readonly open: readonly PlanLine[];
  /** One sentence for each payment that is not as planned. */
  readonly problems: readonly string[];
}

interface Progress {
  readonly plan: CheckedPlan;
  readonly lineOf: ReadonlyMap<string, PlanLine>;
  /** Which transaction was the first to pay an address. */
  readonly firstOf: Map<string, string>;
  readonly wrong: Set<string>;
  readonly problems: string[];
}

/**
 * Holds a plan against what the treasury sent, oldest first. `others`: plans of which there are transfers too, as of the month after;
 * without them a later payout of the same amounts looks like a second payment.
 */
export function checkPayments(
  plan: CheckedPlan,
  transfers: readonly Transfer[],
  others: readonly CheckedPlan[] = [],
): PaymentFindings {
  const all = [plan, ...others.filter(({ payout }) => payout !== plan.payout)]
    .toSorted((one, other) => one.payout - other.payout)
    .map(progressOf);
  for (const transfer of transfers) {
    const of = ownerOf(all, transfer);
    if (of !== undefined) count(of, transfer);
  }
  const own = all.find((each) => each.plan === plan) ?? progressOf(plan);
  const open = plan.lines.filter(({ address }) => !own.firstOf.has(address));
  return { paid: plan.lines.length - open.length - own.wrong.size, open, problems: own.problems };
}

const progressOf = (plan: CheckedPlan): Progress => ({
  plan,
  lineOf: new Map(plan.lines.map((line) => [line.address, line])),
  firstOf: new Map(),
  wrong: new Set(),
  problems: [],
});

/** The plan of which a transfer pays most open lines to the unit; else most paid ones; else the one all of whose recipients still wait. */
function ownerOf(all: readonly Progress[], { coinType, checkpoint, to }: Transfer): Progress | undefined {
  const able = all.filter(
    ({ plan }) => plan.coin.type === coinType && checkpoint > BigInt(plan.snapshot.checkpoint) && to.length > 0,
  );
  const most = (fits: (of: Progress, address: string) => boolean): Progress | undefined => {
    const ranked = able.map((of) => ({
      of,
      hits: to.filter(({ address, raw }) => of.lineOf.get(address)?.raw === String(raw) && fits(of, address)).length,
    }));
    const best = Math.max(0, ...ranked.map(({ hits }) => hits));
    return best === 0 ? undefined : ranked.find(({ hits }) => hits === best)?.of;
  };
  return (
    most(({ firstOf }, address) => !firstOf.has(address)) ??
    most(({ firstOf }, address) => firstOf.has(address)) ??
    able.find((of) => to.every(({ address }) => of.lineOf.has(address) && !of.firstOf.has(address)))
  );
}

function count({ plan, lineOf, firstOf, wrong, problems }: Progress, { digest, to }: Transfer): void {
  for (const { address, raw } of to) {
    const line = lineOf.get(address);
    const first = firstOf.get(address);
    const sent = `${digest} sent ${inCoin(plan, raw)} to ${address}`;
    if (line === undefined) {
      problems.push(`${sent}, which the plan does not name.`);
    } else if (first !== undefined) {
      wrong.add(address);
      problems.push(`${sent}, which ${first} had paid already.`);
    } else {
      firstOf.set(address, digest);
      if (line.raw === String(raw)) continue;
      wrong.add(address);
      problems.push(`${sent}. The plan gives it ${inCoin(plan, BigInt(line.raw))}.`);
    }
  }
}
