import { type Cell, momentHtml, tableHtml } from '../http/ready/noscript-parts.ts';
import { escapeHtml, foreignText } from '../shared/foreign-text.ts';
import { sourceInWords } from '../shared/source-status.ts';
import type { Provenance, TreasurySnapshot } from './contract.ts';
import {
  averagePriceMeaning,
  nftCountText,
  nftRows,
  shownTokenTotal,
  type SumLine,
  type TokenRow,
  tokenRows,
  totalNftCount,
  unlistedLine,
} from './web/holdings-rows.ts';
import {
  formatAveragePrice,
  formatBalance,
  formatCount,
  formatSui,
  formatUnitPrice,
  formatUsd,
} from './web/number-format.ts';
import type { ShownNft } from './web/treasury-answer.ts';

const moment = (iso: string | null): string => (iso === null ? 'never read' : `as of ${momentHtml(iso)}`);

const figure = (title: string, value: string, { state, asOf, source }: Provenance): string =>
  `<li>${title}: <strong>${escapeHtml(value)}</strong> (${state}, ${moment(asOf)}, source: ${escapeHtml(sourceInWords(source))})</li>`;

/** What stands inside `<noscript>` of home: the total alone. Empty while nothing was read. */
export const treasuryValueHtml = (snapshot: TreasurySnapshot | null): string =>
  snapshot === null
    ? ''
    : `<ul>${figure('Total Value', formatUsd(snapshot.totalUsdValue), snapshot.figures.totalUsdValue)}</ul>`;

const figureCell = (text: string): Cell => ({ figure: escapeHtml(text) });

const holdingsTable = (caption: string, head: readonly Cell[], rows: readonly (readonly Cell[])[]): string =>
  rows.length === 0 ? '' : tableHtml(caption, head, rows);

const tokenHead: readonly Cell[] = [
  'Symbol',
  figureCell('Rank'),
  figureCell('Balance'),
  figureCell('USD value'),
  figureCell('Unit price'),
  'State',
];

const tokenCells = ({ rank, token }: TokenRow): Cell[] => [
  escapeHtml(foreignText(token.symbol, 12)),
  figureCell(`#${rank}`),
  figureCell(formatBalance(token.humanBalance)),
  figureCell(formatUsd(token.usdValue)),
  figureCell(formatUnitPrice(token.price)),
  escapeHtml(token.state ?? ''),
];

const nftHead: readonly Cell[] = [
  'Collection',
  figureCell('Count'),
  figureCell('Avg Price (SUI)'),
  figureCell('Total Value (USD)'),
  'State',
];

const nftCells = (nft: ShownNft): Cell[] => [
  escapeHtml(foreignText(nft.collectionName, 40)),
  figureCell(formatCount(nft.count)),
  figureCell(formatAveragePrice(nft.averagePriceSui)),
  figureCell(formatUsd(nft.totalValueUsd)),
  escapeHtml(nft.state ?? ''),
];

const walletLine = ({ treasuryAddress, explorerUrl }: TreasurySnapshot): string =>
  `<p>Treasury wallet: <a class="link" href="${escapeHtml(explorerUrl)}" rel="noreferrer">${escapeHtml(treasuryAddress)}</a></p>`;

/** Under a table: what is not in its rows, so that they add up to the total. */
const sumLine = (line: SumLine | null): string =>
  line === null ? '' : `<p>${line.name}${line.text === '' ? '.' : `: <strong>${line.text}</strong>`}</p>`;

/** The downloads of the page and what was paid out are drawn by scripts. */
const linksLine =
  '<p>The whole snapshot as a file: <a class="link" href="/api/treasury/export.csv" download>CSV</a>, ' +
  '<a class="link" href="/api/treasury/export.json" download>JSON</a>. ' +
  'What was distributed so far: <a class="link" href="/payouts">payouts</a>.</p>';

/**
 * What stands inside `<noscript>` of /rockfolio: the last snapshot as text and tables, written as the page with scripts
 * writes it. Everything from outside is escaped and no link is made of it. null: nothing was ever read, and nothing is made up.
 */
export const treasuryNoscriptHtml = (snapshot: TreasurySnapshot | null): string => {
  if (snapshot === null) return '<p>The treasury has not been read yet. Please reload in a minute.</p>';
  const { figures } = snapshot;
  const apart = snapshot.uncountedTokenCount + snapshot.uncountedNftCollectionCount;
  const { rows, hiddenCount } = tokenRows(snapshot.tokenBreakdown);
  const nfts = nftRows(snapshot.nftBreakdown);
  const tokenTotal = shownTokenTotal(snapshot);
  return [
    '<ul>',
    figure('Total Value', formatUsd(snapshot.totalUsdValue), figures.totalUsdValue),
    figure('SUI Holdings', formatSui(snapshot.balance?.balanceInSui ?? null), figures.balanceInSui),
    figure('NFT Holdings', nftCountText(totalNftCount(snapshot.nftBreakdown) ?? 0), figures.nftHoldings),
    '</ul>',
    walletLine(snapshot),
    holdingsTable('Token holdings', tokenHead, rows.map(tokenCells)),
    sumLine(unlistedLine({ values: rows.map(({ token }) => token.usdValue), total: tokenTotal, hiddenCount })),
    sumLine(tokenTotal === null ? null : { name: 'All tokens', text: formatUsd(tokenTotal) }),
    '<ul>',
    figure('Total NFT Value (SUI)', formatSui(snapshot.nftTotalValueSui), figures.nftTotalValueSui),
    figure('Total NFT Value (USD)', formatUsd(snapshot.nftTotalValueUsd), figures.nftTotalValueUsd),
    '</ul>',
    holdingsTable('NFT holdings', nftHead, nfts.map(nftCells)),
    sumLine(unlistedLine({ values: nfts.map(({ totalValueUsd }) => totalValueUsd), total: snapshot.nftTotalValueUsd })),
    nfts.length === 0 ? '' : `<p>Avg Price: ${escapeHtml(averagePriceMeaning)}</p>`,
    apart === 0
      ? ''
      : `<p>${formatCount(apart)} unpriced or unverified ${apart === 1 ? 'holding is' : 'holdings are'} not counted.</p>`,
    linksLine,
  ].join('');
};
