import { factsHtml, linkHtml, momentHtml, tableHtml } from '../http/ready/noscript-parts.ts';
import type { ParameterPage } from '../http/ready/pages.ts';
import { escapeHtml } from '../shared/foreign-text.ts';
import { checkpointLink } from '../shared/explorer-links.ts';
import { counted } from '../shared/money.ts';
import { shortType } from '../shared/sui-address.ts';
import { paidText, sharesText } from './core/payout-summary.ts';
import {
  amountText,
  deviationTexts,
  discretionary,
  noKnownOwner,
  notKnownYet,
  paidAsPlanned,
  paidNotKnownYet,
  payoutInFull,
  shownState,
  stateNames,
} from './core/payout-words.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { oneAnswer } from './payout-routes.ts';
import type { PayoutAnswer, PayoutsAnswer, PayoutSummary } from './payouts-contract.ts';
import { choiceIn, linesFile, payoutIdIn, payoutLink, planFile } from './web/payout-addresses.ts';

/** The pages of payouts for readers without scripts and for social networks. Titles, reasons and symbols are escaped. */

const amount = (raw: string, coin: PayoutSummary['coin']): string => escapeHtml(amountText(raw, coin));

const asOfHtml = (asOf: string | null): string =>
  `<p>${asOf === null ? paidNotKnownYet : `As of ${momentHtml(asOf)}.`}</p>`;

/** The content of `<noscript>` on /payouts. null: the payouts were never read. */
export function payoutsNoscriptHtml(answer: PayoutsAnswer | null): string {
  if (answer === null) return '<p>The payouts have not been read yet. Please reload in a minute.</p>';
  const { asOf, payouts } = answer;
  if (payouts.length === 0) return '<p>None yet</p>';
  const rows = payouts.map((payout) => [
    linkHtml(payoutLink(payout.id), escapeHtml(payout.title)),
    stateNames[shownState(payout)],
    amount(payout.shareRaw, payout.coin),
    amount(payout.totalRaw, payout.coin),
    asOf === null ? notKnownYet : amount(payout.paidRaw, payout.coin),
    momentHtml(payout.publishedAt),
  ]);
  return [
    `<div class="plain-payout"><p>${receivedSoFar(answer)}. ${discretionary}</p>`,
    asOfHtml(asOf),
    tableHtml('Payouts', ['Payout', 'State', 'Each rock', 'In all', 'Paid', 'Published'], rows),
    '</div>',
  ].join('');
}

/** What one rock has received; while no payout is complete, what was distributed. */
function receivedSoFar({ asOf, perRock, distributed }: PayoutsAnswer): string {
  const sums = (ofCoins: PayoutsAnswer['perRock']): string =>
    ofCoins.map(({ coin, raw }) => amount(raw, coin)).join(', ');
  if (perRock.length > 0) return `One rock has received so far: ${sums(perRock)}`;
  if (distributed.length > 0) return `Distributed so far: ${sums(distributed)}`;
  return asOf === null ? notKnownYet : 'Nothing has been paid yet';
}

/** The content of `<noscript>` on a payout's page; its lines are in the file. */
function payoutNoscriptHtml(payout: PayoutAnswer, explorerUrl: string): string {
  const { id, title, reason, coin, lines, snapshot, withdrawn, leftOut, strays, asOf } = payout;
  const paid = `${amount(payout.paidRaw, coin)}, ${paidAsPlanned(lines)} of ${payout.holders} lines`;
  const deviations = deviationTexts({ lines, strays: strays.length });
  return [
    `<div class="plain-payout"><h2 class="title-3">${escapeHtml(title)}</h2><p>${escapeHtml(reason)}</p>`,
    withdrawn === null ? '' : `<p>Withdrawn on ${momentHtml(withdrawn.at)}: ${escapeHtml(withdrawn.reason)}</p>`,
    ...deviations.map((text) => `<p><strong>${text}</strong></p>`),
    factsHtml({
      State: stateNames[shownState(payout)],
      Coin: `<code class="wrap-anywhere">${escapeHtml(shortType(coin.type))}</code>`,
      'Each rock': amount(payout.shareRaw, coin),
      'In all': `${amount(payout.totalRaw, coin)} for ${counted(payout.rocks, 'rock')} of ${counted(payout.holders, 'holder')}`,
      'Stays in the treasury': payout.remainderRaw === '0' ? null : amount(payout.remainderRaw, coin),
      Paid: asOf === null ? notKnownYet : paid,
      Snapshot: `${linkHtml(checkpointLink(explorerUrl, snapshot.checkpoint), `Checkpoint ${snapshot.checkpoint}`)}, ${momentHtml(snapshot.at)}`,
      Published: momentHtml(payout.publishedAt),
      'SHA-256': `<code class="wrap-anywhere">${payout.sha256}</code>`,
      Files: `${linkHtml(planFile(id), 'Plan (JSON)')}, ${linkHtml(linesFile(id), 'Lines (CSV)')}`,
    }),
    leftOut.length === 0
      ? ''
      : tableHtml(
          'Left out',
          ['Why', 'Rocks', 'Address'],
          leftOut.map(({ address, reason: why, rocks }) => [
            escapeHtml(why),
            rocks.join(', '),
            address === null ? noKnownOwner : `<code class="wrap-anywhere">${address}</code>`,
          ]),
        ),
    asOfHtml(asOf),
    `<p>${discretionary}</p></div>`,
  ].join('');
}

/** /payouts/3 */
export const payoutPage = (deps: PayoutDeps): ParameterPage => ({
  name: 'payout',
  find: (path) => {
    const id = payoutIdIn(path);
    return id === null ? null : String(id);
  },
  countedAs: '/payouts/{id}',
  queryProblem: (query) => {
    const { problem, pageProblem } = choiceIn(query);
    return problem ?? pageProblem;
  },
  fillingOf: (digits) => {
    const found = oneAnswer(deps, Number(digits), { page: 1 });
    if (found === null) return null;
    const { state, coin, totalRaw, id } = found;
    return {
      values: {
        payoutId: String(id),
        payoutTitle: `${payoutInFull(found)} | ${deps.productName}`,
        payoutDescription:
          `${stateNames[shownState(found)]}: ${state === 'paid' ? paidText(found) : sharesText(found)}, ${amountText(totalRaw, coin)} in all. ` +
          `Anyone can check every line against the chain. ${discretionary}`,
      },
      blocks: { 'snapshot:payout': payoutNoscriptHtml(found, deps.settings.explorerUrl) },
    };
  },
});
