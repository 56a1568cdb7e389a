import type { UncountedNfts, UncountedReason } from '../contract.ts';

/** Rulings R3: why a token is listed apart. */
export const tokenReasonWords: Readonly<Record<UncountedReason, string>> = {
  'no-metadata': 'The chain publishes no name or decimals for it.',
  impersonator: 'Uses the symbol of a known coin under another type.',
  unpriced: 'No source knows a price.',
  'low-confidence': 'The price source is not sure enough (below 0.9).',
};

/** Why NFTs are listed apart. */
export const nftReasonWords: Readonly<Record<UncountedNfts['reason'], string>> = {
  'unverified-collection': 'The marketplace has not verified this collection.',
  'not-on-marketplace': 'The marketplace does not know this collection.',
  'no-floor': 'The marketplace has no floor price for it.',
};
