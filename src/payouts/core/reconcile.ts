import type { PayoutLine, PayoutPlan } from '../payouts-contract.ts';
import type { LineState } from './payout-words.ts';

/** Rulings R9: the state of each line, from the chain alone, whoever paid it. Pure. */

/** What reconciling needs of a published plan. Only transactions after the checkpoint of its snapshot pay it. */
export interface PayablePlan extends Pick<PayoutPlan, 'payout' | 'lines'> {
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

interface Ongoing {
  readonly plan: PayablePlan;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly lines: { state: LineState; payments: Payment[] }[];
  readonly strays: Payment[];
}

/** By payout. Takes plans oldest first, and transactions in the order of the chain. */
export function reconcile(plans: readonly PayablePlan[], sent: readonly Sent[]): ReadonlyMap<number, PlanResult> {
  const ongoing = plans.map((plan): Ongoing => ({
    plan,
    lineOf: new Map(plan.lines.map(({ address }, index) => [address, index])),
    lines: plan.lines.map(() => ({ state: 'open', payments: [] })),
    strays: [],
  }));
  for (const transaction of sent) {
    const built = ongoing.find(({ plan }) => plan.batches.some(({ digest }) => digest === transaction.digest));
    if (built === undefined) settleByHand(ongoing, transaction);
    else settle(built, transaction);
  }
  return new Map(ongoing.map(({ plan, lines, strays }) => [plan.payout, { lines, strays }]));
}

/**
 * Assigns a transaction that was not built here by its addresses and amounts. Withdrawn plans come last, and only with lines paid to the
 * unit: their lines stay open for ever, so any other payment to one of their holders would seem to be for them.
 */
function settleByHand(ongoing: readonly Ongoing[], sent: Sent): void {
  const able = ongoing.filter(
    ({ plan: { coin, snapshot } }) => coin.type === sent.coinType && sent.checkpoint > BigInt(snapshot.checkpoint),
  );
  const isWithdrawn = ({ plan }: Ongoing): boolean => plan.withdrawnAt !== null && sent.at > plan.withdrawnAt;
  const { live = [], withdrawn = [] } = Object.groupBy(able, (each) => (isWithdrawn(each) ? 'withdrawn' : 'live'));
  const shares = sharesOf(live, sent);
  const found = shares.length > 0 ? shares : sharesOf(withdrawn, { ...sent, isTransfer: false });
  for (const { of, to } of found) settle(of, { ...sent, to });
}

/**
 * Which recipients were paid for which plan. A payment of exactly an open line's amount pays that line, whatever else is in the
 * transaction; every other recipient belongs to the plan that the transfer as a whole is for.
 */
function sharesOf(able: readonly Ongoing[], sent: Sent) {
  const awaiting = plansPaid(able, sent, 'open');
  const main = sent.isTransfer ? (awaiting[0] ?? mainOf(able, sent)) : undefined;
  const planOf = (to: Recipient): Ongoing | undefined =>
    awaiting.find((each) => isExact(each, to, 'open')) ?? main ?? able.find((each) => isExact(each, to, 'settled'));
  return [...Map.groupBy(sent.to, planOf)].flatMap(([of, to]) => (of === undefined ? [] : [{ of, to }]));
}

/** The plan that a transfer is for if it pays no open line to the unit; undefined: none. */
const mainOf = (able: readonly Ongoing[], sent: Sent): Ongoing | undefined =>
  plansPaid(able, sent, 'settled')[0] ??
  able.find((each) => isCopy(each, sent)) ??
  able.find((each) => sent.to.every(({ address }) => lineAt(each, address)?.state === 'open'));

const lineAt = ({ lineOf, lines }: Ongoing, address: string) => lines[lineOf.get(address) ?? -1];

/** Whether the recipient got exactly its line's amount, and that line is open, or was settled before, as `wanted`. */
function isExact({ plan, lineOf, lines }: Ongoing, { address, raw }: Recipient, wanted: 'open' | 'settled'): boolean {
  const index = lineOf.get(address) ?? -1;
  return plan.lines[index]?.raw === String(raw) && (lines[index]?.state === 'open') === (wanted === 'open');
}

/** The plans with such lines that it pays to the unit: those with the most lines first, then the oldest. */
const plansPaid = (of: readonly Ongoing[], { to }: Sent, wanted: 'open' | 'settled'): readonly Ongoing[] =>
  of
    .map((each) => ({ each, count: to.filter((one) => isExact(each, one, wanted)).length }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ each }) => each);

/** Whether the amounts are those of a built transaction that was not executed: someone changed an address in it. */
function isCopy({ plan, lines }: Ongoing, { to }: Sent): boolean {
  const amounts = (of: readonly (string | undefined)[]): string => [...of].map(String).sort().join();
  const asked = amounts(to.map(({ raw }) => String(raw)));
  return plan.batches.some(
    (batch) =>
      batch.lines.every((index) => lines[index]?.state === 'open') &&
      amounts(batch.lines.map((index) => plan.lines[index]?.raw)) === asked,
  );
}

function settle(of: Ongoing, { digest, checkpoint, at, isTransfer, to }: Sent): void {
  const outside: Payment[] = [];
  for (const { address, raw } of to) {
    const payment = { digest, checkpoint, at, isTransfer, address, raw };
    const index = of.lineOf.get(address) ?? -1;
    const line = of.lines[index];
    if (line === undefined) {
      outside.push(payment);
      continue;
    }
    line.payments.push(payment);
    line.state = stateOf(line.payments, of.plan.lines[index]);
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

/** Several payments count as paid twice only if one of them is the planned one. */
function stateOf(payments: readonly Payment[], planned: PayoutLine | undefined): LineState {
  const hasPlanned = payments.some(({ address, raw }) => address === planned?.address && String(raw) === planned.raw);
  if (!hasPlanned) return 'paid-otherwise';
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
