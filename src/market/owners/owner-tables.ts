import { Unavailable } from '../../shared/failure.ts';
import type { HeldPiece } from '../contract.ts';
import { type OwnerTable, piecesInKiosks } from '../core/owner-table.ts';
import { outageOf, untilStopped } from './at-upstream.ts';
import { buildOwnerTable, type TableDeps } from './build-owner-table.ts';
import { createKeptAnswers } from './kept-answers.ts';
import type { CollectionsOf, CollectionsOfType } from './market-collections.ts';
import { type LiveTable, resolveKiosks } from './resolve-kiosks.ts';

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

export interface ManyKiosksDeps {
  readonly tables: OwnerTables;
  readonly collectionsOf: CollectionsOf;
}

/**
 * The pieces in the kiosks of a wallet that has too many to read, found by where every piece of the collection lies. Kiosks are
 * cheap, and caps can be sent to anybody: if they made the answer 'unknown', a seller could use them to keep the role for good.
 * Throws Unavailable, also where the marketplace does not list every piece.
 */
export async function readManyKiosks(
  { tables, collectionsOf }: ManyKiosksDeps,
  { nftType, wallet }: { readonly nftType: string; readonly wallet: string },
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
