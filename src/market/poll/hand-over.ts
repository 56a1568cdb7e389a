import { databaseNow, msSince } from '../../db/expressions.ts';
import type { Trx } from '../../db/transaction.ts';
import type { ActivityBatch, ActivityListener, TrackedCollection } from '../contract.ts';
import { toEvents, toNews } from '../events/event-store.ts';

type News = Omit<ActivityBatch, 'earlierListings'>;

const hourMs = 3_600_000;
const earlierListingsMax = 500;

/**
 * Gives new events to every listener that watches the collection, in the transaction that stores them. What a listener
 * cannot be given now (paused, or not run by this copy) is remembered and comes with its next batch. Returns the names of
 * the listeners that were given some.
 */
export async function handOver(
  trx: Trx,
  news: News,
  listeners: ReadonlyMap<string, ActivityListener>,
): Promise<readonly string[]> {
  const given: string[] = [];
  for (const { name, isPaused } of await readWatching(trx, news.collection.id)) {
    const listener = isPaused ? undefined : listeners.get(name);
    if (listener === undefined) await remember(trx, name, news);
    else {
      const missed = await takeMissed(trx, name, news);
      if (missed.events.length === 0 && missed.transfers.length === 0) continue;
      const earlierListings = await readEarlierListings(trx, missed);
      await listener.recordBatch({ ...missed, earlierListings }, trx);
      given.push(name);
    }
  }
  return given;
}

/** Unreported mints still count: a listener's counter must not stay behind for ever (rulings R4). */
export async function handOverUnreportedMints(
  trx: Trx,
  was: TrackedCollection,
  { id, mintedCount }: TrackedCollection,
  listeners: ReadonlyMap<string, ActivityListener>,
): Promise<void> {
  const mintCount = mintedCount === null || was.mintedCount === null ? 0 : mintedCount - was.mintedCount;
  if (mintCount <= 0) return;
  for (const { recordUnreportedMints } of listeners.values()) {
    await recordUnreportedMints?.(id, mintCount, trx);
  }
}

const readWatching = (trx: Trx, id: bigint) =>
  trx
    .selectFrom('collectionWatches')
    .leftJoin('activityListeners', 'activityListeners.name', 'collectionWatches.listener')
    .where('trackedCollectionId', '=', id.toString())
    .select(['listener as name', 'isPaused'])
    .distinct()
    .orderBy('name')
    .execute();

async function remember(trx: Trx, listener: string, { collection, events, transfers }: News): Promise<void> {
  const first = lowestId([...events, ...transfers]);
  if (first === null) return;
  await trx
    .insertInto('activityBacklogs')
    .values({ trackedCollectionId: collection.id, listener, firstEventId: first, since: databaseNow })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The news for a listener; if it missed some, everything since then, with the whole gap. */
async function takeMissed(trx: Trx, listener: string, news: News): Promise<News> {
  const id = news.collection.id.toString();
  const backlog = await trx
    .deleteFrom('activityBacklogs')
    .where('trackedCollectionId', '=', id)
    .where('listener', '=', listener)
    .returning(['firstEventId', msSince('since').as('ageMs')])
    .executeTakeFirst();
  if (backlog === undefined) return news;
  const rows = await trx
    .selectFrom('activityEvents')
    .where('trackedCollectionId', '=', id)
    .where('id', '>=', backlog.firstEventId)
    .selectAll()
    .execute();
  return { ...news, ...toNews(rows), gapMs: Math.max(news.gapMs, backlog.ageMs) };
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
