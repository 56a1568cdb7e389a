import { foreignText } from '../../shared/foreign-text.ts';
import { shortType } from '../../shared/sui-address.ts';
import { isUsableDecimals, toDecimalText, withCommas } from '../../shared/money.ts';

/** Words and lengths of payouts that pages need too: apart from the schemas, which would bring their library along. */

export const payoutWords = { title: 80, reason: 500, leftOutReason: 120, withdrawnReason: 300 } as const;

/** `total`: shared by all rocks that are paid. `per-rock`: so much for each of them. */
export const amountModes = ['total', 'per-rock'] as const;

/** What of the terms makes a plan impossible. */
export const refusedTerms = ['coin', 'amount', 'left-out'] as const;
export type RefusedTerm = (typeof refusedTerms)[number];

/** What the chain says of a line. `paid-otherwise`: another amount, or to another address. */
export const lineStates = ['open', 'paid', 'paid-otherwise', 'paid-twice'] as const;
export type LineState = (typeof lineStates)[number];

/** `paying` and `paid` follow from the chain alone. */
export const payoutStates = ['draft', 'published', 'paying', 'paid', 'withdrawn'] as const;
export type PayoutState = (typeof payoutStates)[number];

/**
 * `waiting`: it may still be executed, and while it may, no other one is built. `executed`: it is on chain and did what it says.
 * `failed`: it is on chain and moved nothing but gas. `expired`: its last epoch is over. `spent`: another transaction used a coin object of it.
 */
export const transactionStates = ['waiting', 'executed', 'failed', 'expired', 'spent'] as const;

export const lookResults = ['executed', 'failed', 'not-found', 'not-of-the-treasury'] as const;

/** How pages, files for readers without scripts, cards, messages and the feed speak of payouts. Pure. */

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

/** `1,234.567 SUI`: to the last unit, as what is published is compared with the chain. `raw` null: not known. */
export function amountText(raw: string | null, coin: ShownCoin): string {
  if (raw === null || !/^\d{1,100}$/.test(raw)) return 'Not known';
  const { decimals } = coin;
  if (decimals === null || !isUsableDecimals(decimals)) return `${raw} base units of ${coinName(coin)}`;
  return `${withCommas(toDecimalText(BigInt(raw), decimals))} ${coinName(coin)}`;
}

export const stateNames: Readonly<Record<Exclude<PayoutState, 'draft'>, string>> = {
  published: 'Announced',
  paying: 'Being paid',
  paid: 'Paid',
  withdrawn: 'Withdrawn',
};

const lineStateNames: Readonly<Record<LineState, string>> = {
  open: 'Not paid yet',
  paid: 'Paid',
  'paid-otherwise': 'Paid otherwise',
  'paid-twice': 'Paid twice',
};

export const notKnownYet = 'Not known yet';

/** `asOf` null: the chain was never read to its end, so nobody knows that a line is open. */
export const lineStateText = (state: LineState, asOf: string | null): string =>
  state === 'open' && asOf === null ? notKnownYet : lineStateNames[state];

/** Instead of an address, where a rock is left out by its number. */
export const noKnownOwner = 'No known owner';

/** `#2, #5`. */
export const rockList = (numbers: readonly number[]): string => numbers.map((number) => `#${number}`).join(', ');

/** As in the terms. */
export const discretionary = 'Distributions are discretionary and not guaranteed.';

/** How many lines gave their address what the plan says. */
export const paidAsPlanned = ({ paid, paidTwice }: { readonly paid: number; readonly paidTwice: number }): number =>
  paid + paidTwice;

interface Deviations {
  readonly lines: { readonly paidOtherwise: number; readonly paidTwice: number };
  readonly strays: number;
}

/** One sentence for each kind of payment that is not as planned; none: there is no such payment. */
export function deviationTexts({ lines: { paidOtherwise, paidTwice }, strays }: Deviations): readonly string[] {
  return [
    ...some(paidOtherwise, 'line', 'lines', 'got another amount than planned, or the money went to another address.'),
    ...some(paidTwice, 'line was', 'lines were', 'paid more than once.'),
    ...some(strays, 'payment', 'payments', 'went to an address that the plan does not name.'),
  ];
}

const some = (count: number, one: string, many: string, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many} ${what}`];
