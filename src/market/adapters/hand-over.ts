import { type Kysely, sql, type Transaction } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import type { ActivityBatch, ActivityListener, TrackedCollection } from '../contract.ts';
import { toEvents, toNews } from './event-rows.ts';
import type { ActivityTables } from './tables.ts';

const hourMs = 3_600_000;
const earlierListingsMax = 500;

/**
 * Gives new events to every listener that watches the collection, in the transaction that stores them. What a listener
 * cannot be given now (paused, or not run by this copy) is remembered and comes with its next batch. Answers who was told.
 */
export async function handOver(
  transaction: Transaction<ActivityTables>,
  news: Omit<ActivityBatch, 'earlierListings'>,
  listeners: ReadonlyMap<string, ActivityListener>,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const { name, isPaused } of await readWatching(transaction, news.collection.id)) {
    const listener = isPaused ? undefined : listeners.get(name);
    if (listener === undefined) await remember(transaction, name, news);
    else {
      const missed = await takeMissed(transaction, name, news);
      if (missed.events.length === 0 && missed.transfers.length === 0) continue;
      const earlierListings = await readEarlierListings(transaction, missed);
      await listener.recordBatch({ ...missed, earlierListings }, openTransaction(transaction));
      told.push(name);
    }
  }
  return told;
}

/** What nobody is told of was minted all the same: whoever counts must not stay behind for ever (rulings R4). */
export async function tellUntoldMints(
  transaction: Transaction<ActivityTables>,
  was: TrackedCollection,
  { id, mintedCount }: TrackedCollection,
  listeners: ReadonlyMap<string, ActivityListener>,
): Promise<void> {
  const mintCount = mintedCount === null || was.mintedCount === null ? 0 : mintedCount - was.mintedCount;
  if (mintCount <= 0) return;
  for (const { recordUntoldMints } of listeners.values()) {
    await recordUntoldMints?.(id, mintCount, openTransaction(transaction));
  }
}

async function readWatching(db: Kysely<ActivityTables>, id: bigint) {
  const { rows } = await sql<{ name: string; isPaused: boolean }>`
    select distinct watches.listener as name, coalesce(listeners.is_paused, false) as "isPaused"
    from collection_watches watches left join activity_listeners listeners on listeners.name = watches.listener
    where watches.tracked_collection_id = ${id.toString()}
    order by name`.execute(db);
  return rows;
}

type News = Omit<ActivityBatch, 'earlierListings'>;

async function remember(db: Kysely<ActivityTables>, listener: string, news: News): Promise<void> {
  const first = lowestId([...news.events, ...news.transfers]);
  if (first === null) return;
  await sql`
    insert into activity_backlogs (tracked_collection_id, listener, first_event_id, since)
    values (${news.collection.id.toString()}, ${listener}, ${first.toString()}, clock_timestamp())
    on conflict do nothing`.execute(db);
}

/** The news of a listener that may have missed some: then everything since, and the whole time of it. */
async function takeMissed(db: Kysely<ActivityTables>, listener: string, news: News): Promise<News> {
  const id = news.collection.id.toString();
  const { rows } = await sql<{ first: string; ageMs: number }>`
    delete from activity_backlogs where tracked_collection_id = ${id} and listener = ${listener}
    returning first_event_id as first,
      (extract(epoch from clock_timestamp() - since) * 1000)::float8 as "ageMs"`.execute(db);
  const [backlog] = rows;
  if (backlog === undefined) return news;
  const rowsSince = await db
    .selectFrom('activity_events')
    .where('tracked_collection_id', '=', id)
    .where('id', '>=', backlog.first)
    .selectAll()
    .execute();
  return { ...news, ...toNews(rowsSince), gapMs: Math.max(news.gapMs, backlog.ageMs) };
}

async function readEarlierListings(db: Kysely<ActivityTables>, { collection, events }: News) {
  const [oldest] = events;
  const first = lowestId(events);
  if (oldest === undefined || first === null) return [];
  const rows = await db
    .selectFrom('activity_events')
    .where('tracked_collection_id', '=', collection.id.toString())
    .where('kind', '=', 'listing')
    .where('happened_at', '>=', new Date(oldest.happenedAt.getTime() - hourMs))
    .where('id', '<', first.toString())
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(earlierListingsMax)
    .selectAll()
    .execute();
  return toEvents(rows);
}

function lowestId(events: readonly { readonly id: bigint }[]): bigint | null {
  return events.reduce<bigint | null>((low, { id }) => (low === null || id < low ? id : low), null);
}
