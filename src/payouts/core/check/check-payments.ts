import { type CheckedPlan, groupedBy, inCoin, type PlanLine } from './check-plan.ts';

/** What one transaction moved from the treasury to others, of one coin. */
export interface Transfer {
  readonly digest: string;
  readonly checkpoint: bigint;
  /** null: not known. */
  readonly at: Date | null;
  readonly coinType: string;
  /** It was also a swap, a purchase or the like: only payments that match a line to the unit count. */
  readonly isMixed: boolean;
  readonly to: readonly Receipt[];
}

interface Receipt {
  readonly address: string;
  readonly raw: bigint;
}

/** Other plans that the transfers may pay, such as the next month's, and when payouts were withdrawn. */
export interface OtherPlans {
  readonly others?: readonly CheckedPlan[];
  readonly withdrawnAt?: ReadonlyMap<number, Date>;
}

export interface PaymentFindings {
  /** Lines that were paid once, to the unit. */
  readonly paid: number;
  /** Lines without any payment. */
  readonly open: readonly PlanLine[];
  /** One sentence for each payment that is not as planned. */
  readonly problems: readonly string[];
  /** One sentence for each other plan that awaited some of the same payments. */
  readonly shared: readonly string[];
}

interface Progress {
  readonly plan: CheckedPlan;
  readonly lineOf: ReadonlyMap<string, PlanLine>;
  /** Which transaction was the first to pay an address. */
  readonly firstOf: Map<string, string>;
  readonly wrong: Set<string>;
  readonly problems: string[];
  readonly shared: Set<string>;
}

/**
 * Compares a plan with what the treasury sent, oldest first. Without the other plans, a later payout of the same amounts looks like a
 * second payment.
 */
export function checkPayments(
  plan: CheckedPlan,
  transfers: readonly Transfer[],
  { others = [], withdrawnAt = new Map() }: OtherPlans = {},
): PaymentFindings {
  const all = [plan, ...others.filter(({ payout }) => payout !== plan.payout)]
    .toSorted((one, other) => one.payout - other.payout)
    .map(progressOf);
  for (const transfer of transfers) {
    const { coinType, checkpoint, at } = transfer;
    const payable = all.filter(
      ({ plan: { coin, snapshot } }) => coin.type === coinType && checkpoint > BigInt(snapshot.checkpoint),
    );
    // A withdrawn plan counts only transfers that pay no other plan, and only to the unit: nobody is owed its open lines.
    const isWithdrawn = ({ plan }: Progress): boolean => at !== null && at > (withdrawnAt.get(plan.payout) ?? at);
    const live = payable.filter((each) => !isWithdrawn(each));
    if (!countReceipts(live, transfer)) countReceipts(payable.filter(isWithdrawn), { ...transfer, isMixed: true });
  }
  const own = all.find((each) => each.plan === plan) ?? progressOf(plan);
  const open = plan.lines.filter(({ address }) => !own.firstOf.has(address));
  const paid = plan.lines.length - open.length - own.wrong.size;
  return { paid, open, problems: own.problems, shared: [...own.shared] };
}

const progressOf = (plan: CheckedPlan): Progress => ({
  plan,
  lineOf: new Map(plan.lines.map((line) => [line.address, line])),
  firstOf: new Map(),
  wrong: new Set(),
  problems: [],
  shared: new Set(),
});

/** Whether it is exactly what the plan gives that address. */
const isPlanned = ({ lineOf }: Progress, { address, raw }: Receipt): boolean =>
  lineOf.get(address)?.raw === String(raw);
const isAwaited = (progress: Progress, receipt: Receipt): boolean =>
  isPlanned(progress, receipt) && !progress.firstOf.has(receipt.address);

/** The plans that any of these receipts fit, the one with the most first. */
function plansByMost(plans: readonly Progress[], to: readonly Receipt[], fits: typeof isPlanned): readonly Progress[] {
  const hitsOf = (progress: Progress): number => to.filter((receipt) => fits(progress, receipt)).length;
  return plans.filter((each) => hitsOf(each) > 0).toSorted((one, other) => hitsOf(other) - hitsOf(one));
}

/**
 * Counts each receipt for the plan that awaits exactly it. The others count for one plan: the one with the most open lines that the
 * transfer pays to the unit, else the most paid lines, else one in which every recipient of the transfer is still unpaid. Returns whether
 * any receipt was counted.
 */
function countReceipts(plans: readonly Progress[], { to, isMixed, digest }: Transfer): boolean {
  const awaiting = plansByMost(plans, to, isAwaited);
  const planned = plansByMost(plans, to, isPlanned);
  const unpaid = plans.filter(({ lineOf, firstOf }) =>
    to.every(({ address }) => lineOf.has(address) && !firstOf.has(address)),
  );
  const ofTransfer = isMixed ? undefined : [...awaiting, ...planned, ...unpaid][0];
  const counted = to.flatMap((receipt) => {
    const [taker, ...rivals] = awaiting.filter((each) => isAwaited(each, receipt));
    if (taker !== undefined) for (const rival of rivals) noteShared(taker, rival);
    const progress = taker ?? ofTransfer ?? plans.find((each) => isPlanned(each, receipt));
    return progress === undefined ? [] : [{ progress, receipt }];
  });
  for (const { progress, receipt } of counted) count(progress, digest, receipt);
  return counted.length > 0;
}

function noteShared(taker: Progress, rival: Progress): void {
  const [took, missed] = [taker.plan.payout, rival.plan.payout];
  const sentence = `Payments that fit both payout ${took} and payout ${missed} are counted for payout ${took}${took < missed ? ', the older one' : ''}.`;
  for (const { shared } of [taker, rival]) shared.add(sentence);
}

function count({ plan, lineOf, firstOf, wrong, problems }: Progress, digest: string, { address, raw }: Receipt): void {
  const line = lineOf.get(address);
  const first = firstOf.get(address);
  const sent = `${digest} sent ${inCoin(plan, raw)} to ${address}`;
  if (line === undefined) {
    const isLeftOut = plan.leftOut.some((out) => out.address === address);
    problems.push(`${sent}, which the plan ${isLeftOut ? 'leaves out' : 'does not name'}.`);
  } else if (first !== undefined) {
    wrong.add(address);
    problems.push(`${sent}, which ${first} had paid already.`);
  } else {
    firstOf.set(address, digest);
    if (line.raw === String(raw)) return;
    wrong.add(address);
    problems.push(`${sent}. The plan gives it ${inCoin(plan, BigInt(line.raw))}.`);
  }
}

interface ListedPayment {
  readonly digest: string;
  readonly address: string;
  readonly raw: string;
  readonly at: string | null;
}

/** Groups the payments that a page lists by transaction. A page lists none from before the snapshot. */
export function transfersOf({ coin, snapshot }: CheckedPlan, payments: readonly ListedPayment[]): readonly Transfer[] {
  const timeOf = ({ at }: ListedPayment): number => Date.parse(at ?? '') || 0;
  const inOrder = payments.toSorted((one, other) => timeOf(one) - timeOf(other));
  return [...groupedBy(inOrder, ({ digest }) => digest)].map(([digest, made]) => ({
    digest,
    checkpoint: BigInt(snapshot.checkpoint) + 1n,
    // With only one payout it makes no difference whether it was withdrawn by then.
    at: null,
    coinType: coin.type,
    // The page lists only payments of this payout.
    isMixed: false,
    to: made.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
  }));
}
