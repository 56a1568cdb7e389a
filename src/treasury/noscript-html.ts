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
  exactPriceHiddenByRounding,
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

/** Content of `<noscript>` on the home page: the total alone. Empty before the first reading. */
export const treasuryValueHtml = (snapshot: TreasurySnapshot | null): string =>
  snapshot === null
    ? ''
    : `<ul>${figure('Total Value', formatUsd(snapshot.totalUsdValue), snapshot.figures.totalUsdValue)}</ul>`;

interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly isFigure?: boolean;
}

function holdingsTable<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const cell = ({ isFigure = false }: Column<Row>, text: string): Cell =>
    isFigure ? { figure: escapeHtml(text) } : escapeHtml(text);
  return tableHtml(
    caption,
    columns.map((column) => cell(column, column.head)),
    rows.map((row) => columns.map((column) => cell(column, column.text(row)))),
  );
}

function unitPriceText(price: number | null): string {
  const exact = exactPriceHiddenByRounding(price);
  return `${formatUnitPrice(price)}${exact === null ? '' : ` (${exact} unrounded)`}`;
}

const tokenColumns: readonly Column<TokenRow>[] = [
  { head: 'Symbol', text: ({ token }) => foreignText(token.symbol, 12) },
  { head: 'Rank', text: ({ rank }) => `#${rank}`, isFigure: true },
  { head: 'Balance', text: ({ token }) => formatBalance(token.humanBalance), isFigure: true },
  { head: 'USD value', text: ({ token }) => formatUsd(token.usdValue), isFigure: true },
  { head: 'Unit price', text: ({ token: { price } }) => unitPriceText(price), isFigure: true },
  { head: 'State', text: ({ token }) => token.state ?? '' },
];

const nftColumns: readonly Column<ShownNft>[] = [
  { head: 'Collection', text: ({ collectionName }) => foreignText(collectionName, 40) },
  { head: 'Count', text: ({ count }) => formatCount(count), isFigure: true },
  { head: 'Avg Price (SUI)', text: ({ averagePriceSui }) => formatAveragePrice(averagePriceSui), isFigure: true },
  { head: 'Total Value (USD)', text: ({ totalValueUsd }) => formatUsd(totalValueUsd), isFigure: true },
  { head: 'State', text: ({ state }) => state ?? '' },
];

const walletLine = ({ treasuryAddress, explorerUrl }: TreasurySnapshot): string =>
  `<p>Treasury wallet: <a class="link" href="${escapeHtml(explorerUrl)}" rel="noreferrer">${escapeHtml(treasuryAddress)}</a></p>`;

/** Line under a table: what its rows leave out, so that they add up to the total. */
const sumLine = (line: SumLine | null): string =>
  line === null ? '' : `<p>${line.name}${line.text === '' ? '.' : `: <strong>${line.text}</strong>`}</p>`;

/** On the page itself, scripts draw the downloads and the payouts. */
const linksLine =
  '<p>The whole snapshot as a file: <a class="link" href="/api/treasury/export.csv" download>CSV</a>, ' +
  '<a class="link" href="/api/treasury/export.json" download>JSON</a>. ' +
  'What has been distributed so far: <a class="link" href="/payouts">payouts</a>.</p>';

/**
 * Content of `<noscript>` on /rockfolio: the last snapshot as text and tables, formatted as on the page with scripts.
 * Foreign text is escaped and never becomes a link. null: never read.
 */
export const treasuryNoscriptHtml = (snapshot: TreasurySnapshot | null): string => {
  if (snapshot === null) return '<p>The treasury has not been read yet. Please reload in a minute.</p>';
  const { figures } = snapshot;
  const uncounted = snapshot.uncountedTokenCount + snapshot.uncountedNftCollectionCount;
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
    holdingsTable('Token holdings', tokenColumns, rows),
    sumLine(unlistedLine({ values: rows.map(({ token }) => token.usdValue), total: tokenTotal, hiddenCount })),
    sumLine(tokenTotal === null ? null : { name: 'All tokens', text: formatUsd(tokenTotal) }),
    '<ul>',
    figure('Total NFT Value (SUI)', formatSui(snapshot.nftTotalValueSui), figures.nftTotalValueSui),
    figure('Total NFT Value (USD)', formatUsd(snapshot.nftTotalValueUsd), figures.nftTotalValueUsd),
    '</ul>',
    holdingsTable('NFT holdings', nftColumns, nfts),
    sumLine(unlistedLine({ values: nfts.map(({ totalValueUsd }) => totalValueUsd), total: snapshot.nftTotalValueUsd })),
    nfts.length === 0 ? '' : `<p>Avg Price: ${escapeHtml(averagePriceMeaning)}</p>`,
    uncounted === 0
      ? ''
      : `<p>${formatCount(uncounted)} unpriced or unverified ${uncounted === 1 ? 'holding is' : 'holdings are'} not counted.</p>`,
    linksLine,
  ].join('');
};
