import type { Kysely } from 'kysely';

import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import { createLimiter } from '../../process/concurrency.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { HoldingAnswer } from '../contract.ts';
import { isCertain, type OwnerTable, nftsByWallet } from '../core/owner-table.ts';
import { type ChainSource, type CollectionsOf, createMarketCollections, readNftType } from '../look-up-collection.ts';
import { outageOf, unknownHolding, untilStopped } from './outages.ts';
import { capTypesOf, type OwnerSource } from './kiosk-caps.ts';
import { createKioskStore } from './kiosk-store.ts';
import { createOwnerTables, type OwnerTables, readWholeTable } from './owner-tables.ts';
import { createReadWallet, type ReadWallet, type WalletQuery } from './read-wallet.ts';

export interface OwnershipDeps {
  readonly config: Pick<Config, 'SUI_NETWORK'>;
  readonly sui: OwnerSource & ChainSource & Pick<SuiClient, 'readDatatype'>;
  /** For whole collections and all wallets of a sweep: work that no user waits for. */
  readonly backgroundSui: OwnerSource;
  readonly marketplace: MarketCall;
  readonly database: Kysely<Database>;
  readonly clock: { now(): Date };
}

export type Ownership = ReturnType<typeof createOwnership>;

/** Who holds what of a collection (rulings R5). */
export function createOwnership({ config, sui, backgroundSui, marketplace: market, database, clock }: OwnershipDeps) {
  const capTypes = capTypesOf(config.SUI_NETWORK);
  const store = createKioskStore(database, config.SUI_NETWORK);
  const collectionsOf = createMarketCollections(market, clock);
  const tableDeps = { sui: backgroundSui, capTypes, store, market, clock };
  const tables = createOwnerTables(tableDeps);
  const walletDeps = { ...tableDeps, tables, collectionsOf };
  const readWallet = createReadWallet({ ...walletDeps, sui });
  const walletReader = createWalletReader(createReadWallet(walletDeps), clock);
  return {
    /** One wallet, read now and completely: its own objects, every kiosk whose cap it holds, the marketplace's listings. Never throws Unavailable. */
    readWallet: (nftType: string, wallet: string, stop?: AbortSignal) => readWallet({ nftType, wallet }, stop),
    /**
     * Many wallets from one owner table: the cost grows with the collection, not with the wallets. A wallet that the table cannot
     * answer for certain with 'does not hold' is read on its own. Never throws Unavailable.
     */
    readWallets: (nftType: string, wallets: readonly string[], stop?: AbortSignal) =>
      readWallets({ tables, walletReader, collectionsOf, clock }, nftType, new Set(wallets), stop),
    /**
     * Every NFT of the collection, read now, and which kiosks are personal ones. `onListed` gets the NFTs before the search for
     * the kiosks' holders, which takes minutes at a public node when none is known. Throws Unavailable.
     */
    readTable: async (nftType: string, onListed: (table: OwnerTable) => Promise<void> = async () => {}) => {
      const table = await readWholeTable(tableDeps, nftType, await collectionsOf(nftType), onListed);
      const kioskIds = table.nfts.flatMap(({ spot }) => (spot.kind === 'kiosk' ? [spot.kioskId] : []));
      const caps = await store.capsOfKiosks([...new Set(kioskIds)]);
      const personal = caps.filter(({ kind }) => kind === 'personal-kiosk-cap');
      return { table, personalKiosks: new Set(personal.map(({ kioskId }) => kioskId)) };
    },
    /** Throws Unavailable. */
    readNftType: (text: string, stop?: AbortSignal) => readNftType({ sui, collectionsOf }, text, stop),
  };
}

interface ReadWalletsDeps {
  readonly tables: OwnerTables;
  readonly walletReader: WalletReader;
  readonly collectionsOf: CollectionsOf;
  readonly clock: { now(): Date };
}

type Answers = ReadonlyMap<string, HoldingAnswer>;

/**
 * Many wallets from one owner table (decision 0017). A wallet with an NFT in the table holds. 'Does not hold' needs every
 * NFT placed elsewhere for certain; the first time, the table alone is not enough and the wallet itself is read too.
 */
async function readWallets(
  deps: ReadWalletsDeps,
  nftType: string,
  wallets: ReadonlySet<string>,
  stop?: AbortSignal,
): Promise<Answers> {
  const asOf = deps.clock.now();
  if (wallets.size === 0) return new Map();
  const readAlone = (wallet: string) => deps.walletReader.read({ nftType, wallet }, stop);
  const reading = await outageOf(untilStopped(readTable(deps, nftType, wallets), stop));
  if ('outage' in reading) return answersOf(wallets, () => unknownHolding(reading.outage, asOf));
  if (reading.value === null) return answersOf(wallets, readAlone);
  const { table, outage } = reading.value;
  const held = nftsByWallet(table);
  const isTableCertain = isCertain(table);
  return answersOf(wallets, (wallet) => {
    const nfts = held.get(wallet);
    if (nfts !== undefined) return { kind: 'holds', nfts, asOf: table.asOf };
    if (outage !== null) return unknownHolding(outage, table.asOf);
    const isEmpty = isTableCertain && deps.walletReader.wasEmpty({ nftType, wallet });
    return isEmpty ? { kind: 'does-not-hold', kioskCount: null, asOf: table.asOf } : readAlone(wallet);
  });
}

/** null: without a marketplace key, or if the marketplace does not know the collection, there is no list of its NFTs. */
async function readTable({ tables, collectionsOf }: ReadWalletsDeps, nftType: string, wallets: ReadonlySet<string>) {
  const found = await outageOf(collectionsOf(nftType));
  if ('outage' in found) {
    if (found.outage.reason === 'marketplace-key-missing') return null;
    throw found.outage;
  }
  return found.value.collections.length === 0 ? null : tables.read(nftType, found.value, wallets);
}

async function answersOf(
  wallets: ReadonlySet<string>,
  answer: (wallet: string) => HoldingAnswer | Promise<HoldingAnswer>,
): Promise<Answers> {
  return new Map(await Promise.all([...wallets].map(async (wallet) => [wallet, await answer(wallet)] as const)));
}

type WalletReader = ReturnType<typeof createWalletReader>;

const walletsAtOnceMax = 8;
/** As long as a table is cached. */
const sameAnswerMs = 60_000;
/** After that even a complete table is not enough to say 'no': the marketplace may have missed an NFT. */
const emptyForMs = 6 * 3_600_000;

/** Reads single wallets, a few at a time in the whole process, and remembers which held nothing. */
export function createWalletReader(readWallet: ReadWallet, clock: { now(): Date }) {
  const emptyAtMs = new Map<string, number>();
  const inTurn = createLimiter(walletsAtOnceMax);
  const cached = createAnswerCache<HoldingAnswer>(clock, ({ kind }) => (kind === 'does-not-hold' ? sameAnswerMs : 0));

  const readNow = async (query: WalletQuery, stop?: AbortSignal): Promise<HoldingAnswer> => {
    const answer = await readWallet(query, stop);
    if (answer.kind === 'unknown') return answer;
    const key = keyOf(query);
    const atMs = answer.asOf.getTime();
    emptyAtMs.delete(key);
    if (answer.kind === 'does-not-hold') emptyAtMs.set(key, atMs);
    for (const [oldest, oldestAtMs] of emptyAtMs) {
      if (atMs - oldestAtMs < emptyForMs) break;
      emptyAtMs.delete(oldest);
    }
    return answer;
  };

  return {
    read: (query: WalletQuery, stop?: AbortSignal) => inTurn(() => cached(keyOf(query), () => readNow(query, stop))),
    /** The wallet was read on its own and held nothing, recently enough for a table to confirm it. */
    wasEmpty: (query: WalletQuery): boolean => {
      const ageMs = clock.now().getTime() - (emptyAtMs.get(keyOf(query)) ?? -Infinity);
      // A negative age: the clock was set back, so the age is unknown.
      return ageMs >= 0 && ageMs < emptyForMs;
    },
  };
}

const keyOf = ({ nftType, wallet }: WalletQuery): string => `${wallet} ${nftType}`;
