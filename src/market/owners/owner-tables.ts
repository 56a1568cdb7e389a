import { concurrently, createLimiter } from '../../process/concurrency.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { OwnedThing } from '../../sources/sui/objects.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import { type MarketNft, readNfts } from '../../sources/tradeport/nfts.ts';
import { isOfType } from '../core/held-types.ts';
import {
  type FieldParent,
  isPlaced,
  type OwnerTable,
  nftsByWallet,
  type NftSpot,
  type TableNft,
  kiosksWithoutHolder,
  withHolders,
  withParents,
} from '../core/owner-table.ts';
import type { CollectionsOfType } from '../look-up-collection.ts';
import { outageOf, unknownReason } from './outages.ts';
import { type CapType, type HeldCap, kioskFieldId, type OwnerSource, readCaps } from './kiosk-caps.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import { findParents, type KioskStore } from './kiosk-store.ts';

export interface TableDeps {
  readonly sui: OwnerSource;
  readonly capTypes: readonly CapType[];
  readonly store: KioskStore;
  readonly market: MarketCall;
  readonly clock: { now(): Date };
}

export type OwnerTables = ReturnType<typeof createOwnerTables>;

const keepMs = 60_000;

/** Caches owner tables in memory: all servers that watch a collection share one. */
export function createOwnerTables(deps: TableDeps) {
  // One caller at a time: later ones use what earlier ones learned.
  const cached = createAnswerCache<{ live: LiveTable; inTurn: ReturnType<typeof createLimiter> }>(
    deps.clock,
    () => keepMs,
  );
  return {
    /** The table, resolved for these wallets as far as possible. After an `outage`, what the table lacks is unknown. Throws Unavailable. */
    read: async (nftType: string, collections: CollectionsOfType, wallets: ReadonlySet<string>) => {
      const { live, inTurn } = await cached(nftType, async () => ({
        live: await beginTable(deps, nftType, collections),
        inTurn: createLimiter(1),
      }));
      return inTurn(async () => {
        const resolved = await outageOf(resolveKiosks(deps, live, wallets));
        return { table: live.table, outage: 'outage' in resolved ? resolved.outage : null };
      });
    },
  };
}

/** The current table, with the holder of every kiosk where it can be found. Throws Unavailable. */
export async function readWholeTable(
  deps: TableDeps,
  nftType: string,
  collections: CollectionsOfType,
  onListed: (table: OwnerTable) => Promise<void>,
): Promise<OwnerTable> {
  const live = await beginTable(deps, nftType, collections);
  await onListed(live.table);
  await readHintedWallets(deps, live, everyWallet);
  // Every NFT needs an answer here, also one just handed to a marketplace whose seller holds other NFTs.
  const isWhole = live.table.nfts.every(({ spot }) => isPlaced(spot, live.table.holders));
  if (!isWhole) await readUnplaced(deps, live, everyWallet);
  return live.table;
}

/**
 * Who holds what of a collection (decision 0017): the marketplace lists the NFTs, the chain names their owners, the database
 * knows some of their kiosks. What has to be learned is left to `resolveKiosks`. Throws Unavailable.
 */
async function beginTable(
  deps: TableDeps,
  nftType: string,
  { collections, isComplete }: CollectionsOfType,
): Promise<LiveTable> {
  const asOf = deps.clock.now();
  const found = await Promise.all(collections.map(({ marketId }) => readNfts(deps.market, marketId)));
  const listed = new Map(found.flatMap((each) => each.nfts).map((nft) => [nft.objectId, nft]));
  const owners = await deps.sui.readOwners([...listed.keys()]);
  const nfts = [...listed.values()].flatMap((nft) => placed(nftType, nft, owners.get(nft.objectId)));
  const isWhole = isComplete && found.every((each) => isWholeCollection(each, owners));
  const table = { asOf, isComplete: isWhole, nfts, holders: new Map<string, Set<string>>() };
  const parents = await deps.store.parentsOf(nfts.flatMap(({ spot }) => (spot.kind === 'field' ? [spot.fieldId] : [])));
  const held = await holdKnownKiosks(deps, withParents(table, parents));
  return { table: held, walletsRead: new Set(), kioskHints: null };
}

/** False if there are fewer NFTs than the marketplace counts, which is what exists now (rulings R3): then no wallet is known to be empty. */
function isWholeCollection(
  { nfts, supply, unreadableCount }: Awaited<ReturnType<typeof readNfts>>,
  owners: ReadonlyMap<string, OwnedThing>,
): boolean {
  const existing = nfts.filter((nft) => spotOf(nft, owners.get(nft.objectId)).kind !== 'burned');
  const count = new Set(existing.map(({ objectId }) => objectId)).size;
  return unreadableCount === 0 && supply !== null && count >= supply;
}

function placed(nftType: string, nft: MarketNft, object: OwnedThing | undefined): TableNft[] {
  // A package may have several types, and a marketplace may be wrong about an NFT.
  if (object !== undefined && !isOfType(nftType, object.objectType)) return [];
  const { objectId, name, isListed, owner: hint, listPriceMist: priceMist, listMarketName: marketName } = nft;
  const listing = isListed ? { priceMist, marketName } : null;
  const { imageUrl, index } = nft;
  return [{ objectId, name, hint, spot: spotOf(nft, object), listing, imageUrl, index }];
}

function spotOf({ isBurned }: MarketNft, object: OwnedThing | undefined): NftSpot {
  // Unless the marketplace says burned, it may be wrapped in another object, or have been sent to 0x0 by mistake.
  if (object === undefined || object.owner.kind === 'none') return { kind: isBurned ? 'burned' : 'nowhere' };
  if (object.owner.kind === 'wallet') return { kind: 'wallet', address: object.owner.address };
  return { kind: 'field', fieldId: object.owner.objectId };
}

/** Adds the wallets that hold the known caps of kiosks: read again, because a cap may be handed on. Throws Unavailable. */
async function holdKnownKiosks({ sui, store }: TableDeps, table: OwnerTable): Promise<OwnerTable> {
  const caps = await store.capsOfKiosks(kiosksWithoutHolder(table));
  const owners = await sui.readOwners(caps.map(({ capId }) => capId));
  // A cap that is gone was burned, or wrapped in a cap of another kind that must be found again.
  await store.deleteCaps(caps.filter(({ capId }) => !owners.has(capId)).map(({ capId }) => capId));
  return withHolders(
    table,
    caps.flatMap((cap) => holderOf(cap, owners.get(cap.capId))),
  );
}

function holderOf({ kioskId }: HeldCap, cap: OwnedThing | undefined) {
  if (cap === undefined) return [];
  return [{ kioskId, wallet: cap.owner.kind === 'wallet' ? cap.owner.address : null }];
}

/** A table in use: it keeps what was learned for one caller for the next. */
export interface LiveTable {
  table: OwnerTable;
  /** Those whose caps were read. */
  readonly walletsRead: Set<string>;
  /** The owner fields of kiosks without a known cap; null: not read yet. */
  kioskHints: ReadonlyMap<string, string> | null;
}

const walletsAtOnceMax = 8;
/** Deriving one blocks the process for a tenth of a millisecond, and a wallet may hold any number of caps. */
const fieldIdsMax = 2_000;

/**
 * Finds the holders of kiosks: reads the caps of those wallets in question that the marketplace or a kiosk names as owner, one
 * request per wallet. Reads fields and kiosks only if a wallet in question would otherwise get no answer. Throws Unavailable;
 * what was learned until then stays.
 */
export async function resolveKiosks(deps: TableDeps, live: LiveTable, wallets: ReadonlySet<string>): Promise<void> {
  const isWanted: IsWanted = (wallet) => wallets.has(wallet);
  await readHintedWallets(deps, live, isWanted);
  const areKiosksRead = live.kioskHints !== null;
  const held = nftsByWallet(live.table);
  if (areKiosksRead || [...wallets].every((wallet) => held.has(wallet))) return;
  await readUnplaced(deps, live, isWanted);
}

async function readUnplaced(deps: TableDeps, live: LiveTable, isWanted: IsWanted): Promise<void> {
  await readFieldsAndKiosks(deps, live);
  await readHintedWallets(deps, live, isWanted);
}

/** Whether an answer for this wallet is wanted. */
type IsWanted = (wallet: string) => boolean;
const everyWallet: IsWanted = () => true;

async function readHintedWallets(deps: TableDeps, live: LiveTable, isWanted: IsWanted): Promise<void> {
  const hints = live.table.nfts.flatMap((nft) =>
    isPlaced(nft.spot, live.table.holders) ? [] : hintsOf(nft, live.kioskHints),
  );
  const unread = [...new Set(hints)].filter((wallet) => isWanted(wallet) && !live.walletsRead.has(wallet));
  await concurrently(unread, walletsAtOnceMax, async (wallet) => {
    const caps = await capsOf(deps, wallet);
    await deps.store.saveCaps(caps);
    live.walletsRead.add(wallet);
    const parents = provenParents(live.table.nfts, wallet, caps);
    await deps.store.saveParents([...parents.values()]);
    const holders = caps.map(({ kioskId }) => ({ kioskId, wallet }));
    live.table = withHolders(withParents(live.table, parents), holders);
  });
}

function hintsOf({ spot, hint }: TableNft, kioskHints: LiveTable['kioskHints']): readonly string[] {
  const ofKiosk = spot.kind === 'kiosk' ? kioskHints?.get(spot.kioskId) : undefined;
  return [hint, ofKiosk].filter((each) => typeof each === 'string');
}

/** A wallet full of junk must not leave the others without an answer: it is read on its own later. */
async function capsOf({ sui, capTypes }: TableDeps, wallet: string): Promise<readonly HeldCap[]> {
  try {
    return await readCaps(sui, capTypes, wallet);
  } catch (error) {
    if (error instanceof Unavailable && unknownReason(error) !== 'node-unavailable') return [];
    throw error;
  }
}

/** The NFTs in the wallet's kiosks, proven by their field ids without a request. None where that would take too long. */
function provenParents(
  nfts: readonly TableNft[],
  wallet: string,
  caps: readonly HeldCap[],
): ReadonlyMap<string, FieldParent> {
  const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
  const hinted = nfts.flatMap(({ objectId, hint, spot }) =>
    spot.kind === 'field' && hint === wallet ? [{ objectId, fieldId: spot.fieldId }] : [],
  );
  if (hinted.length * kioskIds.length > fieldIdsMax) return new Map();
  const proven = hinted.flatMap(({ objectId, fieldId }): FieldParent[] => {
    const parentId = kioskIds.find((kioskId) => kioskFieldId(kioskId, objectId) === fieldId);
    return parentId === undefined ? [] : [{ fieldId, parentId, isKiosk: true }];
  });
  return new Map(proven.map((parent) => [parent.fieldId, parent]));
}

async function readFieldsAndKiosks(deps: TableDeps, live: LiveTable): Promise<void> {
  const inFields = live.table.nfts.flatMap(({ objectId, spot }) =>
    spot.kind === 'field' ? [{ objectId, fieldId: spot.fieldId }] : [],
  );
  const parents = await findParents(deps, inFields);
  live.table = await holdKnownKiosks(deps, withParents(live.table, parents));
  const kioskIds = kiosksWithoutHolder(live.table);
  live.kioskHints = await deps.sui.readKioskOwnerFields(kioskIds);
}
