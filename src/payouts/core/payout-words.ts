import { foreignText } from '../../shared/foreign-text.ts';
import { isUsableDecimals, toDecimalText, withCommas } from '../../shared/money.ts';
import type { LineState, PayoutState } from './payout-terms.ts';

/** How pages, files for readers without scripts, cards, messages and the feed speak of payouts. Pure. */

interface Coin {
  readonly symbol: string;
  readonly decimals: number;
}

const symbolMax = 20;

/** `1,234.567 SUI`: to the last unit, as what is published is compared with the chain. */
export function amountText(raw: string, { symbol, decimals }: Coin): string {
  const name = foreignText(symbol, symbolMax);
  if (!/^\d{1,100}$/.test(raw)) return `Not known ${name}`;
  if (!isUsableDecimals(decimals)) return `${raw} base units of ${name}`;
  return `${withCommas(toDecimalText(BigInt(raw), decimals))} ${name}`;
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
    ...some(paidOtherwise, 'line was', 'lines were', 'paid another amount, or to another address, than the plan says.'),
    ...some(paidTwice, 'line was', 'lines were', 'paid more than once.'),
    ...some(strays, 'payment', 'payments', 'went to an address that the plan does not name.'),
  ];
}

const some = (count: number, one: string, many: string, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many} ${what}`];
