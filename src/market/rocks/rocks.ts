import { anyOf } from '../../db/expressions.ts';
import { createOutageLog } from '../../db/outage.ts';
import { untilAborted } from '../../process/in-time.ts';
import type { SourceReading } from '../../shared/source-status.ts';
import { hostsOfMarketHere } from '../../sources/pictures/download-image.ts';
import { createPictureReader, gateways } from '../../sources/pictures/read-picture.ts';
import type { ActivityListener } from '../contract.ts';
import { marketAnsweredAt, ownMaxSupply } from '../core/own-collection.ts';
import { rockEventsOf } from '../core/rock-history.ts';
import { rocksOf } from '../core/rocks.ts';
import type { OwnRocks } from '../rocks-contract.ts';
import { createNameLookup, createOwnerNames } from './owner-names.ts';
import { createRockCatalog, type RockCatalog } from './rock-catalog.ts';
import { createRockImages } from './rock-images.ts';
import { beginJob, pastJob, refreshJob, type RocksDeps, rocksRefresh } from './rock-jobs.ts';
import { rockRoutes } from './rock-routes.ts';
import { createRockStore, rocksListener, type RockStore } from './rock-store.ts';

/** Buyers see their rock soon, and a burst of sales causes one reading. */
const refreshAfterNewsMs = 10_000;
/** Includes the wait for its turn in a gallery of 60. */
const pictureWaitMs = 15_000;

/** Every rock and its history (rulings R8). Adds its jobs, and listens to the activity of its collection. */
export function createRocks(deps: RocksDeps) {
  const { config, ownership, activity, sui, database, changes, jobs, clock, log } = deps;
  const { SUI_NETWORK: network, COLLECTION_TYPE: collectionType } = config;
  const store = createRockStore(database, { network, collectionType });
  const names = createOwnerNames(database, network);
  const catalog = createRockCatalog(store, names, collectionType, clock);
  const trustedHosts = hostsOfMarketHere(config.MARKET_API_URL);
  const reader = createPictureReader({ trustedHosts, gateways, waitMs: pictureWaitMs }, deps.shrinker);
  const images = createRockImages({ find: catalog.find, reader, clock, log });
  const topic = `rocks ${network} ${collectionType}`;
  const publish = () => changes.publish(topic);
  const jobDeps = { ...deps, store, names, publish };
  for (const job of [beginJob, refreshJob, pastJob]) jobs.add(job(jobDeps));
  activity.addListener(
    newsListener(store, () => {
      jobs
        .send(rocksRefresh, {}, { inMs: refreshAfterNewsMs })
        .catch((error: unknown) => log.info({ err: error }, 'No early refresh of the rocks; the regular one follows'));
    }),
  );
  const load = (): Promise<void> =>
    catalog.load().catch((error: unknown) => log.warn({ err: error }, 'The stored rocks could not be read'));
  let unsubscribe = (): void => {};
  return {
    routes: rockRoutes({
      catalog,
      images,
      treasury: deps.treasury,
      lookUpName: createNameLookup(sui, clock, catalog.named),
    }),
    catalog,
    /** Every rock and its owner, read now: about 20 calls. Throws Unavailable. */
    readOwners: async (stop: AbortSignal) => {
      const reading = await untilAborted(ownership.readTable(collectionType), stop);
      const rocks = rocksOf(reading, new Map((await store.rocks()).map((rock) => [rock.objectId, rock])));
      return { isComplete: reading.table.isComplete, rocks: rocks.map(({ number, owner }) => ({ number, owner })) };
    },
    sourceReading: sourceReadingOf(store, deps),
    own: ownRocksOf(catalog, config.PUBLIC_URL),
    /** Resolves when the stored rocks are loaded. */
    start: async (): Promise<void> => {
      unsubscribe = changes.subscribe(topic, () => void load());
      await load();
    },
    stop: async (): Promise<void> => {
      unsubscribe();
      catalog.stop();
      reader.stop();
    },
  };
}

/** When the marketplace last answered about our own collection: now, unless polls or readings fail. The last known time if the database fails. */
function sourceReadingOf(store: RockStore, { clock, log }: Pick<RocksDeps, 'clock' | 'log'>) {
  const outages = createOutageLog(log, "The time of the marketplace's last answer could not be read");
  let readAt: Date | null = null;
  return async (): Promise<SourceReading> => {
    try {
      readAt = marketAnsweredAt(await store.watched(), (await store.progress()).rocksAsOf, clock.now());
      outages.done();
    } catch (error) {
      outages.failed(error);
    }
    return { source: 'marketplace', readAt };
  };
}

function ownRocksOf(catalog: RockCatalog, publicUrl: string): OwnRocks {
  const pageOfRock = (number: number): string => `${publicUrl}/rocks/${number}`;
  return {
    supply: ownMaxSupply,
    find: (number) => catalog.find(number),
    pageOfRock,
    pageOfHolder: (address) => `${publicUrl}/holders/${address}`,
    pageOf: (objectId) => {
      const number = catalog.numberOf(objectId);
      return number === null ? null : { number, url: pageOfRock(number) };
    },
  };
}

/** Stores events of rocks in the transaction that stores the activity itself: both or neither. */
const newsListener = (store: RockStore, refreshSoon: () => void): ActivityListener => ({
  name: rocksListener,
  recordBatch: async ({ events, transfers }, trx) => {
    const ids = [...events, ...transfers].map(({ id }) => id);
    const rows = await trx.selectFrom('activityEvents').where('id', '=', anyOf(ids, 'bigint')).selectAll().execute();
    await store.saveNews(trx, rockEventsOf(rows));
  },
  batchStored: refreshSoon,
});
