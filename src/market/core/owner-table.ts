import type { HeldPiece } from '../contract.ts';

/** Where a piece of the collection is, as far as known. Addresses and ids are canonical. */
export type PieceSpot =
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

export interface TablePiece {
  readonly objectId: string;
  readonly name: string | null;
  /** The owner according to the marketplace: a hint where to search, not a proof. */
  readonly hint: string | null;
  readonly spot: PieceSpot;
  /** According to the marketplace; says nothing about the owner. */
  readonly listing: Listing | null;
  readonly imageUrl: string | null;
  readonly index: number | null;
}

/** Who holds what of one collection, at one time. */
export interface OwnerTable {
  readonly asOf: Date;
  /** `pieces` has every piece that exists. It may also have burned ones. */
  readonly isComplete: boolean;
  readonly pieces: readonly TablePiece[];
  /** By kiosk: the wallets that hold a cap of it. Absent: no cap of it is known. Empty: its known caps are in no wallet. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every piece is placed, so a wallet without pieces in this table has none. */
export function isCertain({ isComplete, pieces, holders }: OwnerTable): boolean {
  return isComplete && pieces.every(({ spot }) => isPlaced(spot, holders));
}

export function isPlaced(spot: PieceSpot, holders: OwnerTable['holders']): boolean {
  if (spot.kind === 'field') return false;
  if (spot.kind === 'kiosk') return holders.has(spot.kioskId);
  return spot.kind !== 'marketplace' || spot.seller !== null;
}

/** The pieces by wallet. */
export function piecesByWallet(table: OwnerTable): ReadonlyMap<string, readonly HeldPiece[]> {
  const held = new Map<string, HeldPiece[]>();
  for (const piece of table.pieces) {
    for (const wallet of walletsOf(piece.spot, table.holders)) {
      const pieces = held.get(wallet) ?? [];
      held.set(wallet, pieces);
      pieces.push(asHeld(piece));
    }
  }
  return held;
}

/** The pieces in these kiosks, regardless of holder. null: the table knows none, but is not certain. */
export function piecesInKiosks(table: OwnerTable, kioskIds: ReadonlySet<string>): readonly HeldPiece[] | null {
  const inside = table.pieces.filter(({ spot }) => spot.kind === 'kiosk' && kioskIds.has(spot.kioskId)).map(asHeld);
  const isAll = table.isComplete && table.pieces.every(({ spot }) => spot.kind !== 'field');
  return inside.length > 0 || isAll ? inside : null;
}

function walletsOf(spot: PieceSpot, holders: OwnerTable['holders']): Iterable<string> {
  if (spot.kind === 'wallet') return [spot.address];
  if (spot.kind === 'kiosk') return holders.get(spot.kioskId) ?? [];
  return spot.kind === 'marketplace' && spot.seller !== null ? [spot.seller] : [];
}

function asHeld({ objectId, listing, spot }: TablePiece): HeldPiece {
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
  const pieces = table.pieces.map((piece): TablePiece => {
    const parent = piece.spot.kind === 'field' ? parents.get(piece.spot.fieldId) : undefined;
    return parent === undefined ? piece : { ...piece, spot: spotUnder(parent, piece) };
  });
  return { ...table, pieces };
}

/** A piece for sale outside a kiosk was handed to the marketplace by its seller; any other belongs to no wallet. */
function spotUnder({ parentId, isKiosk }: FieldParent, { listing, hint }: TablePiece): PieceSpot {
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

/** Kiosks that hold pieces and have no known cap. */
export function kiosksWithoutHolder({ pieces, holders }: OwnerTable): readonly string[] {
  const kioskIds = pieces.flatMap(({ spot }) => (spot.kind === 'kiosk' ? [spot.kioskId] : []));
  return [...new Set(kioskIds)].filter((kioskId) => !holders.has(kioskId));
}
