import { escapeHtml } from '../shared/escape-html.ts';
import type { Provenance, TreasurySnapshot } from './contract.ts';
import { foreignText } from '../shared/foreign-text.ts';
import { sourceInWords } from '../shared/source-names.ts';
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

/** `2026-11-20 20:33 UTC`: a page without scripts cannot count an age that goes on growing. */
const moment = (iso: string | null): string =>
  iso === null ? 'never read' : `as of ${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const figure = (title: string, value: string, { state, asOf, source }: Provenance): string =>
  `<li>${title}: <strong>${escapeHtml(value)}</strong> (${state}, ${moment(asOf)}, source: ${escapeHtml(sourceInWords(source))})</li>`;

/** What stands inside `<noscript>` of home: the total alone. Empty while nothing was read. */
export const treasuryValueHtml = (snapshot: TreasurySnapshot | null): string =>
  snapshot === null
    ? ''
    : `<ul>${figure('Total Value', formatUsd(snapshot.totalUsdValue), snapshot.figures.totalUsdValue)}</ul>`;

/** A cell in the look of the page's own tables; figures stand to the right and never break (design: figures.css). */
interface Cell {
  readonly text: string;
  readonly numeric?: boolean;
}

const figureCell = (text: string): Cell => ({ text, numeric: true });

type Scope = 'col' | 'row' | null;

const cell = ({ text, numeric = false }: Cell, scope: Scope): string => {
  const tag = scope === null ? 'td' : 'th';
  const attributes = (scope === null ? '' : ` scope="${scope}"`) + (numeric ? ' class="numeric"' : '');
  return `<${tag}${attributes}>${escapeHtml(text)}</${tag}>`;
};

const line = (cells: readonly Cell[], scopeOf: (index: number) => Scope): string =>
  `<tr>${cells.map((each, index) => cell(each, scopeOf(index))).join('')}</tr>`;

/** The first column heads each row. Scrolls inside itself on a small screen, by keyboard too. */
const table = (caption: string, head: readonly Cell[], rows: readonly (readonly Cell[])[]): string => {
  if (rows.length === 0) return '';
  const body = rows.map((cells) => line(cells, (index) => (index === 0 ? 'row' : null))).join('');
  return (
    `<section class="table-scroll" aria-label="${caption}" tabindex="0"><table class="table"><caption>${caption}</caption>` +
    `<thead>${line(head, () => 'col')}</thead><tbody>${body}</tbody></table></section>`
  );
};

const tokenHead: readonly Cell[] = [
  { text: 'Symbol' },
  figureCell('Rank'),
  figureCell('Balance'),
  figureCell('USD value'),
  figureCell('Unit price'),
  { text: 'State' },
];

const tokenCells = ({ rank, token }: TokenRow): Cell[] => [
  { text: foreignText(token.symbol, 12) },
  figureCell(`#${rank}`),
  figureCell(formatBalance(token.humanBalance)),
  figureCell(formatUsd(token.usdValue)),
  figureCell(formatUnitPrice(token.price)),
  { text: token.state ?? '' },
];

const nftHead: readonly Cell[] = [
  { text: 'Collection' },
  figureCell('Count'),
  figureCell('Avg Price (SUI)'),
  figureCell('Total Value (USD)'),
  { text: 'State' },
];

const nftCells = (nft: ShownNft): Cell[] => [
  { text: foreignText(nft.collectionName, 40) },
  figureCell(formatCount(nft.count)),
  figureCell(formatAveragePrice(nft.averagePriceSui)),
  figureCell(formatUsd(nft.totalValueUsd)),
  { text: nft.state ?? '' },
];

const walletLine = ({ treasuryAddress, explorerUrl }: TreasurySnapshot): string =>
  `<p>Treasury wallet: <a class="link" href="${escapeHtml(explorerUrl)}" rel="noreferrer">${escapeHtml(treasuryAddress)}</a></p>`;

/** Under a table: what is not in its rows, so that they add up to the total. */
const sumLine = (line: SumLine | null): string =>
  line === null ? '' : `<p>${line.name}${line.text === '' ? '.' : `: <strong>${line.text}</strong>`}</p>`;

/** The downloads of the page are drawn by scripts. */
const downloadsLine =
  '<p>The whole snapshot as a file: <a class="link" href="/api/treasury/export.csv" download>CSV</a>, ' +
  '<a class="link" href="/api/treasury/export.json" download>JSON</a>.</p>';

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
    table('Token holdings', tokenHead, rows.map(tokenCells)),
    sumLine(unlistedLine({ values: rows.map(({ token }) => token.usdValue), total: tokenTotal, hiddenCount })),
    sumLine(tokenTotal === null ? null : { name: 'All tokens', text: formatUsd(tokenTotal) }),
    '<ul>',
    figure('Total NFT Value (SUI)', formatSui(snapshot.nftTotalValueSui), figures.nftTotalValueSui),
    figure('Total NFT Value (USD)', formatUsd(snapshot.nftTotalValueUsd), figures.nftTotalValueUsd),
    '</ul>',
    table('NFT holdings', nftHead, nfts.map(nftCells)),
    sumLine(unlistedLine({ values: nfts.map(({ totalValueUsd }) => totalValueUsd), total: snapshot.nftTotalValueUsd })),
    nfts.length === 0 ? '' : `<p>Avg Price: ${escapeHtml(averagePriceMeaning)}</p>`,
    apart === 0
      ? ''
      : `<p>${formatCount(apart)} unpriced or unverified ${apart === 1 ? 'holding is' : 'holdings are'} not counted.</p>`,
    downloadsLine,
  ].join('');
};
