import { createLimiter } from '../../process/concurrency.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CollectionFactsAnswer } from '../contract.ts';
import {
  colorMarkets,
  galleryPage,
  type GalleryQuery,
  type KnownRock,
  rockCounts,
  shownRock,
} from '../core/rock-gallery.ts';
import { type HistoryReach, historyReach } from '../../shared/history-reach.ts';
import { partOfTotal } from '../core/rocks.ts';
import {
  ageOf,
  collectionNoscriptHtml,
  describeOwnCollection,
  type MarketFloor,
  mintMilestones,
  type RockCounts,
  staleAtMs,
  withFloorOfRocks,
} from '../core/own-collection.ts';
import {
  type AgedRock,
  type HolderAnswer,
  type Receipt,
  type ReceiptSource,
  type RockAnswer,
  type RockPageAnswer,
  type RocksAnswer,
  rocksPageSize,
  type SharedTreasury,
} from '../rocks-contract.ts';
import type { OwnerNames } from './owner-names.ts';
import type { RockStore } from './rock-store.ts';

export type RockCatalog = ReturnType<typeof createRockCatalog>;

interface Loaded {
  readonly rocks: readonly KnownRock[];
  readonly asOf: Date | null;
  /** False: the holders of kiosks are still being read. */
  readonly areOwnersRead: boolean;
  readonly isHistoryComplete: boolean;
  readonly historyAt: Date | null;
  readonly firstAt: Date | null;
  readonly names: ReadonlyMap<string, string>;
  readonly colors: RocksAnswer['colors'];
  /** The collection's name at the marketplace. */
  readonly name: string | null;
}

const everyRock: GalleryQuery = { color: null, listed: null, owner: null, sort: 'number' };
const nothingLoaded: Loaded = {
  rocks: [],
  asOf: null,
  areOwnersRead: false,
  isHistoryComplete: false,
  historyAt: null,
  firstAt: null,
  names: new Map(),
  colors: [],
  name: null,
};
const noReceipts: ReceiptSource = { ofRock: () => [], ofAddress: () => [] };
const noSales = { count: 0, volumeMist: 0n };

/** The last state loaded from the database. Listeners run after every load, and when the state becomes stale. */
function createLoaded(read: () => Promise<Loaded>, clock: Clock) {
  const listeners = new Set<() => void>();
  let loaded = nothingLoaded;
  let cancelStale = (): void => {};
  let isStopped = false;
  const changed = (): void => {
    cancelStale();
    for (const run of listeners) run();
    const staleInMs = loaded.asOf === null ? 0 : staleAtMs(loaded.asOf) - clock.now().getTime();
    if (staleInMs > 0 && !isStopped) cancelStale = clock.after(staleInMs, changed);
  };
  const readNow = async (): Promise<void> => {
    loaded = await read();
    changed();
  };
  const inTurn = createLimiter(1);
  return {
    now: (): Loaded => loaded,
    // One load at a time: an older reading must not replace a newer one.
    load: (): Promise<void> => inTurn(readNow),
    onChange: (run: () => void): void => void listeners.add(run),
    stop: (): void => {
      isStopped = true;
      cancelStale();
    },
  };
}

/** Every rock, in memory as last loaded from the database; all calls are answered from here. */
export function createRockCatalog(store: RockStore, ownerNames: OwnerNames, collectionType: string, clock: Clock) {
  const { now, load, onChange, stop } = createLoaded(() => readAll(store, ownerNames), clock);
  let receipts = noReceipts;
  const nameOf = (address: string): string | null => now().names.get(address) ?? null;
  const shown = (rock: KnownRock): RockAnswer => shownRock(rock, nameOf);
  const missing = (): null | undefined => (now().asOf === null ? undefined : null);
  const age = (asOf = now().asOf) => ageOf(asOf, clock.now());
  const page = (query: GalleryQuery, number: number): RocksAnswer => {
    const { rocks, colors } = now();
    const { total, rocks: found } = galleryPage(rocks, query, number);
    return { ...age(), total, page: number, pageSize: rocksPageSize, rocks: found.map(shown), colors };
  };
  const counts = () => countsOf(now());
  const collection = (): CollectionFactsAnswer =>
    describeOwnCollection(collectionType, counts(), now().name, clock.now());
  return {
    load,
    page,
    reach: (): HistoryReach => historyReach(now(), now().firstAt, clock.now()),
    /** GET /api/collection. */
    collection,
    /** The marketplace's facts by collection, with the floor that all pages show of our own. */
    withOwnFloor: <Fact extends MarketFloor>(facts: ReadonlyMap<string, Fact>) =>
      withFloorOfRocks(facts, collectionType, counts(), clock.now()),
    /** For `<!--snapshot:collection-->`. */
    collectionHtml: (): string => collectionNoscriptHtml(collection()),
    /** The first page of all rocks by number. */
    firstPage: () => page(everyRock, 1),
    paths: () => now().rocks.map(({ number }) => `/rocks/${number}`),
    /** null: no rock with that number is minted; undefined: no rocks have been read yet. */
    rock: async (number: number): Promise<RockPageAnswer | null | undefined> => {
      const { rocks, isHistoryComplete } = now();
      const at = rocks.findIndex((rock) => rock.number === number);
      const rock = rocks[at];
      if (rock === undefined) return missing();
      const history = await historyOf(store, rock.objectId);
      const beside = { previous: rocks[at - 1]?.number ?? null, next: rocks[at + 1]?.number ?? null };
      const payouts = [...receipts.ofRock(number)];
      return { ...age(rock.readAt), ...shown(rock), history, isHistoryComplete, payouts, ...beside };
    },
    /** null: no rock with that number is minted; undefined: no rocks have been read yet. */
    find: (number: number): AgedRock | null | undefined => {
      const rock = now().rocks.find((each) => each.number === number);
      return rock === undefined ? missing() : { ...age(rock.readAt), ...shown(rock) };
    },
    /** The owner of every rock; null: the owners have not been read yet. */
    owners: () => (now().areOwnersRead ? now().rocks.map(({ number, owner }) => ({ number, owner })) : null),
    areOwnersRead: () => now().areOwnersRead,
    /** null: the object is not a rock. */
    numberOf: (objectId: string): number | null =>
      now().rocks.find((rock) => rock.objectId === objectId)?.number ?? null,
    /** Empty until rocks have been read. `requestedName`: the name in the request, which leads to this address now. */
    holder: (address: string, treasury: SharedTreasury | null, requestedName?: string): HolderAnswer => {
      const own = now().rocks.filter(({ owner }) => owner === address);
      const rocks = own.map((rock) => ({ ...shown(rock), since: rock.since?.toISOString() ?? null }));
      const name = nameOf(address) ?? requestedName ?? null;
      const share = treasuryShare(treasury, own.length);
      const payouts = [...receipts.ofAddress(address)];
      return { address, name, ...age(oldestOf(own)), count: own.length, rocks, share, payouts };
    },
    /** The name of an owner when names were last read; null: none is known. */
    nameOf,
    /** The owner who had this name when names were last read; null: no owner had it. */
    named: (name: string): string | null => [...now().names].find(([, each]) => each === name)?.[0] ?? null,
    /** When round numbers of rocks had been minted; empty while the past is still being read. */
    mintMilestones: async () => (now().isHistoryComplete ? mintMilestones(await store.mints()) : []),
    /** What this rock received from payouts, newest first. */
    receiptsOf: (number: number): readonly Receipt[] => receipts.ofRock(number),
    /** Sets the source of payments; until then there are none. */
    showReceipts: (source: ReceiptSource): void => void (receipts = source),
    /** Runs after every load, and when the shown state becomes stale. */
    onChange,
    stop,
  };
}

const countsOf = ({ rocks, asOf, areOwnersRead }: Loaded): RockCounts | null =>
  asOf && rockCounts(rocks, asOf, areOwnersRead);

function treasuryShare(treasury: SharedTreasury | null, count: number): HolderAnswer['share'] {
  const { asOf, state } = treasury?.figures.valuePerRock ?? { asOf: null, state: 'unavailable' };
  return {
    ...partOfTotal(treasury?.totalUsdValue ?? null, count, treasury?.valuePerRock?.mintedCount ?? null),
    asOf,
    state,
  };
}

/** undefined: there are no rocks. */
function oldestOf(rocks: readonly Pick<KnownRock, 'readAt'>[]): Date | undefined {
  return rocks.length === 0 ? undefined : new Date(Math.min(...rocks.map(({ readAt }) => readAt.getTime())));
}

async function readAll(store: RockStore, ownerNames: OwnerNames): Promise<Loaded> {
  const [rocks, listings, sales, arrivals, week, progress, names, watched] = await Promise.all([
    store.rocks(),
    store.lastListings(),
    store.lastSales(),
    store.lastArrivals(),
    store.salesOfWeek(),
    store.progress(),
    ownerNames.all(),
    store.watched(),
  ]);
  const known = rocks.map((rock): KnownRock => {
    const arrival = arrivals.get(rock.objectId);
    return {
      ...rock,
      listing: inSuiOnly(rock.listing, listings.get(rock.objectId)),
      lastSale: sales.get(rock.objectId) ?? null,
      // The last receiver may have handed it on in a way that no market reports.
      since: arrival?.receiver === rock.owner ? (arrival?.happenedAt ?? null) : null,
      salesOfWeek: week.get(rock.objectId) ?? noSales,
    };
  });
  const { rocksAsOf, isHistoryComplete, historyAt } = progress;
  const asOf = rocksAsOf ?? oldestOf(rocks) ?? null;
  const areOwnersRead = rocksAsOf !== null;
  const firstAt = isHistoryComplete ? null : await store.firstAt();
  const colors = asOf === null ? [] : colorMarkets(known, { isHistoryComplete, areOwnersRead });
  return {
    rocks: known,
    asOf,
    areOwnersRead,
    isHistoryComplete,
    historyAt,
    firstAt,
    names,
    colors,
    name: watched?.name ?? null,
  };
}

/** The marketplace's listings do not name the coin of a price; its activity does. */
function inSuiOnly(listing: KnownRock['listing'], event: { readonly priceMist: bigint | null } | undefined) {
  return listing !== null && event?.priceMist === null ? { ...listing, priceMist: null } : listing;
}

async function historyOf(store: RockStore, objectId: string): Promise<RockPageAnswer['history']> {
  const events = await store.history(objectId);
  return events.map(({ kind, happenedAt, priceMist, sender: from, receiver: to, transactionDigest: digest }) => ({
    kind,
    at: happenedAt.toISOString(),
    priceMist: priceMist?.toString() ?? null,
    from,
    to,
    digest,
  }));
}
