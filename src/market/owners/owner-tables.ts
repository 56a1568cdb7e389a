import { concurrently } from '../../process/taking-turns.ts';
import { Unavailable } from '../../shared/failure.ts';
import {
  type FieldParent,
  isPlaced,
  type OwnerTable,
  piecesByWallet,
  type TablePiece,
  unheldKiosks,
  withHolders,
  withParents,
} from '../core/owner-table.ts';
import { atUpstream, outageOf } from './at-upstream.ts';
import { buildOwnerTable, holdKnownKiosks, type TableDeps } from './build-owner-table.ts';
import { findParents } from './find-parents.ts';
import type { HeldCap } from './holdings.ts';
import { createKeptAnswers } from './kept-answers.ts';
import type { CollectionsOfType } from './market-collections.ts';

/** Tables in memory: however many servers watch a collection, they share one. */
export interface OwnerTables {
  /** The table, resolved for these wallets as far as may be; with an outage, what it does not say is not known. Throws Unavailable. */
  read(
    nftType: string,
    collections: CollectionsOfType,
    wallets: ReadonlySet<string>,
  ): Promise<{ readonly table: OwnerTable; readonly outage: Unavailable | null }>;
}

interface SharedTable {
  readonly live: LiveTable;
  /** Later callers use what earlier ones learned. */
  lastTurn: Promise<unknown>;
}

const keepMs = 60_000;

export function createOwnerTables(deps: TableDeps): OwnerTables {
  const kept = createKeptAnswers<SharedTable>(deps.clock, () => keepMs);
  const build = async (nftType: string, collections: CollectionsOfType): Promise<SharedTable> => {
    const table = await buildOwnerTable(deps, nftType, collections);
    return { live: { table, askedWallets: new Set(), kioskHints: null }, lastTurn: Promise.resolve() };
  };
  return {
    read: async (nftType, collections, wallets) => {
      const shared = await kept(nftType, () => build(nftType, collections));
      const { live } = shared;
      const turn = shared.lastTurn.then(async () => {
        const resolved = await outageOf(resolveKiosks(deps, live, wallets));
        return { table: live.table, outage: 'outage' in resolved ? resolved.outage : null };
      });
      shared.lastTurn = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The table of now, with the holder of every kiosk that can be found. Throws Unavailable. */
export async function readWholeTable(
  deps: TableDeps,
  nftType: string,
  collections: CollectionsOfType,
): Promise<OwnerTable> {
  const table = await buildOwnerTable(deps, nftType, collections);
  const live: LiveTable = { table, askedWallets: new Set(), kioskHints: null };
  await readHintedWallets(deps, live, null);
  // A wallet that holds other pieces has an answer; a piece that was just handed to a marketplace has none yet.
  const isWhole = live.table.pieces.every(({ spot }) => isPlaced(spot, live.table.holders));
  if (!isWhole) await readUnplaced(deps, live, null);
  return live.table;
}

/** A table while it is used: what was learned for one caller is there for the next. */
export interface LiveTable {
  table: OwnerTable;
  /** Wallets whose caps were read for this table. */
  readonly askedWallets: Set<string>;
  /** What the owner fields of kiosks without a known cap say; null: not read yet. */
  kioskHints: ReadonlyMap<string, string> | null;
}

const walletsAtOnceMax = 8;
/** Each blocks the process for a tenth of a millisecond, and anybody may hold any number of caps. */
const fieldIdsMax = 2_000;

/**
 * Learns the caps of kiosks without a known holder from the wallets in question and from the owners that marketplace or kiosk
 * name: one request a wallet. Fields and kiosks themselves are read only where a wallet in question would otherwise get no
 * answer. Throws Unavailable; what was learned until then stays.
 */
export async function resolveKiosks(deps: TableDeps, live: LiveTable, wallets: ReadonlySet<string>): Promise<void> {
  await readHintedWallets(deps, live, wallets);
  const held = piecesByWallet(live.table);
  if (live.kioskHints !== null || [...wallets].every((wallet) => held.has(wallet))) return;
  await readUnplaced(deps, live, wallets);
}

async function readUnplaced(deps: TableDeps, live: LiveTable, wallets: WalletsInQuestion): Promise<void> {
  await readFieldsAndKiosks(deps, live);
  await readHintedWallets(deps, live, wallets);
}

/** null: all. */
type WalletsInQuestion = ReadonlySet<string> | null;

async function readHintedWallets(deps: TableDeps, live: LiveTable, wallets: WalletsInQuestion): Promise<void> {
  const hints = live.table.pieces.flatMap((piece) =>
    isPlaced(piece.spot, live.table.holders) ? [] : hintsOf(piece, live.kioskHints),
  );
  const wanted = [...new Set(hints)].filter(
    (wallet) => wallets?.has(wallet) !== false && !live.askedWallets.has(wallet),
  );
  await concurrently(wanted, walletsAtOnceMax, async (wallet) => {
    const caps = await capsOf(deps, wallet);
    await deps.store.learnCaps(caps);
    live.askedWallets.add(wallet);
    const parents = provenParents(deps, live.table.pieces, wallet, caps);
    await deps.store.learnParents([...parents.values()]);
    const holders = caps.map(({ kioskId }) => ({ kioskId, wallet }));
    live.table = withHolders(withParents(live.table, parents), holders);
  });
}

function hintsOf({ spot, hint }: TablePiece, kioskHints: LiveTable['kioskHints']): readonly string[] {
  const ofKiosk = spot.kind === 'kiosk' ? kioskHints?.get(spot.kioskId) : undefined;
  return [hint, ofKiosk].filter((each) => typeof each === 'string');
}

/** One wallet full of junk must not leave the others without an answer: it is read on its own later. */
async function capsOf({ reader }: TableDeps, wallet: string): Promise<readonly HeldCap[]> {
  try {
    return await atUpstream('node', () => reader.readCaps(wallet));
  } catch (error) {
    if (error instanceof Unavailable && error.reason !== 'node-unavailable') return [];
    throw error;
  }
}

/** Pieces that lie in a kiosk of the wallet, without a request: the id of the field says so. None where that would take long. */
function provenParents(
  { reader }: TableDeps,
  pieces: readonly TablePiece[],
  wallet: string,
  caps: readonly HeldCap[],
): ReadonlyMap<string, FieldParent> {
  const kioskIds = [...new Set(caps.map(({ kioskId }) => kioskId))];
  const hinted = pieces.flatMap(({ objectId, hint, spot }) =>
    spot.kind === 'field' && hint === wallet ? [{ objectId, fieldId: spot.fieldId }] : [],
  );
  if (hinted.length * kioskIds.length > fieldIdsMax) return new Map();
  const proven = hinted.flatMap(({ objectId, fieldId }): FieldParent[] => {
    const parentId = kioskIds.find((kioskId) => reader.kioskFieldId(kioskId, objectId) === fieldId);
    return parentId === undefined ? [] : [{ fieldId, parentId, isKiosk: true }];
  });
  return new Map(proven.map((parent) => [parent.fieldId, parent]));
}

async function readFieldsAndKiosks(deps: TableDeps, live: LiveTable): Promise<void> {
  const inFields = live.table.pieces.flatMap(({ objectId, spot }) =>
    spot.kind === 'field' ? [{ objectId, fieldId: spot.fieldId }] : [],
  );
  const parents = await atUpstream('node', () => findParents(deps, inFields));
  live.table = await holdKnownKiosks(deps, withParents(live.table, parents));
  const kioskIds = unheldKiosks(live.table);
  live.kioskHints = await atUpstream('node', () => deps.reader.readKioskOwnerFields(kioskIds));
}
