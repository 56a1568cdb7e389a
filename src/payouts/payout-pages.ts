import { factsHtml, linkHtml, momentHtml, tableHtml } from '../http/ready/noscript-parts.ts';
import type { ParameterPage } from '../http/ready/pages.ts';
import { escapeHtml } from '../shared/foreign-text.ts';
import { checkpointLink } from '../shared/explorer-links.ts';
import { counted } from '../shared/money.ts';
import { shortAddress } from '../shared/sui-address.ts';
import { paidText, sharesText } from './core/payout-summary.ts';
import {
  amountText,
  deviationTexts,
  discretionary,
  lineStateText,
  notKnownYet,
  paidAsPlanned,
  stateNames,
} from './core/payout-words.ts';
import type { PayoutAnswer, PayoutsAnswer, PayoutSummary } from './payouts-contract.ts';
import {
  choiceIn,
  everyLine,
  findName,
  type LineChoice,
  pageMax,
  searchOf,
  linesFile,
  payoutIdIn,
  payoutLink,
  planFile,
} from './web/payout-addresses.ts';

/** The pages of payouts for readers without scripts and for social networks. Titles, reasons and symbols are escaped. */

const amount = (raw: string, coin: PayoutSummary['coin']): string => escapeHtml(amountText(raw, coin));

const asOfHtml = (asOf: string | null): string =>
  `<p>${asOf === null ? 'The chain was not read up to now yet: what is paid is not known' : `As of ${momentHtml(asOf)}`}.</p>`;

/** What stands inside `<noscript>` of /payouts. null: the payouts were never read. */
export function payoutsNoscriptHtml(answer: PayoutsAnswer | null): string {
  if (answer === null) return '<p>The payouts have not been read yet. Please reload in a minute.</p>';
  const { asOf, payouts, perRock, distributed } = answer.data;
  if (payouts.length === 0) return '<p>None yet</p>';
  const rows = payouts.map(({ id, title, state, coin, shareRaw, totalRaw, paidRaw, publishedAt }) => [
    linkHtml(payoutLink(id), escapeHtml(title)),
    stateNames[state],
    amount(shareRaw, coin),
    amount(totalRaw, coin),
    amount(paidRaw, coin),
    momentHtml(publishedAt),
  ]);
  const sums = (of: PayoutsAnswer['data']['perRock']): string =>
    of.map(({ coin, raw }) => amount(raw, coin)).join(', ');
  const nothingGiven = asOf === null ? notKnownYet : 'Nothing is paid yet';
  const paid = distributed.length === 0 ? nothingGiven : `Distributed so far: ${sums(distributed)}`;
  const given = perRock.length === 0 ? paid : `One rock has received so far: ${sums(perRock)}`;
  return [
    `<div class="plain-payout"><p>${given}. ${discretionary}</p>`,
    asOfHtml(asOf),
    tableHtml('Payouts', ['Payout', 'State', 'Each rock', 'In all', 'Paid', 'Announced'], rows),
    '</div>',
  ].join('');
}

/** What stands inside `<noscript>` of a payout's page. */
function payoutNoscriptHtml({ data }: PayoutAnswer, choice: LineChoice, explorerUrl: string): string {
  const { id, title, reason, state, coin, lines, snapshot, withdrawn, leftOut, strays, asOf } = data;
  const paid = `${amount(data.paidRaw, coin)}, ${paidAsPlanned(lines)} of ${data.holders} lines`;
  const deviations = deviationTexts({ lines, strays: strays.length });
  return [
    `<div class="plain-payout"><h2 class="title-3">${escapeHtml(title)}</h2><p>${escapeHtml(reason)}</p>`,
    withdrawn === null ? '' : `<p>Withdrawn on ${momentHtml(withdrawn.at)}: ${escapeHtml(withdrawn.reason)}</p>`,
    ...deviations.map((text) => `<p><strong>${text}</strong></p>`),
    factsHtml({
      State: stateNames[state],
      'Each rock': amount(data.shareRaw, coin),
      'In all': `${amount(data.totalRaw, coin)} for ${counted(data.rocks, 'rock')} of ${counted(data.holders, 'holder')}`,
      'Stays in the treasury': data.remainderRaw === '0' ? null : amount(data.remainderRaw, coin),
      Paid: asOf === null ? notKnownYet : paid,
      Snapshot: `${linkHtml(checkpointLink(explorerUrl, snapshot.checkpoint), `Checkpoint ${snapshot.checkpoint}`)}, ${momentHtml(snapshot.at)}`,
      Announced: momentHtml(data.publishedAt),
      'SHA-256': `<code class="wrap-anywhere">${data.sha256}</code>`,
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
            `<code class="wrap-anywhere">${address}</code>`,
          ]),
        ),
    asOfHtml(asOf),
    linesHtml(data, choice),
    `<p>${discretionary}</p></div>`,
  ].join('');
}

/** Sent to the page's own address. */
const findForm =
  `<form method="get" class="plain-search"><label>Rock number or address <input name="${findName}" maxlength="100"></label>` +
  '<button class="button button-stone">Find</button></form>';

function linesHtml(data: PayoutAnswer['data'], choice: LineChoice): string {
  const { id, total, page, pageSize, found, coin, asOf } = data;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const isNarrowed = choice.rock !== null || choice.address !== null;
  const toPage = (text: string, to: number): string =>
    to < 1 || to > last ? '' : linkHtml(`${payoutLink(id)}${searchOf({ ...choice, page: to })}`, text);
  const rows = found.map(({ address, name, rocks, raw, state, payments }) => [
    `<a class="link" href="/holders/${address}" title="${address}">${escapeHtml(name ?? shortAddress(address))}</a>`,
    rocks.join(', '),
    amount(raw, coin),
    lineStateText(state, asOf),
    payments.map(({ digest, explorerUrl }) => linkHtml(explorerUrl, digest.slice(0, 8))).join(', '),
  ]);
  return [
    findForm,
    choice.problem === null ? '' : `<p>${choice.problem}</p>`,
    isNarrowed || found.length === 0 ? `<p>${linkHtml(payoutLink(id), 'Show every line')}</p>` : '',
    found.length === 0
      ? '<p>The plan has no such line.</p>'
      : tableHtml('Who gets how much', ['Holder', 'Rocks', 'Amount', 'State', 'Transaction'], rows),
    last > 1 && found.length > 0
      ? `<p>Page ${page} of ${last} ${toPage('Previous', page - 1)} ${toPage('Next', page + 1)}</p>`
      : '',
  ].join('');
}

interface PayoutPageDeps {
  readonly productName: string;
  readonly explorerUrl: string;
  /** null: no such payout is published. */
  readonly answer: (id: number, choice: LineChoice) => PayoutAnswer | null;
}

/** /payouts/3, narrowed by what its form sends: `?find=12`. */
export const payoutPage = ({ productName, explorerUrl, answer }: PayoutPageDeps): ParameterPage => ({
  name: 'payout',
  find: (path, query) => {
    const id = payoutIdIn(path);
    return id === null
      ? null
      : `${id}${query === '' ? '' : narrowing(choiceIn(query), (choice) => answer(id, choice))}`;
  },
  countedAs: '/payouts/{id}',
  fillingOf: (named) => {
    const [digits = '', query = ''] = named.split('?');
    const choice = choiceIn(query);
    const found = answer(Number(digits), choice);
    if (found === null) return null;
    const { title, state, coin, totalRaw, id } = found.data;
    return {
      values: {
        payoutId: String(id),
        payoutTitle: `Payout ${id}: ${title} | ${productName}`,
        payoutDescription:
          `${stateNames[state]}: ${state === 'paid' ? paidText(found.data) : sharesText(found.data)}, ${amountText(totalRaw, coin)} in all. ` +
          `Anyone can check every line against the chain. ${discretionary}`,
      },
      blocks: { 'snapshot:payout': payoutNoscriptHtml(found, choice, explorerUrl) },
    };
  },
});

/** Whatever is typed: there are no more pages than lines, so nobody can fill the memory with pages of nothing. */
function narrowing(choice: LineChoice, answer: (choice: LineChoice) => PayoutAnswer | null): string {
  if (choice.problem !== null) return `?${findName}=-`;
  return answer(choice)?.data.found.length === 0 ? searchOf(noLine) : searchOf(choice);
}

const noLine = { ...everyLine, page: pageMax };
