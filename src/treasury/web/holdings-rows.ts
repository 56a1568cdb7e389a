import { foreignText } from '../../shared/foreign-text.ts';
import { decimalText } from '../../ui/decimal-text.ts';
import type { UncountedNfts, UncountedReason } from '../contract.ts';
import { formatCount, formatUsd } from './number-format.ts';
import type { ShownNft, ShownToken } from './treasury-answer.ts';

/** Specification 9: balances at or below this many whole tokens are hidden. They still count in the total. */
const hiddenAtOrBelow = 0.001;

export interface TokenRow {
  readonly rank: number;
  readonly token: ShownToken;
}

/** Specification 2: which tokens are listed, by USD value, highest first; equal and unknown values by symbol. */
export function tokenRows(tokens: readonly ShownToken[]) {
  const shown = tokens.filter(({ humanBalance }) => humanBalance === null || humanBalance > hiddenAtOrBelow);
  const sorted = shown.toSorted(
    (a, b) => (b.usdValue ?? -1) - (a.usdValue ?? -1) || (a.symbol ?? '').localeCompare(b.symbol ?? '', 'en'),
  );
  return {
    rows: sorted.map((token, index): TokenRow => ({ rank: index + 1, token })),
    hiddenCount: tokens.length - shown.length,
  };
}

/** Says what the list leaves out, so that the rows shown and the total can be reconciled. */
export const hiddenTokensNote = (count: number): string =>
  count === 1
    ? '1 small balance is counted but not listed (0.001 tokens or less)'
    : `${count} small balances are counted but not listed (0.001 tokens or less each)`;

/** Rulings R3: what the specified column 'Avg Price (SUI)' means. */
export const averagePriceMeaning =
  'The floor price of the collection: the lowest price asked right now. What was paid is under Sweeps.';

/** Specification 2: by USD value, highest first; collections without a value last, by name. */
export const nftRows = (holdings: readonly ShownNft[]): readonly ShownNft[] =>
  holdings.toSorted(
    (a, b) =>
      (b.totalValueUsd ?? -1) - (a.totalValueUsd ?? -1) ||
      (a.collectionName ?? '').localeCompare(b.collectionName ?? '', 'en'),
  );

/** Over all collections that count in the treasury's value; null: a count is unknown. */
export const totalNftCount = (holdings: readonly Pick<ShownNft, 'count'>[]): number | null => {
  const counts = holdings.flatMap(({ count }) => count ?? []);
  return counts.length < holdings.length ? null : counts.reduce((sum, count) => sum + count, 0);
};

export const nftCountText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'NFT' : 'NFTs'}`;

/** Where the NFTs of a row are: `12 in kiosks, 3 listed`. Unknown counts are left out. */
export function whereHeld({ count, kioskCount, listedCount }: ShownNft): string {
  const direct = count === null || kioskCount === null ? 0 : count - kioskCount;
  const places = [
    [direct, 'in the wallet'],
    [kioskCount ?? 0, 'in kiosks'],
    [listedCount ?? 0, 'listed'],
  ] as const;
  return places
    .filter(([held]) => held > 0)
    .map(([held, where]) => `${formatCount(held)} ${where}`)
    .join(', ');
}

/** USD as whole cents, rounded as on the page, so that the figures shown are the ones added up. */
const shownCents = (usd: number): number =>
  Math.round(Number(decimalText(usd, { min: 2, max: 2 }).replaceAll(',', '')) * 100);

type Totals = Readonly<Record<'totalUsdValue' | 'nftTotalValueUsd' | 'tokenTotalUsd', number | null>>;

/**
 * The token total to show, in USD: Total Value minus the NFTs, if that differs only by rounding. So the totals on the page add up to the
 * cent, and each is at most one cent from the exact figure in the downloads.
 */
export function shownTokenTotal({ totalUsdValue, nftTotalValueUsd, tokenTotalUsd }: Totals): number | null {
  if (tokenTotalUsd === null || totalUsdValue === null) return tokenTotalUsd;
  const rest = shownCents(totalUsdValue) - shownCents(nftTotalValueUsd ?? 0);
  return Math.abs(rest - shownCents(tokenTotalUsd)) <= 1 ? rest / 100 : tokenTotalUsd;
}

interface Listed {
  /** Values of the rows shown; null: a row without a value. */
  readonly values: readonly (number | null)[];
  readonly total: number | null;
  readonly hiddenCount?: number;
}

export interface SumLine {
  readonly name: string;
  readonly text: string;
}

/** The line that makes the rows shown add up to the total shown, to the cent; null: not needed, or the total is unknown. */
export function unlistedLine({ values, total, hiddenCount = 0 }: Listed): SumLine | null {
  if (total === null) return hiddenCount === 0 ? null : { name: hiddenTokensNote(hiddenCount), text: '' };
  const known = values.flatMap((usd) => (usd === null ? [] : [shownCents(usd)]));
  const cents = shownCents(total) - known.reduce((sum, value) => sum + value, 0);
  const text = cents === 0 ? '$0' : formatUsd(cents / 100);
  if (hiddenCount > 0) return { name: `${hiddenTokensNote(hiddenCount)}, and rounding`, text };
  if (cents === 0) return null;
  return { name: Math.abs(cents) <= (known.length + 1) / 2 ? 'Rounding' : 'Not in the rows above', text };
}

/** Rulings R3: why a token is listed separately. */
export const tokenReasonWords: Readonly<Record<UncountedReason, string>> = {
  'no-metadata': 'The chain publishes no name or decimals for it.',
  impersonator: 'Uses the symbol of a known coin under another type.',
  unpriced: 'No source knows a price.',
  'low-confidence': 'The price source is not sure enough (below 0.9).',
};

export const nftReasonWords: Readonly<Record<UncountedNfts['reason'], string>> = {
  'unverified-collection': 'The marketplace has not verified this collection.',
  'not-on-marketplace': 'The marketplace does not know this collection.',
  'no-floor': 'The marketplace has no floor price for it.',
};

/** The letter on a token's generated mark; a foreign image is never loaded. */
export function iconLetter(symbol: string | null): string {
  const letter = /[\p{L}\p{N}]/u.exec(foreignText(symbol, 16))?.[0] ?? '?';
  return symbol === null || symbol.trim() === '' ? '?' : letter.toUpperCase();
}

/** `0x1234…abcd::sui::SUI`: an address or type short enough for a line, both ends kept. */
export function abbreviatedType(coinType: string): string {
  const [address = '', ...rest] = coinType.split('::');
  const short = address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
  return foreignText([short, ...rest].join('::'), 44);
}
