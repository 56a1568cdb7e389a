import type { Kysely } from 'kysely';

import { databaseNow, msSince } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { ActivityBatch, ActivityEvent, ActivityListener, TrackedCollection } from '../contract.ts';
import { insertNewEvents, toEvents, toNews } from './event-store.ts';
import type { ActivityReading } from './read-activity.ts';
import { columnsOf, toTracked, type TrackedRow } from './tracked-store.ts';

export type PollStore = ReturnType<typeof createPollStore>;

/** Stores what polls read and hands it to the listeners. Throws what the database throws. */
export const createPollStore = (db: Kysely<Database>) => ({
  /**
   * Stores a reading that began with the row `before`, and what the listeners write for it, all or nothing. Returns the names of the
   * listeners that got a batch or, where the floor or the listed count changed, of all that watch. null: nothing was written, because a
   * quicker poll stored its reading first or the collection was reset.
   */
  record: (before: TrackedRow, reading: ActivityReading, listeners: ReadonlyMap<string, ActivityListener>) =>
    transact(db, async (trx): Promise<readonly string[] | null> => {
      const locked = await lock(trx, before);
      if (locked === undefined) return null;
      const isPast = before.seededAt === null;
      const was = toTracked(locked);
      const { events, transfers, row } = await storeReading(trx, was.id, reading, { isPast });
      const collection = toTracked(row);
      if (isPast) {
        await recordMints(trx, was.id, mintedSince(was, collection), listeners);
        return [];
      }
      const gapMs = Math.max(0, locked.gapMs ?? 0);
      const hasMore = reading.progress.isBehind;
      const found = { events, transfers, earlierMintCount: 0 };
      const news = { collection, floorBeforeMist: was.floorMist, ...found, gapMs, hasMore };
      const isNews = events.length + transfers.length > 0 || locked.hasBacklog;
      const given = isNews ? await handOver(trx, news, listeners) : [];
      await recordMints(trx, was.id, mintCountOf(events), listeners);
      // A cancelled listing changes these without an event.
      const isSame = was.floorMist === collection.floorMist && was.listedCount === collection.listedCount;
      return isSame ? given : (await readWatching(trx, was.id)).map(({ name }) => name);
    }),
  /** For a poll that began with this row. `reason` is a stable code. */
  recordFailure: async ({ id, pollCount }: TrackedRow, reason: string) => {
    await db
      .updateTable('trackedCollections')
      .set((column) => ({
        lastCheckedAt: databaseNow,
        failingSince: column.fn.coalesce('failingSince', databaseNow),
        failureReason: reason,
      }))
      .where('id', '=', id)
      .where('pollCount', '=', pollCount)
      .execute();
  },
});

/** `no key update`: a new watch, whose foreign key locks this row, does not wait for a poll. */
const lock = (trx: Trx, { id, pollCount, seededAt }: TrackedRow) =>
  trx
    .selectFrom('trackedCollections')
    .selectAll()
    .select((row) => [
      row
        .exists(row.selectFrom('activityBacklogs').where('trackedCollectionId', '=', id).select('listener'))
        .as('hasBacklog'),
      msSince('caughtUpAt').as('gapMs'),
    ])
    .where('id', '=', id)
    .where('pollCount', '=', pollCount)
    .where('seededAt', seededAt === null ? 'is' : 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Stores the events, facts and progress of one reading. */
async function storeReading(
  trx: Trx,
  id: bigint,
  { collection, listedCount, drafts, progress }: ActivityReading,
  { isPast }: { readonly isPast: boolean },
) {
  const news = await insertNewEvents(trx, id, drafts);
  if (isPast) {
    // Events that were due before the reset are no longer reported.
    await trx.deleteFrom('activityBacklogs').where('trackedCollectionId', '=', id.toString()).execute();
  }
  const row = await trx
    .updateTable('trackedCollections')
    .where('id', '=', id.toString())
    .set((column) => ({
      ...columnsOf(collection, listedCount),
      ...progress,
      ...(isPast && { seededAt: databaseNow }),
      ...(!progress.isBehind && { caughtUpAt: databaseNow }),
      pollCount: column('pollCount', '+', '1'),
      lastCheckedAt: databaseNow,
      lastSucceededAt: databaseNow,
      failingSince: null,
      failureReason: null,
    }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...news, row };
}

type News = Omit<ActivityBatch, 'earlierListings'>;

const hourMs = 3_600_000;
const earlierListingsMax = 500;
/** As many as a full reading holds: a poll's transaction stays short, however much a listener has missed. */
const handedOverMax = 1_000;

/**
 * Gives new events to every listener that watches the collection, in the transaction that stores them. A listener that is
 * paused or not running gets them with its next batch. Returns the names of the listeners that got some.
 */
async function handOver(
  trx: Trx,
  news: News,
  listeners: ReadonlyMap<string, ActivityListener>,
): Promise<readonly string[]> {
  const given: string[] = [];
  for (const { name, isPaused } of await readWatching(trx, news.collection.id)) {
    const listener = isPaused ? undefined : listeners.get(name);
    if (listener === undefined) await remember(trx, name, news);
    else {
      const due = await takeDue(trx, name, news);
      if (due.events.length === 0 && due.transfers.length === 0) continue;
      const earlierListings = await readEarlierListings(trx, due);
      await listener.recordBatch({ ...due, earlierListings }, trx);
      given.push(name);
    }
  }
  return given;
}

/** Unreported mints still count, and none counts again when it is reported (rulings R4). Comes last, in the order of locks. */
async function recordMints(
  trx: Trx,
  id: bigint,
  mintCount: number,
  listeners: ReadonlyMap<string, ActivityListener>,
): Promise<void> {
  if (mintCount <= 0) return;
  for (const listener of listeners.values()) await listener.recordMints?.(id, mintCount, trx);
}

const mintCountOf = (events: readonly ActivityEvent[]): number => events.filter(({ kind }) => kind === 'mint').length;

const mintedSince = (was: TrackedCollection, { mintedCount }: TrackedCollection): number =>
  mintedCount === null || was.mintedCount === null ? 0 : mintedCount - was.mintedCount;

const readWatching = (trx: Trx, id: bigint) =>
  trx
    .selectFrom('collectionWatches')
    .leftJoin('activityListeners', 'activityListeners.name', 'collectionWatches.listener')
    .where('trackedCollectionId', '=', id.toString())
    .select(['listener as name', 'isPaused'])
    .distinct()
    .orderBy('name')
    .execute();

/** An existing backlog keeps its first event. */
async function remember(
  trx: Trx,
  listener: string,
  { collection, events, transfers }: News,
  since: Date | typeof databaseNow = databaseNow,
): Promise<void> {
  const first = lowestId([...events, ...transfers]);
  if (first === null) return;
  await trx
    .insertInto('activityBacklogs')
    .values({ trackedCollectionId: collection.id, listener, firstEventId: first, since })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The news for a listener, with what it missed and the whole gap. What exceeds one batch waits for the next poll. */
async function takeDue(trx: Trx, listener: string, news: News): Promise<News> {
  const id = news.collection.id.toString();
  const backlog = await trx
    .deleteFrom('activityBacklogs')
    .where('trackedCollectionId', '=', id)
    .where('listener', '=', listener)
    .returning(['firstEventId', 'since', msSince('since').as('ageMs')])
    .executeTakeFirst();
  if (backlog === undefined && news.events.length + news.transfers.length <= handedOverMax) return news;
  const rows = await trx
    .selectFrom('activityEvents')
    .where('trackedCollectionId', '=', id)
    .where('id', '>=', backlog?.firstEventId ?? String(lowestId([...news.events, ...news.transfers])))
    .orderBy('id')
    .limit(handedOverMax + 1)
    .selectAll()
    .execute();
  const due = rows.slice(0, handedOverMax);
  const rest = rows.slice(handedOverMax);
  await remember(trx, listener, { ...news, ...toNews(rest) }, backlog?.since);
  const gapMs = Math.max(news.gapMs, backlog?.ageMs ?? 0);
  const isNew = new Set(news.events.map(({ id: eventId }) => eventId));
  const { events, transfers } = toNews(due);
  const earlierMintCount = mintCountOf(events.filter((event) => !isNew.has(event.id)));
  return { ...news, events, transfers, earlierMintCount, gapMs, hasMore: news.hasMore || rest.length > 0 };
}

async function readEarlierListings(trx: Trx, { collection, events }: News) {
  const [oldest] = events;
  const first = lowestId(events);
  if (oldest === undefined || first === null) return [];
  const rows = await trx
    .selectFrom('activityEvents')
    .where('trackedCollectionId', '=', collection.id.toString())
    .where('kind', '=', 'listing')
    .where('happenedAt', '>=', new Date(oldest.happenedAt.getTime() - hourMs))
    .where('id', '<', first.toString())
    .orderBy('happenedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(earlierListingsMax)
    .selectAll()
    .execute();
  return toEvents(rows);
}

const lowestId = (events: readonly { readonly id: bigint }[]): bigint | null =>
  events.reduce<bigint | null>((low, { id }) => (low === null || id < low ? id : low), null);
