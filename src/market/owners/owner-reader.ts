import { bcs } from '@mysten/sui/bcs';
import { deriveDynamicFieldID } from '@mysten/sui/utils';
import type { OwnedObject } from '../../sources/sui/owned-objects.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { Unavailable } from '../../shared/failure.ts';
import { baseType } from '../../shared/sui-address.ts';
import type { HeldCap, OwnerReader } from './ownership-ports.ts';
import { type CapType, kioskIdOf } from '../holdings/cap-types.ts';

export type OwnerSource = Pick<
  SuiClient,
  'listOwnedObjects' | 'readKiosk' | 'readOwners' | 'readKioskOwnerFields' | 'readDatatype'
>;

const itemKey = bcs.struct('Item', { id: bcs.Address });
const wrappedItem = '0x2::dynamic_object_field::Wrapper<0x2::kiosk::Item>';

/** The port on a full node. */
export function createSuiOwnerReader(sui: OwnerSource, capTypes: readonly CapType[]): OwnerReader {
  return {
    readDirect: async (nftType, wallet, stop) => {
      const objects = await sui.listOwnedObjects({ owner: wallet, objectType: nftType, include: 'display' }, stop);
      return objects.map(({ objectId, objectType, display }) => ({
        objectId,
        objectType,
        name: display?.name ?? null,
      }));
    },
    readCaps: async (wallet, stop) => readCaps(sui, capTypes, wallet, stop),
    readKiosk: async (kioskId, stop) => {
      const items = await sui.readKiosk(kioskId, stop);
      return items.map(({ objectId, objectType, listing, isLocked }) => ({
        objectId,
        objectType,
        name: null,
        isListed: listing !== null,
        isLocked,
        listPriceMist: listing?.priceMist ?? null,
      }));
    },
    readOwners: (objectIds, stop) => sui.readOwners(objectIds, stop),
    readKioskOwnerFields: (kioskIds, stop) => sui.readKioskOwnerFields(kioskIds, stop),
    kioskFieldId: (kioskId, objectId) =>
      deriveDynamicFieldID(kioskId, wrappedItem, itemKey.serialize({ id: objectId }).toBytes()),
  };
}

/**
 * A node filters by one type alone, and there are several kinds of caps: for most wallets everything they own fits one page,
 * which is one request instead of one a kind.
 */
async function readCaps(
  sui: OwnerSource,
  capTypes: readonly CapType[],
  owner: string,
  stop?: AbortSignal,
): Promise<readonly HeldCap[]> {
  const all = await readOnePage(sui, owner, stop);
  if (all !== null) return capTypes.flatMap(({ kind, objectType }) => parseCaps(kind, ofType(all, objectType)));
  const byKind = await Promise.all(
    capTypes.map(async ({ kind, objectType }) =>
      parseCaps(kind, await sui.listOwnedObjects({ owner, objectType, include: 'contents' }, stop)),
    ),
  );
  return byKind.flat();
}

async function readOnePage(
  sui: OwnerSource,
  owner: string,
  stop?: AbortSignal,
): Promise<readonly OwnedObject[] | null> {
  try {
    return await sui.listOwnedObjects({ owner, include: 'contents', pagesMax: 1 }, stop);
  } catch (error) {
    // Too much for one page, or unreadable objects of strangers: then only the caps are requested.
    const isTooMuch = error instanceof Unavailable && ['too-many-pages', 'malformed-answer'].includes(error.reason);
    if (isTooMuch) return null;
    throw error;
  }
}

const ofType = (objects: readonly OwnedObject[], type: string): readonly OwnedObject[] =>
  objects.filter(({ objectType }) => baseType(objectType) === type);

function parseCaps(kind: CapType['kind'], objects: readonly OwnedObject[]): readonly HeldCap[] {
  return objects.flatMap(({ objectId, contents }) => {
    try {
      if (contents === null) throw new Error('without contents');
      const kioskId = kioskIdOf(kind, contents);
      return kioskId === null ? [] : [{ capId: objectId, kioskId, kind }];
    } catch (error) {
      // An unreadable cap is a kiosk that was not read: the whole answer is unknown, not smaller.
      throw new Unavailable('malformed-answer', `The cap ${objectId} of a kiosk cannot be read`, error);
    }
  });
}
