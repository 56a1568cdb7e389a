import type { HeldPiece } from '../contract.ts';
import { isOfType } from '../core/held-type.ts';
import { findParents } from './find-parents.ts';
import type { LearnedStore } from './learned-store.ts';
import type { MarketPieceNow, OwnerReader } from './ownership-ports.ts';

/**
 * Which of the pieces that the marketplace has for sale for a wallet are truly the wallet's: they exist, are of the type, and
 * lie in an object that is no kiosk (what is in one is told by its caps). One that came back meanwhile lies in the wallet.
 * Throws Unavailable.
 */
export async function confirmForSale(
  deps: { readonly reader: OwnerReader; readonly store: LearnedStore },
  { nftType, wallet }: { readonly nftType: string; readonly wallet: string },
  forSale: readonly MarketPieceNow[],
  stop?: AbortSignal,
): Promise<readonly HeldPiece[]> {
  if (forSale.length === 0) return [];
  const owners = await deps.reader.readOwners(
    forSale.map(({ objectId }) => objectId),
    stop,
  );
  const inFields = forSale.flatMap(({ objectId }) => {
    const owner = owners.get(objectId)?.owner;
    return owner?.kind === 'object' ? [{ objectId, fieldId: owner.objectId }] : [];
  });
  const parents = await findParents(deps, inFields, stop);
  return forSale.flatMap(({ objectId, name, listPriceMist }): HeldPiece[] => {
    const object = owners.get(objectId);
    if (object === undefined || !isOfType(nftType, object.objectType)) return [];
    const piece = { objectId, name, kioskId: null, isLocked: false };
    if (object.owner.kind === 'wallet') {
      const isBack = object.owner.address === wallet;
      return isBack ? [{ ...piece, place: 'wallet', isListed: false, listPriceMist: null }] : [];
    }
    const parent = object.owner.kind === 'object' ? parents.get(object.owner.objectId) : undefined;
    if (parent === undefined || parent.isKiosk) return [];
    return [{ ...piece, place: 'marketplace', isListed: true, listPriceMist }];
  });
}
