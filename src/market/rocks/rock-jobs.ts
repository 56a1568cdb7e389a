import type { Kysely } from 'kysely';

import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { transact } from '../../db/transaction.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { JobDefinition, Jobs } from '../../jobs/jobs.ts';
import { untilAborted } from '../../process/in-time.ts';
import type { Clock } from '../../shared/clock.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { Unavailable } from '../../shared/failure.ts';
import { readActivity } from '../../sources/tradeport/activity.ts';
import type { ImageShrinker } from '../../sources/pictures/shrink-image.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { CollectionLookup, FoundCollection } from '../contract.ts';
import { historyReach, historyText } from '../../shared/history-reach.ts';
import { historyTypes } from '../core/activity-rules.ts';
import { rocksRefreshMs } from '../core/own-collection.ts';
import { mustHaveRows, type PastCursor, pastEventsOf, progressAfterPage } from '../core/rock-history.ts';
import {
  colorNamed,
  type Rock,
  rocksAfterReading,
  rocksOf,
  type RockTraits,
  type TableReading,
} from '../core/rocks.ts';
import type { OwnerTable } from '../core/owner-table.ts';
import type { SharedTreasury } from '../rocks-contract.ts';
import type { Ownership } from '../owners/ownership.ts';
import type { Activity } from '../contract.ts';
import { type OwnerNames, readNames } from './owner-names.ts';
import { rocksListener, type RockStore } from './rock-store.ts';
import type { Log } from '../../process/logger.ts';

export interface RocksDeps {
  readonly config: Pick<Config, 'SUI_NETWORK' | 'COLLECTION_TYPE' | 'PUBLIC_URL' | 'MARKET_API_URL'>;
  readonly ownership: Pick<Ownership, 'readTable'>;
  readonly activity: Activity;
  readonly sui: Pick<SuiClient, 'resolveName'>;
  readonly backgroundSui: Pick<SuiClient, 'readShownObjects' | 'readDefaultName'>;
  readonly marketplace: MarketCall;
  readonly database: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'publish' | 'subscribe'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly shrinker: Pick<ImageShrinker, 'shrink'>;
  /** For the holders' shares; null: never read. */
  readonly treasury: () => SharedTreasury | null;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface RockJobDeps extends RocksDeps {
  readonly store: RockStore;
  readonly names: OwnerNames;
  /** Tells every copy, this one included, that the database has changed. */
  readonly publish: () => Promise<void>;
}

const pastPageRows = 1_000;
const longestRetryMs = 300_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const rocksRefresh = { name: 'rocks-refresh', everyMs: rocksRefreshMs };

const rocksPast = { name: 'rocks-past' };

/** Reads every rock as it is now, from the same owner table as the role check. About 20 calls once the kiosks are known. */
export const refreshJob = (deps: RockJobDeps): JobDefinition<object> => ({
  ...rocksRefresh,
  longestRetryMs,
  failing: 'The rocks could not be read',
  run: async (_payload, stop) => {
    const { store, ownership, config } = deps;
    const describe = async (reading: TableReading) => rocksOf(reading, await readTraits(deps, reading.table, stop));
    const isFirst = (await store.rocks()).length === 0;
    // The first reading searches for the holder of every kiosk: until it is done, rocks are shown without owners.
    const saveListed = async (table: OwnerTable): Promise<void> => {
      await store.saveRocks(await describe({ table, personalKiosks: new Set() }), null);
      await deps.publish();
    };
    const table = ownership.readTable(config.COLLECTION_TYPE, isFirst ? saveListed : undefined);
    const reading = await untilAborted(table, stop);
    const { rocks, asOf } = rocksAfterReading(await store.rocks(), await describe(reading), reading.table);
    await store.saveRocks(rocks, asOf);
    await deps.publish();
    await nameOwners(deps, rocks, stop);
  },
});

/** Reads a few names per run, each once a day. */
async function nameOwners(
  { names, backgroundSui: sui, publish }: RockJobDeps,
  rocks: readonly Rock[],
  stop: AbortSignal,
): Promise<void> {
  const owners = [...new Set(rocks.flatMap(({ owner }) => owner ?? []))];
  const read = await readNames(sui, await names.due(owners), stop);
  if (read.length === 0) return;
  await names.save(read, owners);
  await publish();
}

/** As many as the node gives in one call: with 555 rocks, each is read again about every two hours. */
const readAgainMax = 50;

/**
 * The names, colors and pictures of rocks. Those not known yet are read and, in turns, some of the others: a team may move its
 * pictures. Name and color stay as they were first read, so that no Display renumbers a rock.
 */
async function readTraits(
  { store, clock, backgroundSui: sui }: RockJobDeps,
  { nfts }: OwnerTable,
  stop: AbortSignal,
): Promise<ReadonlyMap<string, RockTraits>> {
  const stored = await store.rocks();
  const known = new Map(stored.map((rock) => [rock.objectId, rock]));
  const turns = chunksOf(stored, readAgainMax);
  const turn = turns[Math.floor(clock.now().getTime() / rocksRefreshMs) % turns.length] ?? [];
  const again = new Set(turn.map(({ objectId }) => objectId));
  const isDue = (objectId: string): boolean => again.has(objectId) || !known.get(objectId)?.color;
  const shown = await sui.readShownObjects(nfts.map(({ objectId }) => objectId).filter(isDue), stop);
  const read = [...shown].map(([objectId, { name, imageUrl, color }]): [string, RockTraits] => {
    const was = known.get(objectId);
    const picture = imageUrl ?? was?.imageUrl ?? null;
    return [objectId, { name: was?.name ?? name, imageUrl: picture, color: was?.color ?? colorNamed(color) }];
  });
  return new Map<string, RockTraits>([...known, ...read]);
}

/** At the start and once a day: makes sure that the collection is polled and its past is read. */
export const beginJob = (deps: RockJobDeps): JobDefinition<object> => ({
  name: 'rocks-begin',
  everyMs: dayMs,
  longestRetryMs,
  failing: 'The watch on the activity of our own collection could not be set up',
  run: async () => {
    const found = await lookUpOwn(deps);
    const { COLLECTION_TYPE: collectionType } = deps.config;
    if (found === null) {
      deps.log.warn({ collectionType }, 'The marketplace does not know COLLECTION_TYPE; is it right?');
      return { againInMs: hourMs };
    }
    const { id } = await deps.activity.track(found);
    await transact(deps.database, async (trx) => {
      await deps.activity.watch(rocksListener, id, rocksListener, trx);
      // Of an earlier COLLECTION_TYPE: its events are not part of these rocks' history.
      const others = await trx
        .selectFrom('collectionWatches')
        .where('listener', '=', rocksListener)
        .where('trackedCollectionId', '<>', id.toString())
        .select('trackedCollectionId')
        .execute();
      for (const { trackedCollectionId: other } of others)
        await deps.activity.unwatch(rocksListener, BigInt(other), rocksListener, trx);
      // The history of other types has a gap from now on, in case COLLECTION_TYPE is ever set back.
      await trx
        .updateTable('rockReadings')
        .set({ isHistoryComplete: false })
        .where('collectionType', '<>', collectionType)
        .execute();
    });
    await deps.jobs.send(rocksPast, {});
    return undefined;
  },
});

async function lookUpOwn({ activity, config }: RockJobDeps): Promise<FoundCollection | null> {
  const found: CollectionLookup = await activity.lookUp(config.COLLECTION_TYPE);
  return found.kind === 'found' || found.kind === 'unverified' ? found.collection : null;
}

/** Reads the past from the first mint on, one page per run, until it has caught up with the polls. */
export const pastJob = (deps: RockJobDeps): JobDefinition<object> => ({
  ...rocksPast,
  longestRetryMs,
  failing: "The rocks' past could not be read",
  run: async (_payload, stop) => {
    const { store, clock, log } = deps;
    const before = await store.progress();
    const page = await readPastPage(deps, before, stop);
    // A page may be shorter than requested: only an empty page is the end.
    const isEnd = page.rowCount === 0;
    if (isEnd && mustHaveRows(before, page.collection?.mintedCount))
      throw new Unavailable('malformed-answer', 'The marketplace answered without activity that it must have');
    const progress = progressAfterPage(before, page, clock.now());
    await store.savePast(pastEventsOf(page.actions), progress);
    await deps.publish();
    const { unreadableCount } = page;
    if (unreadableCount > 0) log.warn({ unreadableCount }, "Rows of the rocks' past cannot be read; they are left out");
    const reach = historyReach(progress, await store.firstAt(), clock.now());
    log.info(
      { until: reach.until?.toISOString() ?? null },
      `A page of the rocks' past was read. ${historyText(reach)}`,
    );
    return isEnd ? undefined : { againInMs: 0 };
  },
});

async function readPastPage(deps: RockJobDeps, { historyAt, historySkip }: PastCursor, stop: AbortSignal) {
  const found = await lookUpOwn(deps);
  if (found === null) throw new Unavailable('collection-unknown', 'The marketplace does not know our collection');
  const query = {
    marketId: found.marketId,
    types: historyTypes,
    since: historyAt ?? new Date(0),
    offset: historySkip,
    limit: pastPageRows,
    order: 'oldest-first',
  } as const;
  return readActivity(deps.marketplace, query, stop);
}
