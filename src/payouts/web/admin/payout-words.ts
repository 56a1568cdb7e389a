import { foreignText } from '../../../shared/foreign-text.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import type { ShownFields } from '../../../ui/api/versioned-change.tsx';
import type { Badge } from '../../../ui/badge.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { type PayoutState, payoutWords } from '../../core/payout-terms.ts';
import { amountText, type ShownCoin } from './amount-text.ts';
import { coinOf, type Outcome, type Payout, type TreasuryCoin } from './payouts-calls.ts';

interface StateWord {
  readonly word: string;
  readonly tone: NonNullable<Parameters<typeof Badge>[0]['tone']>;
}

const states: Readonly<Record<PayoutState, StateWord>> = {
  draft: { word: 'Draft', tone: 'quiet' },
  published: { word: 'Published, not paid', tone: 'torch' },
  paying: { word: 'Being paid', tone: 'estimated' },
  paid: { word: 'Paid', tone: 'live' },
  withdrawn: { word: 'Withdrawn', tone: 'unavailable' },
};

export const stateInWords = ({ state }: Payout): StateWord =>
  state === null ? { word: 'State not known', tone: 'unavailable' } : states[state];

export const titleOf = ({ id, terms }: Payout): string =>
  terms === null || terms.title === '' ? `Payout ${id}` : foreignText(terms.title, payoutWords.title);

type Terms = NonNullable<Payout['terms']>;

/** '100 SUI in total', '0.2 SUI for each rock'. */
export const amountInWords = (amount: Terms['amount'], coin: ShownCoin): string => {
  if (amount === null) return 'Not known';
  const per = amount.mode === null ? '' : { total: ' in total', 'per-rock': ' for each rock' }[amount.mode];
  return `${amountText(amount.raw, coin)}${per}`;
};

/** What of a payout an admin compares with another version of it. */
export const shownFields = (payout: Payout, coins: readonly TreasuryCoin[] | null): ShownFields => ({
  Title: payout.terms?.title ?? '',
  Reason: payout.terms?.reason ?? '',
  Amount: amountInWords(payout.terms?.amount ?? null, coinOf(payout, coins)),
  'Left out': payout.terms?.leftOut?.map(leftOutInWords).join('; ') ?? '',
  Owners: ownersInWords(payout),
  State: stateInWords(payout).word,
});

export const leftOutInWords = ({ address, reason }: { readonly address: string; readonly reason: string }): string =>
  `${shortAddress(address)} (${reason})`;

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
