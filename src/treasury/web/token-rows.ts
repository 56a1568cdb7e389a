import type { ShownToken } from './treasury-answer.ts';

/** Specification 9: balances at or below this many whole tokens are hidden. They still count in the total. */
const hiddenAtOrBelow = 0.001;

export interface TokenRow<Token extends ShownToken = ShownToken> {
  /** 1 is the most valuable. */
  readonly rank: number;
  readonly token: Token;
}

/** Specification 2: which tokens are listed, by USD value, highest first; equal and unknown values by symbol. */
export function tokenRows<Token extends ShownToken>(
  tokens: readonly Token[],
): {
  readonly rows: readonly TokenRow<Token>[];
  readonly hiddenCount: number;
} {
  const shown = tokens.filter(({ humanBalance }) => humanBalance === null || humanBalance > hiddenAtOrBelow);
  const sorted = shown.toSorted(
    (a, b) => (b.usdValue ?? -1) - (a.usdValue ?? -1) || (a.symbol ?? '').localeCompare(b.symbol ?? '', 'en'),
  );
  return {
    rows: sorted.map((token, index) => ({ rank: index + 1, token })),
    hiddenCount: tokens.length - shown.length,
  };
}

/** Says what the list leaves out, so that the rows shown and the total can be reconciled. */
export const hiddenTokensNote = (count: number): string =>
  count === 1
    ? '1 small balance is counted but not listed (0.001 tokens or less)'
    : `${count} small balances are counted but not listed (0.001 tokens or less each)`;
