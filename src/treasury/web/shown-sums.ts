import { decimalText } from '../../ui/decimal-text.ts';
import { formatUsd } from './number-format.ts';
import { hiddenTokensNote } from './token-rows.ts';

/** USD as whole cents, rounded as the page writes them: what is shown is what is added up. */
const shownCents = (usd: number): number =>
  Math.round(Number(decimalText(usd, { min: 2, max: 2 }).replaceAll(',', '')) * 100);

interface Totals {
  readonly totalUsdValue: number | null;
  readonly nftTotalValueUsd: number | null;
  readonly tokenTotalUsd: number | null;
}

/**
 * The tokens' total as it is shown, in USD: what Total Value leaves beside the NFTs, where that is the same but for rounding. So the
 * totals on the page add up to the cent, each of them at most one cent from the exact figure in the downloads.
 */
export function shownTokenTotal({ totalUsdValue, nftTotalValueUsd, tokenTotalUsd }: Totals): number | null {
  if (tokenTotalUsd === null || totalUsdValue === null) return tokenTotalUsd;
  const rest = shownCents(totalUsdValue) - shownCents(nftTotalValueUsd ?? 0);
  return Math.abs(rest - shownCents(tokenTotalUsd)) <= 1 ? rest / 100 : tokenTotalUsd;
}

interface Listed {
  /** Of the rows shown; null: a row without a value. */
  readonly values: readonly (number | null)[];
  readonly total: number | null;
  readonly hiddenCount?: number;
}

export interface SumLine {
  readonly name: string;
  readonly text: string;
}

/** What has to be added to the rows shown so that they make the total shown, to the cent; null: nothing, or no total is known. */
export function unlistedLine({ values, total, hiddenCount = 0 }: Listed): SumLine | null {
  if (total === null) return hiddenCount === 0 ? null : { name: hiddenTokensNote(hiddenCount), text: '' };
  const known = values.flatMap((usd) => (usd === null ? [] : [shownCents(usd)]));
  const cents = shownCents(total) - known.reduce((sum, value) => sum + value, 0);
  const text = cents === 0 ? '$0' : formatUsd(cents / 100);
  if (hiddenCount > 0) return { name: `${hiddenTokensNote(hiddenCount)}, and rounding`, text };
  if (cents === 0) return null;
  return { name: Math.abs(cents) <= (known.length + 1) / 2 ? 'Rounding' : 'Not in the rows above', text };
}
