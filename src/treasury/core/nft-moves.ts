import { kioskOwnerCapType, kioskType, stakedSuiType } from '../../shared/sui-address.ts';
import type { ChangedObject, ChainTransaction } from '../../sources/sui/chain-transaction.ts';

/** Which NFTs came to the treasury and which left it, from the owner of each object before and after a transaction. */

/** What belongs to the treasury at the time of a transaction, and which types it tells apart. */
export interface TreasuryThen {
  readonly address: string;
  /** Kiosks whose cap it holds. */
  readonly kiosks: ReadonlySet<string>;
  /** Its NFTs that a marketplace holds until they are sold or given back. */
  readonly escrowed: ReadonlySet<string>;
  /** Collections of which it has itself bought or sold an NFT. */
  readonly tradedCollections: ReadonlySet<string>;
  /** Whether a type is an NFT: not a coin, a cap or a name. */
  readonly isNft: (objectType: string) => boolean;
  /** Whether a type is the product's own collection. */
  readonly isOwnCollection: (objectType: string) => boolean;
}

/** `into-escrow`: to a marketplace, where it is for sale and still the treasury's; `out-of-escrow`: back from there. */
type NftDirection = 'in' | 'out' | 'into-escrow' | 'out-of-escrow';

export interface NftMove {
  readonly objectId: string;
  readonly collectionType: string;
  readonly direction: NftDirection;
  /** The wallet that received it; null: a kiosk, or no owner. */
  readonly to: string | null;
}

/** Staked SUI that moves as an object, and the cap of a kiosk given away, are listed with the NFTs but belong to no collection. */
export const isOfCollection = ({ collectionType }: Pick<NftMove, 'collectionType'>): boolean =>
  collectionType !== stakedSuiType && collectionType !== kioskOwnerCapType;

export type Place = ChangedObject['before'];
type Objects = ReadonlyMap<string, ChangedObject>;

export const isInWallet = (place: Place, address: string): boolean =>
  place?.kind === 'wallet' && place.address === address;

export function nftMovesOf({ objects }: ChainTransaction, treasury: TreasuryThen): readonly NftMove[] {
  const byId = new Map(objects.map((object) => [object.objectId, object]));
  return objects.flatMap((object) => {
    if (!treasury.isNft(object.objectType)) return [];
    const direction = directionOf(object, byId, treasury);
    if (direction === null) return [];
    const after = placeOf(object, 'after', byId);
    const to = after?.kind === 'wallet' ? after.address : null;
    return [{ objectId: object.objectId, collectionType: object.objectType, direction, to }];
  });
}

/** null: it neither came nor left. */
function directionOf(object: ChangedObject, objects: Objects, treasury: TreasuryThen): NftDirection | null {
  const after = placeOf(object, 'after', objects);
  const wasHeld = isHeld(placeOf(object, 'before', objects), treasury);
  const isHeldNow = isHeld(after, treasury);
  if (wasHeld && isHeldNow) return null;
  const isEscrowed = treasury.escrowed.has(object.objectId);
  if (isHeldNow) return isEscrowed ? 'out-of-escrow' : 'in';
  // In any other place, a marketplace holds it until it is sold or given back.
  const isGone = after?.kind === 'wallet' || isKiosk(after, objects) || object.isDeleted;
  if (wasHeld) return isGone ? 'out' : 'into-escrow';
  return isEscrowed && isGone ? 'out' : null;
}

const depthMax = 5;

/**
 * An NFT in a kiosk is owned by a dynamic field, which the kiosk owns. Follows the owners as far as the transaction lists them, which it
 * does for every object that was put somewhere or taken out.
 */
function placeOf(object: ChangedObject, side: 'before' | 'after', objects: Objects): Place {
  let place = object[side];
  for (let depth = 0; depth < depthMax && place?.kind === 'object'; depth += 1) {
    const parent: Place = objects.get(place.objectId)?.[side] ?? null;
    if (parent === null || parent.kind === 'none') return place;
    place = parent;
  }
  return place;
}

const isHeld = (place: Place, { address, kiosks }: TreasuryThen): boolean =>
  isInWallet(place, address) || (place?.kind === 'object' && kiosks.has(place.objectId));

const isKiosk = (place: Place, objects: Objects): boolean =>
  place?.kind === 'object' && objects.get(place.objectId)?.objectType === kioskType;
