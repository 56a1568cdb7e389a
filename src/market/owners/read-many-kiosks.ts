import { Unavailable } from '../../shared/failure.ts';
import type { HeldPiece } from '../contract.ts';
import { piecesInKiosks } from '../core/owner-table.ts';
import { untilStopped } from './at-upstream.ts';
import type { CollectionsOf } from './market-collections.ts';
import type { OwnerTables } from './owner-tables.ts';

export interface ManyKiosksDeps {
  readonly tables: OwnerTables;
  readonly collectionsOf: CollectionsOf;
}

/**
 * The pieces in the kiosks of a wallet that has too many to look into: by where every piece of the collection lies instead. Kiosks cost
 * little, and caps can be sent to anybody: if they made the answer 'unknown', whoever sells could keep the role with them for good.
 * Throws Unavailable, also where the marketplace does not tell of every piece.
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
