import type { PayoutLine, PayoutPlan } from '../payouts-contract.ts';
import type { LineState } from './payout-words.ts';

/** Rulings R9: the state of each line, from the chain alone, whoever paid it. Pure. */

/** What reconciling needs of a published plan. Only transactions after the checkpoint of its snapshot pay it. */
export interface PayablePlan extends Pick<PayoutPlan, 'payout' | 'lines' | 'leftOut'> {
  readonly coin: { readonly type: string };
  readonly snapshot: { readonly checkpoint: string };
  /** null: it was not withdrawn. */
  readonly withdrawnAt: Date | null;
  /** The transactions that were built for it. */
  readonly batches: readonly Batch[];
}

export interface Batch {
  readonly digest: string;
  /** Indices into the plan's lines. */
  readonly lines: readonly number[];
}

/** What one transaction of the treasury sent of one coin. */
export interface Sent {
  readonly digest: string;
  readonly checkpoint: bigint;
  readonly at: Date;
  readonly coinType: string;
  /** false: it was a swap, a purchase or the like. Only payments that match a line to the unit then count. */
  readonly isTransfer: boolean;
  /** Each address once. */
  readonly to: readonly Recipient[];
}

interface Recipient {
  readonly address: string;
  readonly raw: bigint;
}

export interface Payment {
  readonly digest: string;
  readonly checkpoint: bigint;
  readonly at: Date;
  /** As in `Sent`. */
  readonly isTransfer: boolean;
  readonly address: string;
  readonly raw: bigint;
}

export interface LineResult {
  readonly state: LineState;
  readonly payments: readonly Payment[];
}

export interface PlanResult {
  /** In the order of the plan's lines. */
  readonly lines: readonly LineResult[];
  /** Payments in transactions of this payout to addresses without a line. */
  readonly strays: readonly Payment[];
}

/** A plan, and what was paid of it so far. */
interface Progress {
  readonly plan: PayablePlan;
  /** The index of each address's line. */
  readonly lineOf: ReadonlyMap<string, number>;
  readonly lines: { state: LineState; payments: Payment[] }[];
  readonly strays: Payment[];
}

/** By payout. Takes plans oldest first, and transactions in the order of the chain. */
export function reconcile(plans: readonly PayablePlan[], sent: readonly Sent[]): ReadonlyMap<number, PlanResult> {
  const all = plans.map((plan): Progress => ({
    plan,
    lineOf: new Map(plan.lines.map(({ address }, index) => [address, index])),
    lines: plan.lines.map(() => ({ state: 'open', payments: [] })),
    strays: [],
  }));
  for (const transaction of sent) {
    const builtFor = all.find(({ plan }) => plan.batches.some(({ digest }) => digest === transaction.digest));
    if (builtFor === undefined) addByAmounts(all, transaction);
    else addPayments(builtFor, transaction);
  }
  return new Map(all.map(({ plan, lines, strays }) => [plan.payout, { lines, strays }]));
}

/**
 * Adds a transaction that was not built here to the plans that its addresses and amounts fit. Withdrawn plans come last, and only with
 * lines paid to the unit: their lines stay open for ever, so any other payment to one of their holders would seem to be for them.
 */
function addByAmounts(all: readonly Progress[], sent: Sent): void {
  const payable = all.filter(
    ({ plan: { coin, snapshot } }) => coin.type === sent.coinType && sent.checkpoint > BigInt(snapshot.checkpoint),
  );
  const isWithdrawn = ({ plan }: Progress): boolean => plan.withdrawnAt !== null && sent.at > plan.withdrawnAt;
  const live = payable.filter((each) => !isWithdrawn(each));
  const withdrawn = payable.filter(isWithdrawn);
  const ofLive = splitByPlan(live, sent);
  const parts = ofLive.length > 0 ? ofLive : splitByPlan(withdrawn, { ...sent, isTransfer: false });
  for (const { progress, to } of parts) addPayments(progress, { ...sent, to });
}

/**
 * Which recipients were paid for which plan. A payment of exactly an open line's amount pays that line, whatever else is in the
 * transaction; every other recipient belongs to the plan that the transfer as a whole is for.
 */
function splitByPlan(plans: readonly Progress[], sent: Sent) {
  const awaiting = plansPaidExactly(plans, sent, 'open');
  const ofTransfer = sent.isTransfer ? (awaiting[0] ?? planOfTransfer(plans, sent)) : undefined;
  const planOf = (to: Recipient): Progress | undefined =>
    awaiting.find((each) => isExact(each, to, 'open')) ??
    ofTransfer ??
    plans.find((each) => isExact(each, to, 'paid-before'));
  return [...Map.groupBy(sent.to, planOf)].flatMap(([progress, to]) =>
    progress === undefined ? [] : [{ progress, to }],
  );
}

/** The plan that a transfer is for if it pays no open line to the unit; undefined: none. */
const planOfTransfer = (plans: readonly Progress[], sent: Sent): Progress | undefined =>
  plansPaidExactly(plans, sent, 'paid-before')[0] ??
  plans.find((each) => isCopy(each, sent)) ??
  plans.find((each) => sent.to.every(({ address }) => awaitsPayment(each, address)));

/** Whether the address has a line and no payment yet, even if a payment to another address may have been meant for the line. */
function awaitsPayment({ lineOf, lines }: Progress, address: string): boolean {
  const line = lines[lineOf.get(address) ?? -1];
  return line !== undefined && !line.payments.some((payment) => payment.address === address);
}

/** Whether the address awaited a payment until now, or had one before. */
type LineWas = 'open' | 'paid-before';

/** Whether the recipient has such a line and got exactly its amount. */
function isExact(progress: Progress, { address, raw }: Recipient, was: LineWas): boolean {
  const { plan, lineOf } = progress;
  if (plan.lines[lineOf.get(address) ?? -1]?.raw !== String(raw)) return false;
  return awaitsPayment(progress, address) === (was === 'open');
}

/** The plans with such lines that it pays to the unit: those with the most lines first, then the oldest. */
const plansPaidExactly = (plans: readonly Progress[], { to }: Sent, was: LineWas): readonly Progress[] =>
  plans
    .map((progress) => ({ progress, count: to.filter((one) => isExact(progress, one, was)).length }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ progress }) => progress);

/** Whether the amounts are those of a built transaction that was not executed: someone changed an address in it. */
function isCopy({ plan, lines }: Progress, { to }: Sent): boolean {
  const inOrder = (amounts: readonly (string | undefined)[]): string => amounts.map(String).sort().join();
  const sentAmounts = inOrder(to.map(({ raw }) => String(raw)));
  return plan.batches.some(
    (batch) =>
      batch.lines.every((index) => lines[index]?.state === 'open') &&
      inOrder(batch.lines.map((index) => plan.lines[index]?.raw)) === sentAmounts,
  );
}

/**
 * Adds a transaction's payments to their lines. One to an address that the plan does not know pays the first open line of that amount: its
 * address may have been changed. One to an address that the plan leaves out pays no line.
 */
function addPayments(progress: Progress, { digest, checkpoint, at, isTransfer, to }: Sent): void {
  const { plan, lines, lineOf, strays } = progress;
  const withoutLine: Payment[] = [];
  for (const { address, raw } of to) {
    const payment = { digest, checkpoint, at, isTransfer, address, raw };
    const index = lineOf.get(address) ?? -1;
    const line = lines[index];
    if (line === undefined) withoutLine.push(payment);
    else {
      // Its address is paid now, so a payment to another address does not stand for it any more.
      strays.push(...line.payments.filter((earlier) => earlier.address !== address));
      line.payments = [...line.payments.filter((earlier) => earlier.address === address), payment];
      line.state = stateOf(line.payments, plan.lines[index]);
    }
  }
  for (const payment of withoutLine) {
    const isLeftOut = plan.leftOut.some(({ address }) => address === payment.address);
    const line = isLeftOut
      ? undefined
      : lines.find(({ state }, index) => state === 'open' && plan.lines[index]?.raw === String(payment.raw));
    if (line === undefined) strays.push(payment);
    else {
      line.payments.push(payment);
      line.state = 'paid-otherwise';
    }
  }
}

/** Whether it is the payment that the line stands for, to the unit. */
export const isPlanned = ({ address, raw }: Payment, line: PayoutLine | undefined): boolean =>
  address === line?.address && String(raw) === line.raw;

/** Several payments count as paid twice only if one of them is the planned one. */
function stateOf(payments: readonly Payment[], planned: PayoutLine | undefined): LineState {
  if (!payments.some((payment) => isPlanned(payment, planned))) return 'paid-otherwise';
  return payments.length > 1 ? 'paid-twice' : 'paid';
}

/** How many lines one transaction pays (rulings R9: fewer than 1,024 commands, three of which split and merge coins). */
export const linesPerTransaction = 1_000;

/**
 * What is left to pay of a plan, and which part of it comes next, as indices into the plan's lines. Only lines without any payment on
 * chain: a line that was paid otherwise or twice is not paid again.
 */
export function nextLines({ lines }: PayoutPlan, result: PlanResult, atOnceMax = linesPerTransaction) {
  const open = lines.flatMap((_line, index) => (result.lines[index]?.state === 'open' ? [index] : []));
  const sum = (places: readonly number[]): bigint =>
    places.reduce((total, index) => total + BigInt(lines[index]?.raw ?? 0), 0n);
  const next = open.slice(0, atOnceMax);
  return { lines: next, raw: sum(next), open: { lines: open.length, raw: sum(open) } };
}
