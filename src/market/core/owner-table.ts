import type { HeldPiece } from '../contract.ts';

/** Where a piece of the collection lies, as far as it is known. Addresses and ids are canonical. */
export type PieceSpot =
  | { readonly kind: 'wallet'; readonly address: string }
  /** In an object that is not known yet. */
  | { readonly kind: 'field'; readonly fieldId: string }
  | { readonly kind: 'kiosk'; readonly kioskId: string }
  /** Handed to a marketplace's listing object. */
  | { readonly kind: 'marketplace'; readonly seller: string | null }
  /** By the marketplace, and the chain has it no more: it does not exist. */
  | { readonly kind: 'burned' }
  /** Wrapped, shared, or in an object that is neither: no wallet holds it. */
  | { readonly kind: 'nowhere' };

/** `priceMist` null: for sale, at a price that is not known in SUI. */
export interface Listing {
  readonly priceMist: bigint | null;
  readonly marketName: string | null;
}

export interface TablePiece {
  readonly objectId: string;
  readonly name: string | null;
  /** Whose it is by the marketplace: says where to look, proves nothing. */
  readonly hint: string | null;
  readonly spot: PieceSpot;
  /** The marketplace's word, which says nothing of whose it is. */
  readonly listing: Listing | null;
  readonly imageUrl: string | null;
  readonly index: number | null;
}

/** Who holds what of one collection, read at one time. */
export interface OwnerTable {
  readonly asOf: Date;
  /** Every piece that exists is among `pieces`, beside those that were burned. */
  readonly isComplete: boolean;
  readonly pieces: readonly TablePiece[];
  /** By kiosk: whose wallets hold a cap of it. Absent: no cap of it is known. Empty: its caps are in no wallet. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every piece is placed: a wallet without pieces in this table has none. */
export function isCertain({ isComplete, pieces, holders }: OwnerTable): boolean {
  return isComplete && pieces.every(({ spot }) => isPlaced(spot, holders));
}

export function isPlaced(spot: PieceSpot, holders: OwnerTable['holders']): boolean {
  if (spot.kind === 'field') return false;
  if (spot.kind === 'kiosk') return holders.has(spot.kioskId);
  return spot.kind !== 'marketplace' || spot.seller !== null;
}

/** The pieces of each wallet that has any. */
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

/** What of the collection lies in these kiosks, regardless of holder; null: there may be more than the table knows. */
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

/** What is known of a field: the object that it hangs on. */
export interface FieldParent {
  readonly fieldId: string;
  readonly parentId: string;
  readonly isKiosk: boolean;
}

/** The table with the parents of these fields in place. */
export function withParents(table: OwnerTable, parents: ReadonlyMap<string, FieldParent>): OwnerTable {
  const pieces = table.pieces.map((piece): TablePiece => {
    const parent = piece.spot.kind === 'field' ? parents.get(piece.spot.fieldId) : undefined;
    return parent === undefined ? piece : { ...piece, spot: spotUnder(parent, piece) };
  });
  return { ...table, pieces };
}

/** What is for sale outside a kiosk was handed to the marketplace by its seller; what is not for sale is ignored. */
function spotUnder({ parentId, isKiosk }: FieldParent, { listing, hint }: TablePiece): PieceSpot {
  if (isKiosk) return { kind: 'kiosk', kioskId: parentId };
  return listing !== null ? { kind: 'marketplace', seller: hint } : { kind: 'nowhere' };
}

/** The table with further holders of kiosks; null: a cap of it is known, and in no wallet. */
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

/** Kiosks with pieces of which no cap is known. */
export function unheldKiosks({ pieces, holders }: OwnerTable): readonly string[] {
  const kioskIds = pieces.flatMap(({ spot }) => (spot.kind === 'kiosk' ? [spot.kioskId] : []));
  return [...new Set(kioskIds)].filter((kioskId) => !holders.has(kioskId));
}
