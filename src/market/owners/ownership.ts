import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import { createLimiter } from '../../process/concurrency.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { HoldingAnswer } from '../contract.ts';
import { isCertain, type OwnerTable, nftsByWallet } from '../core/owner-table.ts';
import {
  type ChainSource,
  type CollectionsOf,
  collectionsOrNone,
  createMarketCollections,
  readNftType,
} from '../look-up-collection.ts';
import { outageOf, unknownReason, untilStopped } from './at-upstream.ts';
import type { CapType, OwnerSource } from './holdings.ts';
import { createLearnedStore } from './learned-store.ts';
import { createOwnerTables, type OwnerTables, readWholeTable } from './owner-tables.ts';
import { createReadWallet, type ReadWallet, type WalletQuestion } from './read-wallet.ts';

export interface OwnershipDeps {
  readonly settings: { readonly network: string; readonly capTypes: readonly CapType[] };
  readonly sui: OwnerSource & ChainSource & Pick<SuiClient, 'readDatatype'>;
  /** For whole collections and all wallets of a sweep: work that no user waits for. */
  readonly backgroundSui: OwnerSource;
  readonly marketplace: MarketCall;
  readonly database: Kysely<Database>;
  readonly clock: { now(): Date };
}

export type Ownership = ReturnType<typeof createOwnership>;

/** Who holds what of a collection (rulings R5). */
export function createOwnership({ settings, sui, backgroundSui, marketplace: market, database, clock }: OwnershipDeps) {
  const { capTypes, network } = settings;
  const store = createLearnedStore(database, network);
  const collectionsOf = createMarketCollections(market, clock);
  const tableDeps = { sui: backgroundSui, capTypes, store, market, clock };
  const tables = createOwnerTables(tableDeps);
  const walletDeps = { ...tableDeps, tables, collectionsOf };
  const readWallet = createReadWallet({ ...walletDeps, sui });
  const own = createOwnReadings(createReadWallet(walletDeps), clock);
  return {
    /** One wallet, read now and completely: its own objects, every kiosk whose cap it holds, the marketplace's listings. Never throws Unavailable. */
    readWallet: (nftType: string, wallet: string, stop?: AbortSignal) => readWallet({ nftType, wallet }, stop),
    /**
     * Many wallets from one owner table: the cost grows with the collection, not with the wallets. A wallet that the table cannot
     * answer for certain with 'does not hold' is read on its own. Never throws Unavailable.
     */
    readWallets: (nftType: string, wallets: readonly string[], stop?: AbortSignal) =>
      readWallets({ tables, own, collectionsOf, clock }, nftType, wallets, stop),
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
  readonly own: OwnReadings;
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
  asked: readonly string[],
  stop?: AbortSignal,
): Promise<Answers> {
  const wallets = new Set(asked);
  const asOf = deps.clock.now();
  if (wallets.size === 0) return new Map();
  const reading = await outageOf(untilStopped(readTable(deps, nftType, wallets), stop));
  if ('outage' in reading) return sameForAll(wallets, { kind: 'unknown', reason: unknownReason(reading.outage), asOf });
  if (reading.value === null) return readEach(deps, nftType, [...wallets], stop);
  const { table, outage } = reading.value;
  const held = nftsByWallet(table);
  const others = [...wallets].filter((wallet) => !held.has(wallet));
  const rest =
    outage === null
      ? await answerOthers(deps, { nftType, table }, others, stop)
      : sameForAll(others, { kind: 'unknown', reason: unknownReason(outage), asOf: table.asOf });
  return new Map(
    [...wallets].flatMap((wallet) => {
      const nfts = held.get(wallet);
      const answer: HoldingAnswer | undefined =
        nfts === undefined ? rest.get(wallet) : { kind: 'holds', nfts, asOf: table.asOf };
      return answer === undefined ? [] : [[wallet, answer]];
    }),
  );
}

/** null: the marketplace does not know the collection, so there is no list of its NFTs. */
async function readTable({ tables, collectionsOf }: ReadWalletsDeps, nftType: string, wallets: ReadonlySet<string>) {
  const found = await collectionsOrNone(collectionsOf, nftType);
  return found.collections.length === 0 ? null : tables.read(nftType, found, wallets);
}

async function answerOthers(
  deps: ReadWalletsDeps,
  { nftType, table }: { readonly nftType: string; readonly table: OwnerTable },
  others: readonly string[],
  stop?: AbortSignal,
): Promise<Answers> {
  const canClear = isCertain(table);
  const { cleared = [], asked = [] } = Object.groupBy(others, (wallet) =>
    canClear && deps.own.wasEmpty({ nftType, wallet }) ? 'cleared' : 'asked',
  );
  const none: HoldingAnswer = { kind: 'does-not-hold', kioskCount: null, asOf: table.asOf };
  return new Map([...sameForAll(cleared, none), ...(await readEach(deps, nftType, asked, stop))]);
}

async function readEach(
  { own }: ReadWalletsDeps,
  nftType: string,
  wallets: readonly string[],
  stop?: AbortSignal,
): Promise<Answers> {
  const answers = await Promise.all(
    wallets.map(async (wallet): Promise<[string, HoldingAnswer]> => [
      wallet,
      await own.read({ nftType, wallet }, stop),
    ]),
  );
  return new Map(answers);
}

function sameForAll(wallets: Iterable<string>, answer: HoldingAnswer): Answers {
  return new Map([...wallets].map((wallet) => [wallet, answer]));
}

/** Reads single wallets, a few at a time in the whole process, and remembers which held nothing. */
type OwnReadings = ReturnType<typeof createOwnReadings>;

const walletsAtOnceMax = 8;
/** As long as a table is cached. */
const sameAnswerMs = 60_000;
/** After that even a complete table is not enough to say 'no': the marketplace may have missed an NFT. */
const emptyForMs = 6 * 3_600_000;

export function createOwnReadings(readWallet: ReadWallet, clock: { now(): Date }) {
  const emptyAtMs = new Map<string, number>();
  const inTurn = createLimiter(walletsAtOnceMax);
  const kept = createAnswerCache<HoldingAnswer>(clock, ({ kind }) => (kind === 'does-not-hold' ? sameAnswerMs : 0));

  const readNow = async (question: WalletQuestion, stop?: AbortSignal): Promise<HoldingAnswer> => {
    const answer = await readWallet(question, stop);
    if (answer.kind === 'unknown') return answer;
    const [key, atMs] = [keyOf(question), answer.asOf.getTime()];
    emptyAtMs.delete(key);
    if (answer.kind === 'does-not-hold') emptyAtMs.set(key, atMs);
    for (const [oldest, oldestAtMs] of emptyAtMs) {
      if (atMs - oldestAtMs < emptyForMs) break;
      emptyAtMs.delete(oldest);
    }
    return answer;
  };

  return {
    read: (question: WalletQuestion, stop?: AbortSignal) =>
      inTurn(() => kept(keyOf(question), () => readNow(question, stop))),
    /** The wallet was read on its own and held nothing, recently enough for a table to confirm it. */
    wasEmpty: (question: WalletQuestion): boolean => {
      const ageMs = clock.now().getTime() - (emptyAtMs.get(keyOf(question)) ?? -Infinity);
      // A negative age: the clock was set back, so the age is unknown.
      return ageMs >= 0 && ageMs < emptyForMs;
    },
  };
}

const keyOf = ({ nftType, wallet }: WalletQuestion): string => `${wallet} ${nftType}`;
