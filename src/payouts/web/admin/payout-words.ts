import { foreignText } from '../../../shared/foreign-text.ts';
import { shortAddress, suiCoinType } from '../../../shared/sui-address.ts';
import type { ShownFields } from '../../../ui/api/versioned-change.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import {
  amountText,
  rockList,
  coinName,
  payoutWords,
  shownState,
  stateNames,
  type ShownCoin,
} from '../../core/payout-words.ts';
import type { Outcome, Payout, TreasuryCoin } from './payouts-calls.ts';
import { fromDecimalText, isUsableDecimals, mistDecimals, toDecimalText } from '../../../shared/money.ts';

/** Amounts as the team types and reads them: in whole coins, exact to the last base unit. */

/** The coin of a payout, from its plan, or as the treasury holds it; by its type alone where neither is known. */
export const coinOf = ({ plan, terms }: Payout, coins: readonly TreasuryCoin[] | null): ShownCoin =>
  plan?.coin ?? coinOfType(terms?.coinType ?? '', coins ?? []);

export const coinOfType = (type: string, coins: readonly TreasuryCoin[]): ShownCoin =>
  coins.find((each) => each.type === type) ?? { type, symbol: null, decimals: null };

const sui: ShownCoin = { type: suiCoinType, symbol: 'SUI', decimals: mistDecimals };
export const exactSuiText = (mist: string | null): string => amountText(mist, sui);

/** The text of the field: without commas, so that it can be read again. */
export const typedAmount = (raw: string, { decimals }: ShownCoin): string =>
  decimals !== null && isUsableDecimals(decimals) ? toDecimalText(BigInt(raw), decimals) : '';

type ReadAmount = { readonly raw: string } | { readonly problem: string };

const wrong = (problem: string): ReadAmount => ({ problem });
/** No coin has more base units. */
const digitsMax = 31;

/** The typed amount in base units. Nothing is rounded, and anything ambiguous is refused. */
export function readAmount(text: string, coin: ShownCoin & { readonly decimals: number }): ReadAmount {
  const typed = text.trim();
  if (typed === '') return wrong('Enter an amount.');
  const amount = /^\d+(?:\.\d+)?$/.test(typed) ? fromDecimalText(typed, coin.decimals) : null;
  if (amount === null) return wrong('Use digits and one point, as in 1234.5, without commas or signs.');
  const decimals = typed.split('.')[1]?.replace(/0+$/, '').length ?? 0;
  if (decimals > coin.decimals)
    return wrong(`${coinName(coin)} has ${coin.decimals} decimals. This amount has ${decimals}.`);
  if (amount === 0n) return wrong('A payout of 0 pays nobody. Enter an amount.');
  const raw = String(amount);
  return raw.length > digitsMax ? wrong('That is more than any coin has.') : { raw };
}

export const titleOf = ({ id, terms }: Payout): string =>
  terms === null || terms.title === '' ? `Payout ${id}` : foreignText(terms.title, payoutWords.title);

type Terms = NonNullable<Payout['terms']>;

/** '100 SUI in total', '0.2 SUI for each rock'. */
export const amountInWords = (amount: Terms['amount'], coin: ShownCoin): string => {
  if (amount === null) return 'Not known';
  const per = amount.mode === null ? '' : { total: ' in total', 'per-rock': ' for each rock' }[amount.mode];
  return `${amountText(amount.raw, coin)}${per}`;
};

/** The fields that an admin compares between two versions of a payout. */
export const shownFields = (payout: Payout, coins: readonly TreasuryCoin[] | null): ShownFields => ({
  Title: payout.terms?.title ?? '',
  Reason: payout.terms?.reason ?? '',
  Amount: amountInWords(payout.terms?.amount ?? null, coinOf(payout, coins)),
  'Left out': payout.terms?.leftOut?.map(leftOutInWords).join('; ') ?? '',
  Owners: ownersInWords(payout),
  State: payout.state === null ? 'Not known' : stateNames[shownState({ ...payout, state: payout.state })],
});

/** `rocks`: they have no known owner, so `address` is null. */
interface LeftOut {
  readonly address: string | null;
  readonly rocks?: readonly number[] | null | undefined;
  readonly reason: string;
}

export const leftOutInWords = ({ address, rocks, reason }: LeftOut): string =>
  `${address === null ? rockList(rocks ?? []) : shortAddress(address)} (${reason})`;

function ownersInWords({ plan, snapshot }: Payout): string {
  if (plan) return `read at checkpoint ${plan.checkpoint ?? 'not known'}`;
  return snapshot?.askedAt != null ? 'being read' : 'not read';
}

/** '12 new, 3 gone'. */
export function comparedInWords({ newHolders, goneHolders }: Outcome): string {
  if (newHolders === null || goneHolders === null) return 'There is no payout before this one';
  if (newHolders === undefined || goneHolders === undefined) return 'Not known';
  return `${counted(newHolders, 'new holder')}, ${counted(goneHolders, 'holder')} gone`;
}
