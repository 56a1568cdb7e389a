import { bcs } from '@mysten/sui/bcs';
import { deriveDynamicFieldID } from '@mysten/sui/utils';

import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { type CapType, readCaps } from './holdings.ts';

export type OwnerSource = Pick<
  SuiClient,
  'listOwnedObjects' | 'readKiosk' | 'readOwners' | 'readKioskOwnerFields' | 'readDatatype'
>;

const itemKey = bcs.struct('Item', { id: bcs.Address });
const wrappedItem = '0x2::dynamic_object_field::Wrapper<0x2::kiosk::Item>';

export type OwnerReader = ReturnType<typeof createOwnerReader>;

/** The chain, as far as ownership goes. Lists are complete. Ids, addresses and types are canonical. Throws Unavailable. */
export const createOwnerReader = (sui: OwnerSource, capTypes: readonly CapType[]) => ({
  /** What lies directly in the wallet of this type, any instance of it where it has no arguments. */
  readDirect: async (nftType: string, wallet: string, stop?: AbortSignal) => {
    const objects = await sui.listOwnedObjects({ owner: wallet, objectType: nftType, include: 'display' }, stop);
    return objects.map(({ objectId, objectType, display }) => ({ objectId, objectType, name: display?.name ?? null }));
  },
  readCaps: (wallet: string, stop?: AbortSignal) => readCaps(sui, capTypes, wallet, stop),
  readKiosk: (kioskId: string, stop?: AbortSignal) => sui.readKiosk(kioskId, stop),
  readOwners: (objectIds: readonly string[], stop?: AbortSignal) => sui.readOwners(objectIds, stop),
  /** Only hints. */
  readKioskOwnerFields: (kioskIds: readonly string[]) => sui.readKioskOwnerFields(kioskIds),
  /** The id of the field by which this kiosk would own this piece: equal ids prove that it does. */
  kioskFieldId: (kioskId: string, objectId: string): string =>
    deriveDynamicFieldID(kioskId, wrappedItem, itemKey.serialize({ id: objectId }).toBytes()),
});
