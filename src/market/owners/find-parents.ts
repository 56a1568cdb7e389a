import type { MarketPiece } from '../../sources/tradeport/nfts.ts';
import type { HeldPiece } from '../contract.ts';
import { isOfType } from '../core/held-type.ts';
import type { FieldParent } from '../core/owner-table.ts';
import type { LearnedStore } from './learned-store.ts';
import type { OwnerReader } from './owner-reader.ts';

interface InField {
  readonly objectId: string;
  readonly fieldId: string;
}

/**
 * The parents of these fields, from what was learned and, for the rest, from the chain. Absent: no field, or it is gone because
 * the piece moved meanwhile. A field's id is made from its parent and its key, so its parent never changes, and a key that only
 * kiosks use proves a kiosk. Throws Unavailable.
 */
export async function findParents(
  { reader, store }: { readonly reader: OwnerReader; readonly store: LearnedStore },
  pieces: readonly InField[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, FieldParent>> {
  const known = await store.parentsOf(pieces.map(({ fieldId }) => fieldId));
  const unknown = pieces.filter(({ fieldId }) => !known.has(fieldId));
  if (unknown.length === 0) return known;
  const fields = await reader.readOwners(
    unknown.map(({ fieldId }) => fieldId),
    stop,
  );
  const learned = unknown.flatMap(({ objectId, fieldId }): FieldParent[] => {
    const owner = fields.get(fieldId)?.owner;
    if (owner?.kind !== 'object') return [];
    const { objectId: parentId } = owner;
    return [{ fieldId, parentId, isKiosk: reader.kioskFieldId(parentId, objectId) === fieldId }];
  });
  await store.learnParents(learned);
  return new Map([...known, ...learned.map((parent): [string, FieldParent] => [parent.fieldId, parent])]);
}

/**
 * Which of the pieces that the marketplace has for sale for a wallet are truly the wallet's: they exist, are of the type, and
 * lie in an object that is no kiosk (kiosks are found by their caps). One that was returned meanwhile lies in the wallet.
 * Throws Unavailable.
 */
export async function confirmForSale(
  deps: { readonly reader: OwnerReader; readonly store: LearnedStore },
  { nftType, wallet }: { readonly nftType: string; readonly wallet: string },
  forSale: readonly MarketPiece[],
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
