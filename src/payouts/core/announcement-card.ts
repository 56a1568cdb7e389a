import { counted } from '../../shared/money.ts';
import type { AnnouncementKind, Card, PayoutSummary } from '../payouts-contract.ts';
import { isEachRockPaid, paidText } from './payout-summary.ts';
import { amountText, deviationTexts } from './payout-words.ts';

/** The team's cards about a payout, in the words of the terms: nothing is guaranteed, and no date is promised. Pure. */

export function announcementCard(kind: AnnouncementKind, payout: PayoutSummary, publicUrl: string): Card {
  const { id, title, coin, sha256, snapshot } = payout;
  const proof = [
    `Owners as of checkpoint ${snapshot.checkpoint}`,
    // In full: anyone who keeps the card can compare it with the plan years later (docs/payouts.md).
    `SHA-256 of the plan: ${sha256}`,
  ];
  const url = payoutUrl(publicUrl, id);
  if (kind === 'paid') {
    return {
      sign: '✅',
      headline: `Payout paid: ${title}`,
      lines: [
        ...paidLines(payout),
        ...proof,
        'Payouts are discretionary and not guaranteed. This one does not promise another.',
      ],
      link: { label: 'Every line with its transaction', url },
    };
  }
  return {
    sign: '📣',
    headline: `Payout published: ${title}`,
    lines: [
      `${amountText(payout.shareRaw, coin)} for each rock`,
      `${amountText(payout.totalRaw, coin)} in total, for ${countsOf(payout)}`,
      ...proof,
      'Payouts are discretionary and not guaranteed. No date is promised.',
    ],
    link: { label: 'Who gets what, and how to check it', url },
  };
}

export const payoutUrl = (publicUrl: string, id: number): string => `${publicUrl}/payouts/${id}`;

/** The card as plain text, for the person who decides whether to post it. */
export const textOfCard = ({ sign, headline, lines, link }: Card): string =>
  [`${sign} ${headline}`, ...lines, `${link.label}: ${link.url}`].join('\n');

function paidLines(payout: PayoutSummary): readonly string[] {
  const { coin, paidRaw, shareRaw, lines } = payout;
  const isWhole = isEachRockPaid(payout);
  return [
    `${isWhole ? `${amountText(paidRaw, coin)} paid` : paidText(payout)}, for ${countsOf(payout)}`,
    ...deviationTexts({ lines, strays: 0 }),
    ...(isWhole ? [`${amountText(shareRaw, coin)} for each rock`] : []),
  ];
}

/** '555 rocks of 210 holders'. */
const countsOf = ({ rocks, holders }: PayoutSummary): string =>
  `${counted(rocks, 'rock')} of ${counted(holders, 'holder')}`;
