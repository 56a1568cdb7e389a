import { kioskType } from '../../shared/sui-address.ts';
import type { ChangedObject, ChainTransaction } from '../../sources/sui/chain-transaction.ts';

/** Which NFTs came to the treasury and which left it, from the owner of each object before and after a transaction. */

/** What belongs to the treasury at the time of a transaction. */
export interface Ours {
  readonly address: string;
  /** Kiosks whose cap it holds. */
  readonly kiosks: ReadonlySet<string>;
  /** Its pieces that a marketplace holds until they are sold or given back. */
  readonly escrowed: ReadonlySet<string>;
  /** Collections of which it has itself bought or sold a piece. */
  readonly tradedCollections: ReadonlySet<string>;
  /** Whether a type is an NFT: not a coin, a cap or a name. */
  readonly isNft: (objectType: string) => boolean;
  /** Whether a type is the product's own collection. */
  readonly isOwnNft: (objectType: string) => boolean;
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

export type Place = ChangedObject['before'];
type Objects = ReadonlyMap<string, ChangedObject>;

export function nftMovesOf({ objects }: ChainTransaction, ours: Ours): readonly NftMove[] {
  const byId = new Map(objects.map((object) => [object.objectId, object]));
  return objects.flatMap((object) => {
    if (!ours.isNft(object.objectType)) return [];
    const direction = directionOf(object, byId, ours);
    if (direction === null) return [];
    const after = placeOf(object, 'after', byId);
    const to = after?.kind === 'wallet' ? after.address : null;
    return [{ objectId: object.objectId, collectionType: object.objectType, direction, to }];
  });
}

function directionOf(object: ChangedObject, objects: Objects, ours: Ours): NftMove['direction'] | null {
  const [before, after] = [placeOf(object, 'before', objects), placeOf(object, 'after', objects)];
  const isEscrowed = ours.escrowed.has(object.objectId);
  const was = isOurs(before, ours);
  const is = isOurs(after, ours);
  if (was && is) return null;
  if (is) return isEscrowed ? 'out-of-escrow' : 'in';
  const isWithSomebody = after?.kind === 'wallet' || isKiosk(after, objects) || object.isDeleted;
  if (was) return isWithSomebody ? 'out' : 'into-escrow';
  return isEscrowed && isWithSomebody ? 'out' : null;
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

function isOurs(place: Place, { address, kiosks }: Ours): boolean {
  if (place?.kind === 'wallet') return place.address === address;
  return place?.kind === 'object' && kiosks.has(place.objectId);
}

const isKiosk = (place: Place, objects: Objects): boolean =>
  place?.kind === 'object' && objects.get(place.objectId)?.objectType === kioskType;
