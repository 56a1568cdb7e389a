import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Ownership } from '../contract.ts';
import type { CapType } from '../holdings/cap-types.ts';
import type { ChainLookup, Clock, CollectionFinder } from '../ports.ts';
import { createLearnedStore } from './learned-store.ts';
import { createMarketCollections } from './market-collections.ts';
import { createOwnerTables } from './owner-tables.ts';
import { createOwnReadings } from './own-readings.ts';
import { createSuiOwnerReader, type OwnerSource } from './owner-reader.ts';
import type { PieceMarket } from './ownership-ports.ts';
import { readNftType } from './read-nft-type.ts';
import { createReadWallet } from './read-wallet.ts';
import { readWallets } from './read-wallets.ts';

export interface OwnershipDeps {
  readonly settings: { readonly network: string; readonly capTypes: readonly CapType[] };
  readonly sui: OwnerSource;
  readonly market: PieceMarket;
  readonly finder: CollectionFinder;
  readonly chain: ChainLookup;
  readonly database: Kysely<Database>;
  readonly clock: Clock;
}

/** Who holds what of a collection (rulings R5). */
export function createOwnership({ settings, sui, market, finder, chain, database, clock }: OwnershipDeps): Ownership {
  const reader = createSuiOwnerReader(sui, settings.capTypes);
  const store = createLearnedStore(database, settings.network);
  const collectionsOf = createMarketCollections(finder, clock);
  const tables = createOwnerTables({ reader, store, market, clock });
  const readWallet = createReadWallet({ reader, store, market, tables, collectionsOf, clock });
  const own = createOwnReadings(readWallet, clock);
  return {
    readWallet: (nftType: string, wallet: string, stop?: AbortSignal) => readWallet({ nftType, wallet }, stop),
    readWallets: (nftType: string, wallets: readonly string[], stop?: AbortSignal) =>
      readWallets({ tables, own, collectionsOf, clock }, nftType, wallets, stop),
    readNftType: (text: string, stop?: AbortSignal) =>
      readNftType({ types: sui, chain, finder, collectionsOf }, text, stop),
  };
}
