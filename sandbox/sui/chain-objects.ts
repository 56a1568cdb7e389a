import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { digestFrom, objectDigest } from '../world/derived-ids.ts';
import { findCollection, ownerOf } from '../world/ownership.ts';
import type { HeldCoin, Stake } from '../world/execution.ts';
import type { CapKind, Kiosk, KioskCap, Nft, WorldState } from '../world/state.ts';
import {
  canonicalType,
  coinStruct,
  kioskOwnerCapType,
  kioskType,
  originByteTokenType,
  personalKioskCapType,
  simpleListingsStore,
  simpleListingType,
  stakedSuiType,
} from '../world/sui-names.ts';
import { type ItemField, itemFieldOf, wrapperOf } from '../world/field-ids.ts';
import { displayOf } from './display.ts';
import { valueOf } from './json-value.ts';

/** One object as the node returns it. `render` builds the costly parts, only for objects that are returned. */
export type ChainObject = { id: string; type: string; render: () => GrpcTypes.Object };

const uid = bcs.struct('UID', { id: bcs.Address });
const kioskContents = bcs.struct('Kiosk', {
  id: bcs.Address,
  profits: bcs.u64(),
  owner: bcs.Address,
  item_count: bcs.u32(),
  allow_extensions: bcs.bool(),
});
const fieldContents = bcs.struct('Field', { id: bcs.Address, name: bcs.Address, value: bcs.Address });
const kioskOwnerCap = bcs.struct('KioskOwnerCap', { id: bcs.Address, for: bcs.Address });
const personalKioskCap = bcs.struct('PersonalKioskCap', { id: bcs.Address, cap: bcs.option(kioskOwnerCap) });
const ownerToken = bcs.struct('OwnerToken', { id: bcs.Address, kiosk: bcs.Address, owner: bcs.Address });
const coin = bcs.struct('Coin', { id: bcs.Address, balance: bcs.u64() });
const stakedSui = bcs.struct('StakedSui', {
  id: bcs.Address,
  pool_id: bcs.Address,
  stake_activation_epoch: bcs.u64(),
  principal: bcs.u64(),
});
const nftContents = bcs.struct('Nft', { id: bcs.Address, number: bcs.u64(), name: bcs.string() });

const { ADDRESS, CONSENSUS_ADDRESS, IMMUTABLE, OBJECT, SHARED } = GrpcTypes.Owner_OwnerKind;

type Parts = {
  id: string;
  type: string;
  version: number;
  owner: GrpcTypes.Owner;
  contents: Uint8Array;
  json: Record<string, string>;
  lastDigest: string;
  display?: GrpcTypes.Display | undefined;
  balance?: bigint;
};

function objectOf(parts: Parts): GrpcTypes.Object {
  return GrpcTypes.Object.create({
    objectId: parts.id,
    version: BigInt(parts.version),
    digest: objectDigest(parts.id, parts.version),
    owner: parts.owner,
    objectType: parts.type,
    hasPublicTransfer: true,
    contents: { name: parts.type, value: parts.contents },
    previousTransaction: parts.lastDigest,
    storageRebate: 1_000_000n,
    json: valueOf(parts.json),
    ...(parts.display && { display: parts.display }),
    ...(parts.balance !== undefined && { balance: parts.balance }),
  });
}

const ownedBy = (address: string): GrpcTypes.Owner => ({ kind: ADDRESS, address });

/** A published package has no struct type: the node calls it `package`. */
export function packageObject(id: string): ChainObject {
  const render = (): GrpcTypes.Object =>
    GrpcTypes.Object.create({
      objectId: id,
      version: 1n,
      digest: objectDigest(id, 1),
      owner: { kind: IMMUTABLE },
      objectType: 'package',
    });
  return { id, type: 'package', render };
}

/** An NFT with its display, whether it is in a wallet, a kiosk or a listing. */
export function nftObject(state: WorldState, nft: Nft, imageBaseUrl: string): ChainObject {
  const collection = findCollection(state, nft.collectionKey);
  const type = collection.nftType;
  const render = (): GrpcTypes.Object =>
    objectOf({
      id: nft.id,
      type,
      version: nft.version,
      owner: nftOwner(state, nft),
      contents: nftContents.serialize({ id: nft.id, number: BigInt(nft.number), name: nft.name }).toBytes(),
      json: { id: nft.id, number: String(nft.number), name: nft.name },
      lastDigest: nft.lastDigest,
      display: displayOf(collection, nft, imageBaseUrl),
    });
  return { id: nft.id, type, render };
}

function nftOwner(state: WorldState, nft: Nft): GrpcTypes.Owner {
  const field = itemFieldOf(state, nft);
  return field === null ? ownedBy(ownerOf(state, nft)) : { kind: OBJECT, address: field.fieldId };
}

/** The field object between a kiosk (or a listing) and its NFT. */
export function itemFieldObject(nft: Nft, { fieldId, parentId, keyType }: ItemField): ChainObject {
  const type = canonicalType(`0x2::dynamic_field::Field<${wrapperOf(keyType)}, 0x2::object::ID>`);
  const render = (): GrpcTypes.Object =>
    objectOf({
      id: fieldId,
      type,
      version: nft.version,
      owner: { kind: OBJECT, address: parentId },
      contents: fieldContents.serialize({ id: fieldId, name: nft.id, value: nft.id }).toBytes(),
      json: { id: fieldId, name: nft.id, value: nft.id },
      lastDigest: nft.lastDigest,
    });
  return { id: fieldId, type, render };
}

/** The marketplace's listing object for an NFT that is in no kiosk. Its parent is the marketplace's own store. */
export function listingObject(id: string, nft: Nft): ChainObject {
  const render = (): GrpcTypes.Object =>
    objectOf({
      id,
      type: simpleListingType,
      version: nft.version,
      owner: { kind: OBJECT, address: simpleListingsStore },
      contents: uid.serialize({ id }).toBytes(),
      json: { id, nft_id: nft.id },
      lastDigest: nft.lastDigest,
    });
  return { id, type: simpleListingType, render };
}

/** All caps that open a kiosk: its own and any added later. */
export function capObjects(kiosk: Kiosk): { holder: string; object: ChainObject }[] {
  return [kiosk, ...kiosk.furtherCaps].map((cap) => ({ holder: cap.holder, object: capObject(kiosk, cap) }));
}

function capObject(kiosk: Kiosk, cap: KioskCap): ChainObject {
  const { type, contentsOf } = capForms[cap.capKind];
  const render = (): GrpcTypes.Object =>
    objectOf({
      id: cap.capId,
      type,
      version: kiosk.version,
      owner: ownedBy(cap.holder),
      contents: contentsOf(kiosk.id, cap),
      json: { id: cap.capId, for: kiosk.id },
      lastDigest: digestFrom(`kiosk/${kiosk.id}`),
    });
  return { id: cap.capId, type, render };
}

type CapForm = { type: string; contentsOf: (kioskId: string, cap: KioskCap) => Uint8Array };

const capForms: Record<CapKind, CapForm> = {
  kiosk: {
    type: kioskOwnerCapType,
    contentsOf: (kioskId, { capId }) => kioskOwnerCap.serialize({ id: capId, for: kioskId }).toBytes(),
  },
  'personal-kiosk': {
    type: personalKioskCapType,
    contentsOf: (kioskId, { capId, innerCapId }) =>
      personalKioskCap.serialize({ id: capId, cap: { id: innerCapId, for: kioskId } }).toBytes(),
  },
  'origin-byte-kiosk': {
    type: originByteTokenType,
    contentsOf: (kioskId, { capId, holder }) =>
      ownerToken.serialize({ id: capId, kiosk: kioskId, owner: holder }).toBytes(),
  },
};

/** The kiosk itself: a shared object. Its owner field names its creator, not the holder of its cap. */
export function kioskObject(kiosk: Kiosk, itemCount: number): ChainObject {
  const render = (): GrpcTypes.Object =>
    objectOf({
      id: kiosk.id,
      type: kioskType,
      version: kiosk.version,
      owner: { kind: SHARED, version: 1n },
      contents: kioskContents
        .serialize({
          id: kiosk.id,
          profits: 0n,
          owner: kiosk.statedOwner,
          item_count: itemCount,
          allow_extensions: true,
        })
        .toBytes(),
      json: { id: kiosk.id, owner: kiosk.statedOwner },
      lastDigest: digestFrom(`kiosk/${kiosk.id}`),
    });
  return { id: kiosk.id, type: kioskType, render };
}

export type OwnedCoin = HeldCoin & { coinType: string; owner: string };

export function coinObject(owned: OwnedCoin): ChainObject {
  const type = `${coinStruct}<${owned.coinType}>`;
  const render = (): GrpcTypes.Object =>
    objectOf({
      id: owned.id,
      type,
      version: owned.version,
      owner: owned.isParty ? { kind: CONSENSUS_ADDRESS, address: owned.owner } : ownedBy(owned.owner),
      contents: coin.serialize({ id: owned.id, balance: owned.amount }).toBytes(),
      json: { id: owned.id, balance: String(owned.amount) },
      lastDigest: owned.lastDigest,
      balance: owned.amount,
    });
  return { id: owned.id, type, render };
}

/** SUI staked with a validator. Only coin objects have a `balance`. */
export function stakeObject({ id, owner, poolId, activationEpoch, amount, version, lastDigest }: Stake): ChainObject {
  const fields = { id, pool_id: poolId, stake_activation_epoch: activationEpoch, principal: amount };
  const render = (): GrpcTypes.Object =>
    objectOf({
      id,
      type: stakedSuiType,
      version,
      owner: ownedBy(owner),
      contents: stakedSui.serialize(fields).toBytes(),
      json: { id, pool_id: poolId, stake_activation_epoch: String(activationEpoch), principal: String(amount) },
      lastDigest,
    });
  return { id, type: stakedSuiType, render };
}
