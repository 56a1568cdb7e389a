import type { Kysely } from 'kysely';

import { excluded, msAgo } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { WatchedCollection } from '../core/own-collection.ts';
import type { KnownRock } from '../core/rock-gallery.ts';
import type { HistoryProgress, RockEvent, RockEventKind } from '../core/rock-history.ts';
import type { Rock } from '../core/rocks.ts';

type Db = Kysely<Database>;
/** One collection on one network. */
type CollectionKey = { readonly network: string; readonly collectionType: string };
export type RockStore = ReturnType<typeof createRockStore>;

/** The listener to our own collection's activity. */
export const rocksListener = 'rocks';
const rowsAtOnceMax = 2_000;
const listingsMax = 1_000;
const weekMs = 7 * 86_400_000;
const saleKinds = ['sale', 'accepted-bid'] as const;
const arrivalKinds = ['mint', 'transfer', ...saleKinds] as const;
const nothingRead = { rocksAsOf: null, historyAt: null, historySkip: 0, isHistoryComplete: false };

/** The rocks of one collection and their history, shared by all copies. Throws what the database throws. */
export function createRockStore(db: Db, { network, collectionType }: CollectionKey) {
  const collectionKey = { network, collectionType };
  return {
    ...storedRocks(db, collectionKey),
    ...storedHistory(db, collectionKey),
    ...storedProgress(db, collectionKey),
  };
}

const storedRocks = (db: Db, collectionKey: CollectionKey) => ({
  rocks: async (): Promise<readonly Rock[]> => {
    const rows = await db
      .selectFrom('rocks')
      .where((row) => row.and(collectionKey))
      .orderBy('number')
      .selectAll()
      .execute();
    return rows.map(
      ({ isListed, listPriceMist: priceMist, listMarket: marketName, network: _n, collectionType: _t, ...rock }) => ({
        ...rock,
        listing: isListed ? { priceMist, marketName } : null,
      }),
    );
  },
  /** `rocks` replaces all stored ones. `asOf` null: the reading was not a whole answer, so the previous time stays. */
  saveRocks: (rocks: readonly Rock[], asOf: Date | null) =>
    transact(db, async (trx) => {
      // Numbers and objects of an older reading must not stay beside the new ones.
      await trx
        .deleteFrom('rocks')
        .where((row) => row.and(collectionKey))
        .execute();
      for (const chunk of chunksOf(rocks, rowsAtOnceMax)) {
        const rows = chunk.map(({ listing, ...rock }) => ({
          ...collectionKey,
          ...rock,
          isListed: listing !== null,
          listPriceMist: listing?.priceMist ?? null,
          listMarket: listing?.marketName ?? null,
        }));
        await trx.insertInto('rocks').values(rows).execute();
      }
      if (asOf !== null) await saveProgress(trx, collectionKey, { rocksAsOf: asOf });
    }),
});

const storedHistory = (db: Db, collectionKey: CollectionKey) => {
  const events = () => db.selectFrom('rockEvents').where((row) => row.and(collectionKey));
  const lastOf = async (kinds: readonly RockEventKind[]) => {
    const rows = await events()
      .where('kind', 'in', [...kinds])
      .distinctOn('objectId')
      .orderBy('objectId')
      .orderBy('happenedAt', 'desc')
      .select(['objectId', 'priceMist', 'happenedAt', 'receiver', 'transactionDigest'])
      .execute();
    return new Map(rows.map(({ objectId, ...row }) => [objectId, row]));
  };
  return {
    lastSales: () => lastOf(saleKinds),
    lastListings: () => lastOf(['listing']),
    /** By rock: its last mint, transfer or sale. */
    lastArrivals: () => lastOf(arrivalKinds),
    /** By rock: sales of the last seven days; sales at unknown prices are counted, not summed. */
    salesOfWeek: async (): Promise<ReadonlyMap<string, KnownRock['salesOfWeek']>> => {
      const rows = await events()
        .where('kind', 'in', [...saleKinds])
        .where('happenedAt', '>=', msAgo(weekMs))
        .groupBy('objectId')
        .select(({ fn }) => [
          'objectId',
          fn.countAll().as('count'),
          fn.sum<bigint | null>('priceMist').as('volumeMist'),
        ])
        .execute();
      return new Map(rows.map(({ objectId, count, volumeMist }) => [objectId, { count: Number(count), volumeMist }]));
    },
    /** Newest first. Listings are cut at the newest 1,000, as a rock can be listed without end. */
    history: (objectId: string) => {
      const ofRock = events().where('objectId', '=', objectId).orderBy('happenedAt', 'desc').orderBy('eventKey');
      const listings = ofRock.where('kind', '=', 'listing').limit(listingsMax).select('eventKey');
      return ofRock
        .where((row) => row.or([row('kind', '<>', 'listing'), row('eventKey', 'in', listings)]))
        .selectAll()
        .execute();
    },
    /** When the first stored event happened; null: nothing is stored. */
    firstAt: async (): Promise<Date | null> => {
      const row = await events().orderBy('happenedAt').select('happenedAt').limit(1).executeTakeFirst();
      return row?.happenedAt ?? null;
    },
    /** When each rock was minted, oldest first. */
    mints: async (): Promise<readonly Date[]> => {
      const rows = await events()
        .where('kind', '=', 'mint')
        .orderBy('happenedAt')
        .orderBy('eventKey')
        .select('happenedAt')
        .execute();
      return rows.map(({ happenedAt }) => happenedAt);
    },
    saveNews: (trx: Trx, news: readonly RockEvent[]) => insertEvents(trx, collectionKey, news),
  };
};

const storedProgress = (db: Db, collectionKey: CollectionKey) => ({
  /** The poll state of our own collection; null: polling has not begun. */
  watched: async (): Promise<WatchedCollection | null> => {
    const row = await db
      .selectFrom('trackedCollections')
      .innerJoin('collectionWatches', 'trackedCollectionId', 'trackedCollections.id')
      .where('listener', '=', rocksListener)
      .select(['name', 'lastSucceededAt', 'failureReason'])
      .executeTakeFirst();
    return row ?? null;
  },
  progress: async (): Promise<HistoryProgress & { readonly rocksAsOf: Date | null }> => {
    const row = await db
      .selectFrom('rockReadings')
      .where((each) => each.and(collectionKey))
      .selectAll()
      .executeTakeFirst();
    return row ?? nothingRead;
  },
  savePast: (page: readonly RockEvent[], progress: HistoryProgress) =>
    transact(db, async (trx) => {
      await insertEvents(trx, collectionKey, page);
      await saveProgress(trx, collectionKey, progress);
    }),
});

async function insertEvents(trx: Trx, collectionKey: CollectionKey, events: readonly RockEvent[]): Promise<void> {
  for (const chunk of chunksOf(events, rowsAtOnceMax)) {
    await trx
      .insertInto('rockEvents')
      .values(chunk.map((event) => ({ ...collectionKey, ...event })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function saveProgress(
  trx: Trx,
  collectionKey: CollectionKey,
  set: Partial<HistoryProgress> & { readonly rocksAsOf?: Date },
): Promise<void> {
  const columns = Object.keys(set) as (keyof typeof set)[];
  await trx
    .insertInto('rockReadings')
    .values({ ...collectionKey, ...set })
    .onConflict((conflict) => conflict.columns(['network', 'collectionType']).doUpdateSet(excluded(...columns)))
    .execute();
}
