import { bcs } from '@mysten/sui/bcs';
import { deriveDynamicFieldID } from '@mysten/sui/utils';
import type { Nft, Place, WorldState } from './state.ts';
import { canonicalType, kioskItemType } from './sui-names.ts';

const item = bcs.struct('Item', { id: bcs.Address });
const idType = '0x2::object::ID';

/** A dynamic object field: an object whose owner is the parent and which itself owns the child. */
export type ItemField = { fieldId: string; parentId: string; keyType: string; key: Uint8Array };

const known = new WeakMap<WorldState, Map<string, ItemField>>();

/** The field through which a kiosk or listing object holds the NFT; null for an NFT in a wallet. */
export function itemFieldOf(state: WorldState, nft: Nft): ItemField | null {
  return itemFieldAt(state, nft.id, nft.place);
}

/** The field that holds this NFT when it is at that place. */
export function itemFieldAt(state: WorldState, nftId: string, place: Place): ItemField | null {
  if (place.kind === 'wallet') return null;
  const isKiosk = place.kind === 'kiosk';
  const parentId = isKiosk ? place.kioskId : place.listingObjectId;
  const fields = known.get(state) ?? new Map<string, ItemField>();
  known.set(state, fields);
  const name = `${parentId}/${nftId}`;
  const field = fields.get(name) ?? deriveField(parentId, nftId, isKiosk ? kioskItemType : idType);
  fields.set(name, field);
  return field;
}

/** The NFT owned by the field object with this id. */
export function nftOfField(state: WorldState, fieldId: string): { nft: Nft; field: ItemField } | null {
  for (const nft of state.nfts.values()) {
    const field = itemFieldOf(state, nft);
    if (field?.fieldId === fieldId) return { nft, field };
  }
  return null;
}

function deriveField(parentId: string, nftId: string, keyType: string): ItemField {
  const key = item.serialize({ id: nftId }).toBytes();
  return { fieldId: deriveDynamicFieldID(parentId, wrapperOf(keyType), key), parentId, keyType, key };
}

/** The key type of a dynamic object field as it is stored. */
export function wrapperOf(keyType: string): string {
  return `0x2::dynamic_object_field::Wrapper<${keyType}>`;
}

const fieldTypes = new Map<string, string>();

/** The type of the field objects that a parent has under keys of this type. */
export function fieldTypeOf(keyType: string): string {
  const type =
    fieldTypes.get(keyType) ?? canonicalType(`0x2::dynamic_field::Field<${wrapperOf(keyType)}, 0x2::object::ID>`);
  fieldTypes.set(keyType, type);
  return type;
}
