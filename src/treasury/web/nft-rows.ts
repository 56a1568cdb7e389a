import { formatCount } from './number-format.ts';
import type { ShownNft } from './treasury-answer.ts';

/** Rulings R3: what the specified column 'Avg Price (SUI)' means. */
export const averagePriceMeaning =
  'The floor price of the collection: the lowest price asked right now. Purchase prices are not tracked here yet.';

/** Specification 2: by USD value, highest first; collections without a value last, by name. */
export const nftRows = (holdings: readonly ShownNft[]): readonly ShownNft[] =>
  holdings.toSorted(
    (a, b) =>
      (b.totalValueUsd ?? -1) - (a.totalValueUsd ?? -1) ||
      (a.collectionName ?? '').localeCompare(b.collectionName ?? '', 'en'),
  );

/** Of all collections that count in the treasury's value; null: of none the count is known, though there are some. */
export const totalNftCount = (holdings: readonly Pick<ShownNft, 'count'>[]): number | null => {
  const counts = holdings.flatMap(({ count }) => count ?? []);
  return counts.length < holdings.length ? null : counts.reduce((sum, count) => sum + count, 0);
};

/** `3 NFTs`, `1 NFT`. */
export const nftCountText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'NFT' : 'NFTs'}`;

type Places = Pick<ShownNft, 'count' | 'kioskCount' | 'listedCount'>;

/** Where the NFTs of a row are: `12 in kiosks, 3 of them listed`. What is not known is left out. */
export function whereHeld({ count, kioskCount, listedCount }: Places): string {
  const direct = count === null || kioskCount === null ? 0 : count - kioskCount;
  const places = [
    direct > 0 ? `${formatCount(direct)} in the wallet` : '',
    (kioskCount ?? 0) > 0 ? `${formatCount(kioskCount)} in kiosks` : '',
    (listedCount ?? 0) > 0 ? `${formatCount(listedCount)} listed` : '',
  ];
  return places.filter((place) => place !== '').join(', ');
}
