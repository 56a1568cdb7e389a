import { concurrently } from '../../process/taking-turns.ts';
import { Unavailable } from '../../shared/failure.ts';
import { type MarketPiece, readListedPieces } from '../../sources/tradeport/nfts.ts';
import type { HeldPiece, HoldingAnswer } from '../contract.ts';
import { isOfType } from '../core/held-types.ts';
import { piecesInKiosks } from '../core/owner-table.ts';
import type { CollectionsOf } from '../look-up-collection.ts';
import { outageOf, unknownReason, untilStopped } from './at-upstream.ts';
import { kiosksMax, readCaps } from './holdings.ts';
import { findParents } from './learned-store.ts';
import type { OwnerTables, TableDeps } from './owner-tables.ts';

export interface ReadWalletDeps extends TableDeps {
  readonly tables: OwnerTables;
  readonly collectionsOf: CollectionsOf;
}

export interface WalletQuestion {
  /** Canonical both. */
  readonly nftType: string;
  readonly wallet: string;
}

export type ReadWallet = (question: WalletQuestion, stop?: AbortSignal) => Promise<HoldingAnswer>;

const kiosksAtOnceMax = 8;

/**
 * The whole truth about one wallet (rulings R5). What could not be read makes the answer 'unknown', except that an outage of
 * the marketplace changes nothing once pieces were found on the chain. Throws what the database throws.
 */
export function createReadWallet(deps: ReadWalletDeps): ReadWallet {
  return async (question, stop) => {
    const asOf = deps.clock.now();
    const [onChain, forSale] = await Promise.all([
      outageOf(readOnChain(deps, question, stop)),
      outageOf(readForSale(deps, question, stop)),
    ]);
    if ('outage' in onChain) return { kind: 'unknown', reason: unknownReason(onChain.outage), asOf };
    const { kioskCount, pieces } = onChain.value;
    const handedOver =
      'outage' in forSale
        ? forSale
        : await outageOf(confirmForSale(deps, question, unseen(forSale.value, pieces), stop));
    if ('outage' in handedOver && pieces.length === 0) {
      return { kind: 'unknown', reason: unknownReason(handedOver.outage), asOf };
    }
    const all = 'outage' in handedOver ? pieces : [...pieces, ...handedOver.value];
    return all.length > 0
      ? { kind: 'holds', pieces: all, asOf }
      : { kind: 'does-not-hold', kioskCount, asOf: onChain.value.asOf };
  };
}

interface OnChain {
  readonly pieces: readonly HeldPiece[];
  readonly kioskCount: number;
  /** As of when the contents of kiosks are known. */
  readonly asOf: Date;
}

/** Directly owned, and in every kiosk whose cap the wallet holds. */
async function readOnChain(deps: ReadWalletDeps, question: WalletQuestion, stop?: AbortSignal): Promise<OnChain> {
  const { nftType, wallet } = question;
  const asOf = deps.clock.now();
  const [direct, inKiosks] = await Promise.all([
    deps.sui.listOwnedObjects({ owner: wallet, objectType: nftType }, stop),
    outageOf(readKiosks(deps, question, stop)),
  ]);
  // Each once, by its id: what moved while the wallet was read may have been seen in two places.
  const found = new Map<string, HeldPiece>();
  for (const { objectId, objectType } of direct) {
    if (isOfType(nftType, objectType)) found.set(objectId, { ...inWallet, objectId });
  }
  if ('outage' in inKiosks) {
    // Caps can be sent to anybody: what lies beside them is still the wallet's.
    if (found.size === 0 || !isForGood(inKiosks.outage)) throw inKiosks.outage;
    return { pieces: [...found.values()], kioskCount: 0, asOf };
  }
  for (const piece of inKiosks.value.pieces) found.set(piece.objectId, piece);
  return { ...inKiosks.value, pieces: [...found.values()] };
}

/** Not a passing outage: there is more than is read, and no marketplace that lists every piece. */
const isForGood = (outage: Unavailable): boolean =>
  ['too-many-kiosks', 'too-many-objects', 'marketplace-key-missing'].includes(unknownReason(outage));

async function readKiosks(deps: ReadWalletDeps, question: WalletQuestion, stop?: AbortSignal): Promise<OnChain> {
  const { sui, capTypes, store, clock } = deps;
  const asOf = clock.now();
  const caps = await readCaps(sui, capTypes, question.wallet, stop);
  // Two caps may open the same kiosk.
  const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
  const kioskCount = kioskIds.length;
  if (kioskCount > kiosksMax) return { kioskCount, ...(await readManyKiosks(deps, question, kioskIds, stop)) };
  await store.learnCaps(caps);
  const kiosks = await outageOf(
    concurrently(kioskIds, kiosksAtOnceMax, async (kioskId) => {
      const items = await sui.readKiosk(kioskId, stop);
      return items.map((item) => ({ ...item, kioskId }));
    }),
  );
  if ('outage' in kiosks) {
    // Filling a kiosk is free: a seller could keep the role by it, as with many kiosks.
    if (unknownReason(kiosks.outage) !== 'too-many-objects') throw kiosks.outage;
    return { kioskCount, ...(await readManyKiosks(deps, question, kioskIds, stop)) };
  }
  const pieces = kiosks.value
    .flat()
    .filter(({ objectType }) => isOfType(question.nftType, objectType))
    .map(({ objectId, kioskId, isListed }): HeldPiece => ({ objectId, place: 'kiosk', kioskId, isListed }));
  return { pieces, kioskCount, asOf };
}

/**
 * The pieces in the kiosks of a wallet that has too many to read, found by where every piece of the collection lies. Kiosks are
 * cheap, and caps can be sent to anybody: if they made the answer 'unknown', a seller could use them to keep the role for good.
 * Throws Unavailable, also where the marketplace does not list every piece.
 */
async function readManyKiosks(
  { tables, collectionsOf }: ReadWalletDeps,
  { nftType, wallet }: WalletQuestion,
  kioskIds: readonly string[],
  stop?: AbortSignal,
): Promise<{ readonly pieces: readonly HeldPiece[]; readonly asOf: Date }> {
  const found = await untilStopped(collectionsOf(nftType), stop);
  if (found.collections.length === 0) throw tooManyKiosks();
  const { table, outage } = await untilStopped(tables.read(nftType, found, new Set([wallet])), stop);
  const pieces = piecesInKiosks(table, new Set(kioskIds));
  if (pieces === null) throw outage ?? tooManyKiosks();
  return { pieces, asOf: table.asOf };
}

const tooManyKiosks = (): Unavailable =>
  new Unavailable('too-many-kiosks', 'The wallet holds the caps of more kiosks than are looked into');

const inWallet = { place: 'wallet', kioskId: null, isListed: false } as const;

/** What the wallet has for sale by the marketplace: outside kiosks, it lies in objects that belong to no wallet. */
async function readForSale(
  { collectionsOf, market }: ReadWalletDeps,
  { nftType, wallet }: WalletQuestion,
  stop?: AbortSignal,
): Promise<readonly MarketPiece[]> {
  const { collections } = await collectionsOf(nftType);
  const listed = await Promise.all(
    collections.map(({ marketId }) => readListedPieces(market, { marketId, owner: wallet }, stop)),
  );
  return listed.flat();
}

function unseen(forSale: readonly MarketPiece[], pieces: readonly HeldPiece[]): readonly MarketPiece[] {
  const seen = new Set(pieces.map(({ objectId }) => objectId));
  return forSale.filter(({ objectId }) => !seen.has(objectId));
}

/**
 * Which of the pieces that the marketplace has for sale for a wallet are truly the wallet's: they exist, are of the type, and
 * lie in an object that is no kiosk (kiosks are found by their caps). One that was returned meanwhile lies in the wallet.
 * Throws Unavailable.
 */
async function confirmForSale(
  deps: ReadWalletDeps,
  { nftType, wallet }: WalletQuestion,
  forSale: readonly MarketPiece[],
  stop?: AbortSignal,
): Promise<readonly HeldPiece[]> {
  if (forSale.length === 0) return [];
  const owners = await deps.sui.readOwners(
    forSale.map(({ objectId }) => objectId),
    stop,
  );
  const inFields = forSale.flatMap(({ objectId }) => {
    const owner = owners.get(objectId)?.owner;
    return owner?.kind === 'object' ? [{ objectId, fieldId: owner.objectId }] : [];
  });
  const parents = await findParents(deps, inFields, stop);
  return forSale.flatMap(({ objectId }): HeldPiece[] => {
    const object = owners.get(objectId);
    if (object === undefined || !isOfType(nftType, object.objectType)) return [];
    if (object.owner.kind === 'wallet') return object.owner.address === wallet ? [{ ...inWallet, objectId }] : [];
    const parent = object.owner.kind === 'object' ? parents.get(object.owner.objectId) : undefined;
    if (parent === undefined || parent.isKiosk) return [];
    return [{ objectId, place: 'marketplace', kioskId: null, isListed: true }];
  });
}
