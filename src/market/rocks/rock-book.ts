import type { Clock } from '../../shared/clock.ts';
import type { CollectionFactsAnswer } from '../contract.ts';
import {
  colorMarkets,
  filteredRocks,
  type GalleryQuery,
  type KnownRock,
  rockCounts,
  shownRock,
} from '../core/rock-gallery.ts';
import { type HistoryReach, historyReach } from '../../shared/history-reach.ts';
import { describeOwnCollection, mintMilestones, staleAtMs } from '../core/own-collection.ts';
import { percentOfCollection } from '../core/rocks.ts';
import {
  type HolderAnswer,
  type Receipt,
  type ReceiptSource,
  type RockAnswer,
  type RockPageAnswer,
  type RocksAnswer,
  rocksPageSize,
} from '../rocks-contract.ts';
import type { OwnerNames } from './owner-names.ts';
import type { RockStore } from './rock-store.ts';

/** Every rock in memory, as the database had it last; all calls answer from here. */
export interface RockBook {
  /** Reads the database again. */
  load(): Promise<void>;
  page(query: GalleryQuery, page: number): RocksAnswer;
  /** How far the past is read. */
  reach(): HistoryReach;
  /** GET /api/collection. */
  collection(): CollectionFactsAnswer;
  /** Of all rocks by number. */
  firstPage(): RocksAnswer;
  /** null: no rock of that number is minted; undefined: nothing was ever read. */
  rock(number: number): Promise<RockPageAnswer | null | undefined>;
  /** null: no rock of that number is minted; undefined: nothing was ever read. */
  find(number: number): RockAnswer | null | undefined;
  /** Whose every rock is; null: nothing was ever read. */
  owners(): readonly { readonly number: number; readonly owner: string | null }[] | null;
  /** null: no rock is that object. */
  numberOf(objectId: string): number | null;
  /** Whether there is anything to answer from. */
  wasRead(): boolean;
  /** Nothing until rocks were read. `askedName`: by which it was asked for, and which leads to it now. */
  holder(address: string, treasuryUsd: number | null, askedName?: string): HolderAnswer;
  /** How many rocks were minted when, at some round numbers; none while the past is still being read. */
  mintMilestones(): Promise<ReturnType<typeof mintMilestones>>;
  /** What payouts gave this rock, newest first. */
  receiptsOf(number: number): readonly Receipt[];
  /** From whom it learns what was paid out; nothing was before. */
  showReceipts(source: ReceiptSource): void;
  /** Runs after every load, and when what is shown turns stale. */
  onChange(run: () => void): void;
  stop(): void;
}

interface Loaded {
  readonly rocks: readonly KnownRock[];
  readonly asOf: Date | null;
  readonly isHistoryComplete: boolean;
  readonly historyAt: Date | null;
  readonly firstAt: Date | null;
  readonly names: ReadonlyMap<string, string>;
  readonly colors: RocksAnswer['data']['colors'];
  /** At the marketplace. */
  readonly name: string | null;
}

const everyRock: GalleryQuery = { color: null, listed: null, owner: null, sort: 'number' };
const nothingLoaded: Loaded = {
  rocks: [],
  asOf: null,
  isHistoryComplete: false,
  historyAt: null,
  firstAt: null,
  names: new Map(),
  colors: [],
  name: null,
};
const noReceipts: ReceiptSource = { ofRock: () => [], ofAddress: () => [] };
const noSales = { count: 0, volumeMist: 0n };

export function createRockBook(
  store: RockStore,
  ownerNames: OwnerNames,
  collectionType: string,
  clock: Clock,
): RockBook {
  const listeners = new Set<() => void>();
  let loaded = nothingLoaded;
  let receipts = noReceipts;
  let byNumber: ReadonlyMap<number, KnownRock> = new Map();
  let numbers: ReadonlyMap<string, number> = new Map();
  let cancelStale = (): void => {};
  let isStopped = false;
  const changed = (): void => {
    cancelStale();
    for (const run of listeners) run();
    const staleInMs = loaded.asOf === null ? 0 : staleAtMs(loaded.asOf) - clock.now().getTime();
    if (staleInMs > 0 && !isStopped) cancelStale = clock.after(staleInMs, changed);
  };
  const nameOf = (address: string): string | null => loaded.names.get(address) ?? null;
  const shown = (rock: KnownRock): RockAnswer => shownRock(rock, nameOf);
  /** A number without a rock. */
  const missing = (): null | undefined => (loaded.asOf === null ? undefined : null);
  const figures = () => figuresOf(loaded.asOf, clock.now());
  const page: RockBook['page'] = (query, number) => {
    const found = filteredRocks(loaded.rocks, query);
    const start = (number - 1) * rocksPageSize;
    const rocks = found.slice(start, start + rocksPageSize).map(shown);
    const { colors } = loaded;
    return { data: { ...figures(), total: found.length, page: number, pageSize: rocksPageSize, rocks, colors } };
  };
  return {
    load: async () => {
      loaded = await load(store, ownerNames);
      byNumber = new Map(loaded.rocks.map((rock) => [rock.number, rock]));
      numbers = new Map(loaded.rocks.map(({ objectId, number }) => [objectId, number]));
      changed();
    },
    page,
    reach: () => historyReach(loaded, loaded.firstAt, clock.now()),
    collection: () => {
      const { rocks, asOf, name } = loaded;
      return describeOwnCollection(collectionType, asOf && rockCounts(rocks, asOf), name, clock.now());
    },
    firstPage: () => page(everyRock, 1),
    rock: async (number) => {
      const rock = byNumber.get(number);
      if (rock === undefined) return missing();
      const { rocks, isHistoryComplete } = loaded;
      const at = rocks.indexOf(rock);
      const history = await historyOf(store, rock.objectId);
      const beside = { previous: rocks[at - 1]?.number ?? null, next: rocks[at + 1]?.number ?? null };
      const payouts = [...receipts.ofRock(number)];
      return { data: { ...figures(), ...shown(rock), history, isHistoryComplete, payouts, ...beside } };
    },
    find: (number) => {
      const rock = byNumber.get(number);
      return rock === undefined ? missing() : shown(rock);
    },
    owners: () => (loaded.asOf === null ? null : loaded.rocks.map(({ number, owner }) => ({ number, owner }))),
    wasRead: () => loaded.asOf !== null,
    numberOf: (objectId) => numbers.get(objectId) ?? null,
    holder: (address, treasuryUsd, askedName) => {
      const own = loaded.rocks.filter(({ owner }) => owner === address);
      const rocks = own.map((rock) => ({ ...shown(rock), since: rock.since?.toISOString() ?? null }));
      const percent = percentOfCollection(own.length);
      const usd = treasuryUsd === null ? null : (treasuryUsd * percent) / 100;
      const name = nameOf(address) ?? askedName ?? null;
      const payouts = [...receipts.ofAddress(address)];
      return { data: { address, name, ...figures(), count: own.length, rocks, share: { usd, percent }, payouts } };
    },
    mintMilestones: async () => (loaded.isHistoryComplete ? mintMilestones(await store.mints()) : []),
    receiptsOf: (number) => receipts.ofRock(number),
    showReceipts: (source) => void (receipts = source),
    onChange: (run) => void listeners.add(run),
    stop: () => {
      isStopped = true;
      cancelStale();
    },
  };
}

async function load(store: RockStore, ownerNames: OwnerNames): Promise<Loaded> {
  const [rocks, sales, arrivals, week, reading, names, watched] = await Promise.all([
    store.rocks(),
    store.lastSales(),
    store.lastArrivals(),
    store.salesOfWeek(),
    store.reading(),
    ownerNames.all(),
    store.watched(),
  ]);
  const known = rocks.map((rock): KnownRock => {
    const arrival = arrivals.get(rock.objectId);
    return {
      ...rock,
      lastSale: sales.get(rock.objectId) ?? null,
      // Whoever got it last may have handed it on in a way that no market reports.
      since: arrival?.receiver === rock.owner ? (arrival?.happenedAt ?? null) : null,
      salesOfWeek: week.get(rock.objectId) ?? noSales,
    };
  });
  const { rocksAsOf: asOf, isHistoryComplete, historyAt } = reading;
  const firstAt = isHistoryComplete ? null : await store.firstAt();
  const colors = asOf === null ? [] : colorMarkets(known, isHistoryComplete);
  return { rocks: known, asOf, isHistoryComplete, historyAt, firstAt, names, colors, name: watched?.name ?? null };
}

async function historyOf(store: RockStore, objectId: string): Promise<RockPageAnswer['data']['history']> {
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

function figuresOf(asOf: Date | null, now: Date): Pick<RocksAnswer['data'], 'asOf' | 'state'> {
  if (asOf === null) return { asOf: null, state: 'unavailable' };
  return { asOf: asOf.toISOString(), state: now.getTime() >= staleAtMs(asOf) ? 'stale' : 'live' };
}
