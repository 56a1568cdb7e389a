import type { NftHolding } from '../contract.ts';
import { formatCount } from './number-format.ts';

/** Rulings R3: what the specified column 'Avg Price (SUI)' means. */
export const averagePriceMeaning =
  'The floor price of the collection: what the cheapest listed one asks right now. What the treasury paid is not recorded on chain.';

/** Specification 2: by USD value, highest first; collections without a value last, by name. */
export const nftRows = (holdings: readonly NftHolding[]): readonly NftHolding[] =>
  holdings.toSorted(
    (a, b) =>
      (b.totalValueUsd ?? -1) - (a.totalValueUsd ?? -1) || a.collectionName.localeCompare(b.collectionName, 'en'),
  );

/** Of all collections that count in the treasury's value. */
export const totalNftCount = (holdings: readonly NftHolding[]): number =>
  holdings.reduce((sum, { count }) => sum + count, 0);

/** `3 NFTs`, `1 NFT`. */
export const nftCountText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'NFT' : 'NFTs'}`;

/** Where the NFTs of a row are: `12 in kiosks, 3 of them listed`. */
export function whereHeld(holding: NftHolding): string {
  const direct = holding.count - holding.kioskCount;
  const places = [
    direct > 0 ? `${formatCount(direct)} in the wallet` : '',
    holding.kioskCount > 0 ? `${formatCount(holding.kioskCount)} in kiosks` : '',
    holding.listedCount > 0 ? `${formatCount(holding.listedCount)} listed` : '',
  ];
  return places.filter((place) => place !== '').join(', ');
}
