import type { OwnedThing } from '../../sources/sui/objects.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import { type MarketPiece, readPieces } from '../../sources/tradeport/nfts.ts';
import { isOfType } from '../core/held-type.ts';
import {
  type OwnerTable,
  type PieceSpot,
  type TablePiece,
  unheldKiosks,
  withHolders,
  withParents,
} from '../core/owner-table.ts';
import type { HeldCap } from './holdings.ts';
import { atUpstream } from './at-upstream.ts';
import type { CollectionsOfType } from './market-collections.ts';
import type { LearnedStore } from './learned-store.ts';
import type { OwnerReader } from './owner-reader.ts';

export interface TableDeps {
  readonly reader: OwnerReader;
  readonly store: LearnedStore;
  readonly market: MarketCall;
  readonly clock: { now(): Date };
}

/**
 * Who holds what of a collection (decision 0017): which pieces there are by the marketplace, whose they are by the chain, and
 * what is known of the kiosks they lie in. What had to be learned is left for `resolveKiosks`. Throws Unavailable.
 */
export async function buildOwnerTable(
  deps: TableDeps,
  nftType: string,
  { collections, isComplete }: CollectionsOfType,
): Promise<OwnerTable> {
  const asOf = deps.clock.now();
  const listed = await atUpstream('marketplace', () => readAllPieces(deps.market, collections));
  const owners = await atUpstream('node', () => deps.reader.readOwners([...listed.pieces.keys()]));
  const pieces = [...listed.pieces.values()].flatMap((piece) => placed(nftType, piece, owners.get(piece.objectId)));
  const table = { asOf, isComplete: isComplete && listed.isComplete, pieces, holders: new Map<string, Set<string>>() };
  const parents = await deps.store.parentsOf(
    pieces.flatMap(({ spot }) => (spot.kind === 'field' ? [spot.fieldId] : [])),
  );
  return holdKnownKiosks(deps, withParents(table, parents));
}

/** Incomplete if there are fewer pieces than the marketplace counts: then no wallet can be said to hold none. */
async function readAllPieces(market: MarketCall, collections: CollectionsOfType['collections']) {
  const found = await Promise.all(collections.map(({ marketId }) => readPieces(market, marketId)));
  const isComplete = found.every(({ pieces, supply, unreadableCount }) => {
    const count = new Set(pieces.map(({ objectId }) => objectId)).size;
    return unreadableCount === 0 && supply !== null && count >= supply;
  });
  const pieces = new Map(found.flatMap((each) => each.pieces).map((piece) => [piece.objectId, piece]));
  return { pieces, isComplete };
}

function placed(nftType: string, piece: MarketPiece, object: OwnedThing | undefined): TablePiece[] {
  // A package may stand for several types, and a marketplace may be wrong about one.
  if (object !== undefined && !isOfType(nftType, object.objectType)) return [];
  const { objectId, name, isListed, owner: hint, listPriceMist: priceMist, listMarketName: marketName } = piece;
  const listing = isListed && priceMist !== null ? { priceMist, marketName } : null;
  const { imageUrl, index } = piece;
  return [{ objectId, name, isListed, hint, spot: spotOf(object), listing, imageUrl, index }];
}

function spotOf(object: OwnedThing | undefined): PieceSpot {
  // Not on chain (any more): burned, or wrapped in another object.
  if (object === undefined || object.owner.kind === 'none') return { kind: 'nowhere' };
  if (object.owner.kind === 'wallet') return { kind: 'wallet', address: object.owner.address };
  return { kind: 'field', fieldId: object.owner.objectId };
}

/** Whose wallets hold the caps that were learned of these kiosks: read anew, as a cap may be handed on. Throws Unavailable. */
export async function holdKnownKiosks({ reader, store }: TableDeps, table: OwnerTable): Promise<OwnerTable> {
  const caps = await store.capsOfKiosks(unheldKiosks(table));
  const owners = await atUpstream('node', () => reader.readOwners(caps.map(({ capId }) => capId)));
  // A cap that is gone was burned, or wrapped in one of another kind, which must be found again.
  await store.forgetCaps(caps.filter(({ capId }) => !owners.has(capId)).map(({ capId }) => capId));
  return withHolders(
    table,
    caps.flatMap((cap) => holderOf(cap, owners.get(cap.capId))),
  );
}

function holderOf({ kioskId }: HeldCap, cap: OwnedThing | undefined) {
  if (cap === undefined) return [];
  return [{ kioskId, wallet: cap.owner.kind === 'wallet' ? cap.owner.address : null }];
}
