import type { HeldNft } from '../contract.ts';

/** Where an NFT of the collection is, as far as known. Addresses and ids are canonical. */
export type NftSpot =
  | { readonly kind: 'wallet'; readonly address: string }
  /** In a field of a parent object that is not known yet. */
  | { readonly kind: 'field'; readonly fieldId: string }
  | { readonly kind: 'kiosk'; readonly kioskId: string }
  /** Handed to a marketplace's listing object. */
  | { readonly kind: 'marketplace'; readonly seller: string | null }
  /** Burned according to the marketplace; on the chain it is gone or has no owner, as after being sent to 0x0. */
  | { readonly kind: 'burned' }
  /** Wrapped, shared, or in an object that is neither a kiosk nor a listing: no wallet holds it. */
  | { readonly kind: 'nowhere' };

/** `priceMist` null: for sale, but not at a known SUI price. */
export interface Listing {
  readonly priceMist: bigint | null;
  readonly marketName: string | null;
}

export interface TableNft {
  readonly objectId: string;
  readonly name: string | null;
  /** The owner according to the marketplace: a hint where to search, not a proof. */
  readonly hint: string | null;
  readonly spot: NftSpot;
  /** According to the marketplace; says nothing about the owner. */
  readonly listing: Listing | null;
  readonly imageUrl: string | null;
  readonly index: number | null;
}

/** Who holds what of one collection, at one time. */
export interface OwnerTable {
  readonly asOf: Date;
  /** `nfts` has every NFT that exists. It may also have burned ones. */
  readonly isComplete: boolean;
  readonly nfts: readonly TableNft[];
  /** By kiosk: the wallets that hold a cap of it. Absent: no cap of it is known. Empty: its known caps are in no wallet. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every NFT is placed, so a wallet without NFTs in this table has none. */
export function isCertain({ isComplete, nfts, holders }: OwnerTable): boolean {
  return isComplete && nfts.every(({ spot }) => isPlaced(spot, holders));
}

export function isPlaced(spot: NftSpot, holders: OwnerTable['holders']): boolean {
  if (spot.kind === 'field') return false;
  if (spot.kind === 'kiosk') return holders.has(spot.kioskId);
  return spot.kind !== 'marketplace' || spot.seller !== null;
}

/** The NFTs by wallet. */
export function nftsByWallet(table: OwnerTable): ReadonlyMap<string, readonly HeldNft[]> {
  const held = new Map<string, HeldNft[]>();
  for (const nft of table.nfts) {
    for (const wallet of walletsOf(nft.spot, table.holders)) {
      const nfts = held.get(wallet) ?? [];
      held.set(wallet, nfts);
      nfts.push(asHeld(nft));
    }
  }
  return held;
}

/** The NFTs in these kiosks, regardless of holder. null: the table knows none, but is not certain. */
export function nftsInKiosks(table: OwnerTable, kioskIds: ReadonlySet<string>): readonly HeldNft[] | null {
  const inside = table.nfts.filter(({ spot }) => spot.kind === 'kiosk' && kioskIds.has(spot.kioskId)).map(asHeld);
  const isAll = table.isComplete && table.nfts.every(({ spot }) => spot.kind !== 'field');
  return inside.length > 0 || isAll ? inside : null;
}

function walletsOf(spot: NftSpot, holders: OwnerTable['holders']): Iterable<string> {
  if (spot.kind === 'wallet') return [spot.address];
  if (spot.kind === 'kiosk') return holders.get(spot.kioskId) ?? [];
  return spot.kind === 'marketplace' && spot.seller !== null ? [spot.seller] : [];
}

function asHeld({ objectId, listing, spot }: TableNft): HeldNft {
  const place = spot.kind === 'kiosk' || spot.kind === 'marketplace' ? spot.kind : 'wallet';
  const kioskId = spot.kind === 'kiosk' ? spot.kioskId : null;
  return { objectId, place, kioskId, isListed: listing !== null };
}

/** A field and the object it belongs to. */
export interface FieldParent {
  readonly fieldId: string;
  readonly parentId: string;
  readonly isKiosk: boolean;
}

/** The table with these fields replaced by their parents. */
export function withParents(table: OwnerTable, parents: ReadonlyMap<string, FieldParent>): OwnerTable {
  const nfts = table.nfts.map((nft): TableNft => {
    const parent = nft.spot.kind === 'field' ? parents.get(nft.spot.fieldId) : undefined;
    return parent === undefined ? nft : { ...nft, spot: spotUnder(parent, nft) };
  });
  return { ...table, nfts };
}

/** An NFT for sale outside a kiosk was handed to the marketplace by its seller; any other belongs to no wallet. */
function spotUnder({ parentId, isKiosk }: FieldParent, { listing, hint }: TableNft): NftSpot {
  if (isKiosk) return { kind: 'kiosk', kioskId: parentId };
  return listing !== null ? { kind: 'marketplace', seller: hint } : { kind: 'nowhere' };
}

/** The table with more holders of kiosks. `wallet` null: a cap is known, but in no wallet. */
export function withHolders(
  table: OwnerTable,
  found: readonly { readonly kioskId: string; readonly wallet: string | null }[],
): OwnerTable {
  const holders = new Map(table.holders);
  for (const { kioskId, wallet } of found) {
    const before = holders.get(kioskId) ?? new Set<string>();
    holders.set(kioskId, wallet === null ? before : new Set([...before, wallet]));
  }
  return { ...table, holders };
}

/** Kiosks that hold NFTs and have no known cap. */
export function kiosksWithoutHolder({ nfts, holders }: OwnerTable): readonly string[] {
  const kioskIds = nfts.flatMap(({ spot }) => (spot.kind === 'kiosk' ? [spot.kioskId] : []));
  return [...new Set(kioskIds)].filter((kioskId) => !holders.has(kioskId));
}
