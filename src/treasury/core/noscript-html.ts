import { escapeHtml } from '../../shared/escape-html.ts';
import type { NftHolding, Provenance, TokenHolding, TreasurySnapshot } from '../contract.ts';

/** Specification 2: tokens with a human balance of 0.001 or less are hidden in the list. */
const listedBalanceMin = 0.001;

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits });

const usd = (value: number | null): string => (value === null ? 'unavailable' : `$${number(value, 2)}`);
const sui = (value: number | null): string => (value === null ? 'unavailable' : `${number(value, 4)} SUI`);

/** `2026-11-20 20:33 UTC`: a page without scripts cannot count an age that goes on growing. */
const moment = (iso: string | null): string =>
  iso === null ? 'never read' : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const figure = (title: string, value: string, { state, asOf, source }: Provenance): string =>
  `<li>${title}: <strong>${escapeHtml(value)}</strong> (${state}, as of ${moment(asOf)}, source: ${escapeHtml(source)})</li>`;

const table = (caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => line(cells, 'td')).join('');
  return `<table><caption>${caption}</caption><thead>${line(head, 'th')}</thead><tbody>${body}</tbody></table>`;
};

const tokenRow = (token: TokenHolding): string[] => [
  token.symbol,
  number(token.humanBalance, 4),
  usd(token.usdValue),
  token.price === null ? 'unavailable' : `$${number(token.price, 4)}`,
  token.state,
];

const nftRow = (nft: NftHolding): string[] => [
  nft.collectionName,
  String(nft.count),
  nft.averagePriceSui === null ? 'unavailable' : number(nft.averagePriceSui, 4),
  usd(nft.totalValueUsd),
  nft.state,
];

/**
 * What stands inside `<noscript>` of /rockfolio: the last snapshot as text and tables, no links and no attributes, everything
 * from outside escaped. null: nothing was ever read, and nothing is made up.
 */
export const treasuryNoscriptHtml = (snapshot: TreasurySnapshot | null): string => {
  if (snapshot === null) return '<p>The treasury has not been read yet. Please reload in a minute.</p>';
  const { figures, uncountedTokens, uncountedNfts } = snapshot;
  const nftCount = snapshot.nftBreakdown.reduce((sum, row) => sum + row.count, 0);
  const apart = uncountedTokens.length + uncountedNfts.length;
  const listed = snapshot.tokenBreakdown.filter((token) => token.humanBalance > listedBalanceMin);
  return [
    '<ul>',
    figure('Total Value', usd(snapshot.totalUsdValue), figures.totalUsdValue),
    figure('SUI Holdings', sui(snapshot.balance?.balanceInSui ?? null), figures.balanceInSui),
    figure('NFT Holdings', `${nftCount} NFTs`, figures.nftHoldings),
    '</ul>',
    `<p>Treasury wallet: ${escapeHtml(snapshot.treasuryAddress)}</p>`,
    table('Token holdings', ['Symbol', 'Balance', 'USD value', 'Unit price', 'State'], listed.map(tokenRow)),
    `<p>Total NFT value: ${sui(snapshot.nftTotalValueSui)}, ${usd(snapshot.nftTotalValueUsd)}</p>`,
    table(
      'NFT holdings',
      ['Collection', 'Count', 'Avg Price (SUI)', 'Total Value (USD)', 'State'],
      snapshot.nftBreakdown.map(nftRow),
    ),
    apart === 0 ? '' : `<p>${apart} unpriced or unverified holdings are not counted.</p>`,
  ].join('');
};
