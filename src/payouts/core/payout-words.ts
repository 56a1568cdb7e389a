import { foreignText } from '../../shared/foreign-text.ts';
import { shortType } from '../../shared/sui-address.ts';
import { isUsableDecimals, toDecimalText, withCommas } from '../../shared/money.ts';

/** Words and lengths that pages need too: kept apart from the schemas, which would bring their library along. */

export const payoutWords = { title: 80, reason: 500, leftOutReason: 120, withdrawnReason: 300 } as const;

/** `total`: shared by all paid rocks. `per-rock`: paid for each of them. */
export const amountModes = ['total', 'per-rock'] as const;

/** Which of the terms makes a plan impossible. */
export const refusedTerms = ['coin', 'amount', 'left-out'] as const;
export type RefusedTerm = (typeof refusedTerms)[number];

/** The state of a line on chain. `paid-otherwise`: another amount, or to another address. */
export const lineStates = ['open', 'paid', 'paid-otherwise', 'paid-twice'] as const;
export type LineState = (typeof lineStates)[number];

/** `paying` and `paid` follow from the chain alone. */
export const publishedStates = ['published', 'paying', 'paid', 'withdrawn'] as const;
export const payoutStates = ['draft', ...publishedStates] as const;
export type PayoutState = (typeof payoutStates)[number];

/**
 * `waiting`: it may still be executed, and until then no other is built. `executed`: it is on chain and did what it says.
 * `failed`: it is on chain and only gas was spent. `expired`: its last epoch is over. `spent`: another transaction used one of its coin objects.
 */
export const transactionStates = ['waiting', 'executed', 'failed', 'expired', 'spent'] as const;

export const notADigest = 'A digest has 32 to 44 letters and digits, as an explorer shows it.';

/** `executed`: it pays a line of the payout that is looked at; `pays-no-line`: it was executed, but pays none of it. */
export const chainCheckResults = ['executed', 'pays-no-line', 'failed', 'not-found', 'not-of-the-treasury'] as const;

/** The words about payouts on pages, pages without scripts, cards, messages and the feed. Pure. */

export interface ShownCoin {
  readonly type?: string;
  /** What the coin calls itself, which is untrusted text. */
  readonly symbol: string | null;
  /** null: not known. */
  readonly decimals: number | null;
}

/** Why a coin cannot be paid out, or not yet. */
export const noMetadata =
  'The chain has no metadata for this coin, or it was not read yet: amounts of it cannot be read.';

export const coinName = ({ type = '', symbol }: ShownCoin): string =>
  symbol === null ? shortType(type) : foreignText(symbol, 20);

/** `1,234.567 SUI`: to the last unit, because it is compared with the chain. `raw` null: not known. */
export function amountText(raw: string | null, coin: ShownCoin): string {
  if (raw === null || !/^\d{1,100}$/.test(raw)) return 'Not known';
  const { decimals } = coin;
  if (decimals === null || !isUsableDecimals(decimals)) return `${raw} base units of ${coinName(coin)}`;
  return `${withCommas(toDecimalText(BigInt(raw), decimals))} ${coinName(coin)}`;
}

export const stateNames: Readonly<Record<PayoutState, string>> = {
  draft: 'Draft',
  published: 'Published',
  paying: 'Being paid',
  paid: 'Paid',
  withdrawn: 'Withdrawn',
};

/** The state to show: a withdrawn payout is not being paid, even if some of its lines were paid. */
export const shownState = <State extends PayoutState | null>(payout: {
  readonly state: State;
  readonly withdrawn: object | null;
}): State | 'withdrawn' => (payout.state === 'paying' && payout.withdrawn !== null ? 'withdrawn' : payout.state);

const lineStateNames: Readonly<Record<LineState, string>> = {
  open: 'Not paid yet',
  paid: 'Paid',
  'paid-otherwise': 'Paid otherwise',
  'paid-twice': 'Paid twice',
};

export const notKnownYet = 'Not known yet';
/** While the chain was never read to its end. */
export const paidNotKnownYet = 'The chain is not fully read yet, so what is paid is not known.';

interface LinesAreKnown {
  /** null: the chain was never read to its end, so it is not known whether a line is open. */
  readonly asOf: string | null;
  readonly withdrawn: object | null;
}

export function lineStateText(state: LineState, { asOf, withdrawn }: LinesAreKnown): string {
  if (state !== 'open') return lineStateNames[state];
  if (asOf === null) return notKnownYet;
  return withdrawn === null ? lineStateNames.open : 'Not paid';
}

/** Shown instead of an address when a rock is left out by its number. */
export const noKnownOwner = 'No known owner';

/** `0x12… and 3 more`. */
export const andMore = (first: string, others: number): string =>
  others === 0 ? first : `${first} and ${others} more`;

/** `#2, #5`. */
export const rockList = (numbers: readonly number[]): string => numbers.map((number) => `#${number}`).join(', ');

/** `#2, #5 and 3 more`, `shownMax` of them by number. One holder may have all 555. */
export const someRocks = (numbers: readonly number[], shownMax: number): string =>
  andMore(rockList(numbers.slice(0, shownMax)), Math.max(0, numbers.length - shownMax));

/** As in the terms. */
export const discretionary = 'Distributions are discretionary and not guaranteed.';

/** 'Payout 1: October' */
export const payoutInFull = ({ id, title }: { readonly id: number; readonly title: string }): string =>
  `Payout ${id}: ${title}`;

/** How many lines have their planned payment. */
export const paidAsPlanned = ({ paid, paidTwice }: { readonly paid: number; readonly paidTwice: number }): number =>
  paid + paidTwice;

/** Whether it is known that no line has its planned payment: such a payout can be withdrawn, and planned anew. */
export const isNothingPaid = (
  payout: { readonly lines: { readonly paid: number; readonly paidTwice: number } | null } | null,
): boolean => payout?.lines != null && paidAsPlanned(payout.lines) === 0;

interface Deviations {
  readonly lines: { readonly paidOtherwise: number; readonly paidTwice: number };
  readonly strays: number;
}

/** One sentence for each kind of payment that is not as planned; empty if all are. */
export function deviationTexts({ lines: { paidOtherwise, paidTwice }, strays }: Deviations): readonly string[] {
  return [
    ...sentenceIfAny(
      paidOtherwise,
      'line',
      'lines',
      'got a different amount than planned, or the money went to another address.',
    ),
    ...sentenceIfAny(paidTwice, 'line was', 'lines were', 'paid more than once.'),
    ...sentenceIfAny(strays, 'payment', 'payments', 'went to an address to which the plan gives nothing.'),
  ];
}

const sentenceIfAny = (count: number, one: string, many: string, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many} ${what}`];
