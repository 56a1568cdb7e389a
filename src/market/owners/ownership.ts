import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { CapType } from './holdings.ts';
import { type ChainSource, readNftType } from '../lookup/look-up-collection.ts';
import { createLearnedStore } from './learned-store.ts';
import { createMarketCollections } from './market-collections.ts';
import { createOwnerReader, type OwnerSource } from './owner-reader.ts';
import { createOwnerTables, readWholeTable } from './owner-tables.ts';
import { createReadWallet } from './read-wallet.ts';
import { createOwnReadings, readWallets } from './read-wallets.ts';

export interface OwnershipDeps {
  readonly settings: { readonly network: string; readonly capTypes: readonly CapType[] };
  readonly sui: OwnerSource & ChainSource;
  /** For whole collections, which nobody waits for. */
  readonly backgroundSui: OwnerSource;
  readonly market: MarketCall;
  readonly database: Kysely<Database>;
  readonly clock: { now(): Date };
}

export type Ownership = ReturnType<typeof createOwnership>;

/** Who holds what of a collection (rulings R5). */
export function createOwnership({ settings, sui, backgroundSui, market, database, clock }: OwnershipDeps) {
  const reader = createOwnerReader(sui, settings.capTypes);
  const tableReader = createOwnerReader(backgroundSui, settings.capTypes);
  const store = createLearnedStore(database, settings.network);
  const collectionsOf = createMarketCollections(market, clock);
  const tableDeps = { reader: tableReader, store, market, clock };
  const tables = createOwnerTables(tableDeps);
  const readWallet = createReadWallet({ reader, store, market, tables, collectionsOf, clock });
  const own = createOwnReadings(readWallet, clock);
  return {
    /** The whole truth about one wallet, read now: its own objects, every kiosk whose cap it holds, the marketplace's listings. Never throws Unavailable. */
    readWallet: (nftType: string, wallet: string, stop?: AbortSignal) => readWallet({ nftType, wallet }, stop),
    /**
     * Many wallets from one owner table of the collection: its cost grows with the collection, not with the wallets. A wallet that the
     * table cannot clear ('does not hold' for certain) is read on its own. Never throws Unavailable.
     */
    readWallets: (nftType: string, wallets: readonly string[], stop?: AbortSignal) =>
      readWallets({ tables, own, collectionsOf, clock }, nftType, wallets, stop),
    /** Every piece of the collection, read now, and which kiosks are personal ones. Throws Unavailable. */
    readTable: async (nftType: string) => {
      const table = await readWholeTable(tableDeps, nftType, await collectionsOf(nftType));
      const kioskIds = table.pieces.flatMap(({ spot }) => (spot.kind === 'kiosk' ? [spot.kioskId] : []));
      const caps = await store.capsOfKiosks([...new Set(kioskIds)]);
      const personal = caps.filter(({ kind }) => kind === 'personal-kiosk-cap');
      return { table, personalKiosks: new Set(personal.map(({ kioskId }) => kioskId)) };
    },
    /** Throws Unavailable. */
    readNftType: (text: string, stop?: AbortSignal) => readNftType({ sui, market, collectionsOf }, text, stop),
  };
}
