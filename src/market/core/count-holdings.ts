import type { DirectObject, KioskItem } from '../ports.ts';
import { countsAsNft, mayBeCollected } from './counts-as-nft.ts';

/** One collection's share of a wallet. */
export interface HeldCollection {
  /** Canonical NFT type. */
  readonly collectionType: string;
  readonly count: number;
  readonly kioskCount: number;
  readonly listedCount: number;
}

interface Counted {
  readonly collectionType: string;
  readonly isInKiosk: boolean;
  readonly isListed: boolean;
}

/**
 * Each NFT once, by its id: one that moved while the wallet was read may have been seen in two places, and two caps may
 * open the same kiosk. Sorted by type, so that equal holdings are equal lists.
 */
export function countHoldings(
  direct: readonly DirectObject[],
  kiosks: readonly (readonly KioskItem[])[],
  capTypes: readonly string[],
): readonly HeldCollection[] {
  const nfts = new Map<string, Counted>();
  for (const object of direct) {
    if (!countsAsNft(object, capTypes)) continue;
    nfts.set(object.objectId, { collectionType: object.objectType, isInKiosk: false, isListed: false });
  }
  for (const { objectId, objectType, isListed } of kiosks.flat()) {
    if (mayBeCollected(objectType)) nfts.set(objectId, { collectionType: objectType, isInKiosk: true, isListed });
  }
  const held = Map.groupBy(nfts.values(), ({ collectionType }) => collectionType);
  return [...held]
    .map(([collectionType, all]) => ({
      collectionType,
      count: all.length,
      kioskCount: all.filter(({ isInKiosk }) => isInKiosk).length,
      listedCount: all.filter(({ isListed }) => isListed).length,
    }))
    .sort((one, other) => (one.collectionType < other.collectionType ? -1 : 1));
}
