import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { deriveDynamicFieldID } from '@mysten/sui/utils';
import { nftsInKiosk } from '../world/ownership.ts';
import type { Kiosk, Nft, WorldState } from '../world/state.ts';
import { kioskListingType, kioskLockType } from '../world/sui-names.ts';
import { nftObject } from './chain-objects.ts';
import { itemFieldOf } from '../world/field-ids.ts';
import type { ReadMask } from './read-mask.ts';

const listing = bcs.struct('Listing', { id: bcs.Address, is_exclusive: bcs.bool() });
const lock = bcs.struct('Lock', { id: bcs.Address });
const { FIELD, OBJECT } = GrpcTypes.DynamicField_DynamicFieldKind;

export type FieldEntry = { fieldId: string; render: () => GrpcTypes.DynamicField };

/** Dynamic fields of a parent: a kiosk's items, listings, locks and extension fields, or a listing object's one NFT. */
export function fieldsOf(state: WorldState, parent: string, imageBaseUrl: string): FieldEntry[] {
  const kiosk = state.kiosks.get(parent);
  if (kiosk) {
    const items = nftsInKiosk(state, parent).flatMap((nft) => kioskFields(state, kiosk, nft, imageBaseUrl));
    return [...items, ...extensionFields(kiosk)];
  }
  for (const nft of state.nfts.values()) {
    if (nft.place.kind === 'simple-listing' && nft.place.listingObjectId === parent) {
      return itemField(state, nft, imageBaseUrl);
    }
  }
  return [];
}

function kioskFields(state: WorldState, kiosk: Kiosk, nft: Nft, imageBaseUrl: string): FieldEntry[] {
  const fields = itemField(state, nft, imageBaseUrl);
  const listed = kiosk.listings.get(nft.id);
  if (listed) {
    const name = listing.serialize({ id: nft.id, is_exclusive: listed.isExclusive }).toBytes();
    fields.push(plainField(kiosk.id, kioskListingType, name, 'u64', bcs.u64().serialize(listed.priceMist).toBytes()));
  }
  if (kiosk.locked.has(nft.id)) {
    const name = lock.serialize({ id: nft.id }).toBytes();
    fields.push(plainField(kiosk.id, kioskLockType, name, 'bool', bcs.bool().serialize(true).toBytes()));
  }
  return fields;
}

/** Nearly the chain's maximum object size: two of them fill a page. */
const extensionFieldBytes = 250_000;

function extensionFields({ id, extensionFieldCount }: Kiosk): FieldEntry[] {
  const value = new Uint8Array(extensionFieldBytes);
  return Array.from({ length: extensionFieldCount }, (_none, index) =>
    plainField(id, 'u64', bcs.u64().serialize(index).toBytes(), 'vector<u8>', value),
  );
}

function itemField(state: WorldState, nft: Nft, imageBaseUrl: string): FieldEntry[] {
  const field = itemFieldOf(state, nft);
  if (field === null) return [];
  const child = nftObject(state, nft, imageBaseUrl);
  const render = (): GrpcTypes.DynamicField =>
    GrpcTypes.DynamicField.create({
      kind: OBJECT,
      parent: field.parentId,
      fieldId: field.fieldId,
      // The server unwraps the key of a dynamic object field: the name is the plain Item.
      name: { name: field.keyType, value: field.key },
      value: { name: '0x2::object::ID', value: bcs.Address.serialize(nft.id).toBytes() },
      valueType: child.type,
      childId: nft.id,
      childObject: child.render(),
    });
  return [{ fieldId: field.fieldId, render }];
}

function plainField(parent: string, type: string, name: Uint8Array, valueType: string, value: Uint8Array): FieldEntry {
  const fieldId = deriveDynamicFieldID(parent, type, name);
  return {
    fieldId,
    render: () =>
      GrpcTypes.DynamicField.create({
        kind: FIELD,
        parent,
        fieldId,
        name: { name: type, value: name },
        value: { name: valueType, value },
        valueType,
      }),
  };
}

const loadingPaths = ['kind', 'name', 'value_type', 'child_id', 'child_object', 'field_object'];

/** A node loads the field only for these other paths: asked for `value` alone, it returns no value. */
export function withoutUnloadedValue(field: GrpcTypes.DynamicField, mask: ReadMask): GrpcTypes.DynamicField {
  if (loadingPaths.some((path) => mask.includes(path))) return field;
  const { value: _unloaded, ...rest } = field;
  return rest;
}
