import { withCommas } from '../../shared/money.ts';

/**
 * How many uncounted tokens and NFT collections (each) are listed: in the answer, on the page and in the downloads. Anyone can send
 * worthless coins by the thousand, and they must not make the answers large. The rest is only a number.
 */
export const uncountedListMax = 100;

interface Uncounted {
  readonly uncountedTokens: readonly unknown[];
  readonly uncountedTokenCount: number | null;
  readonly uncountedNfts: readonly unknown[];
  readonly uncountedNftCollectionCount: number | null;
}

interface Rest {
  readonly of: 'tokens' | 'nfts';
  readonly count: number;
  /** '2,900 more tokens are neither counted nor listed. …' */
  readonly text: string;
}

/** What the lists leave out, in words. An unknown count adds no sentence. */
export const restOfUncounted = (uncounted: Uncounted): readonly Rest[] => {
  const tokens = (uncounted.uncountedTokenCount ?? 0) - uncounted.uncountedTokens.length;
  const nfts = (uncounted.uncountedNftCollectionCount ?? 0) - uncounted.uncountedNfts.length;
  const rests: Rest[] = [
    { of: 'tokens', count: tokens, text: `${moreOf(tokens, 'token')}. Possible impersonators are listed first.` },
    { of: 'nfts', count: nfts, text: `${moreOf(nfts, 'NFT collection')}. The largest are listed.` },
  ];
  return rests.filter(({ count }) => count > 0);
};

const moreOf = (count: number, one: string): string =>
  count === 1
    ? `1 more ${one} is neither counted nor listed`
    : `${withCommas(String(count))} more ${one}s are neither counted nor listed`;
