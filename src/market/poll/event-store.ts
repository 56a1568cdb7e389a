import { type Kysely, type Selectable, sql } from 'kysely';

import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Activity, type ActivityEvent, type ActivityTransfer, byTime } from '../contract.ts';
import type { EventDraft } from '../core/activity-rules.ts';
import { parentsAtOnceMax, type Purge, type PurgeStep } from '../../retention/purge.ts';
import { retainedSince, retention } from '../../retention/retention.ts';

type Db = Kysely<Database>;
type EventRow = Selectable<Database['activityEvents']>;

/** The newly stored rows: events, oldest first, and transfers, which are not reported. */
export interface StoredNews {
  readonly events: readonly ActivityEvent[];
  readonly transfers: readonly ActivityTransfer[];
}

export const toNews = (rows: readonly EventRow[]): StoredNews => ({
  events: toEvents(rows).sort(byTime),
  transfers: rows
    .filter(({ kind }) => kind === 'transfer')
    .map(({ id, seller, buyer }) => ({ id: BigInt(id), sender: seller, receiver: buyer })),
});

/** Leaves out transfers, which are not reported. */
export const toEvents = (rows: readonly EventRow[]): ActivityEvent[] =>
  rows.flatMap(({ kind, nftRank, ...row }) =>
    kind === 'transfer'
      ? []
      : {
          ...row,
          kind,
          id: BigInt(row.id),
          trackedCollectionId: BigInt(row.trackedCollectionId),
          nftRank: nftRank === null ? null : Number(nftRank),
        },
  );

/** A statement takes 65,535 values. */
const insertedAtOnceMax = 2_000;

/** Stores the new drafts and returns them. Ids follow the order of the drafts. */
export async function insertNewEvents(
  trx: Trx,
  trackedCollectionId: bigint,
  drafts: readonly EventDraft[],
): Promise<StoredNews> {
  if (drafts.length === 0) return { events: [], transfers: [] };
  const stored: EventRow[] = [];
  for (const chunk of chunksOf(drafts, insertedAtOnceMax)) {
    const rows = await trx
      .insertInto('activityEvents')
      .values(chunk.map((draft) => ({ ...draft, trackedCollectionId })))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .execute();
    stored.push(...rows);
  }
  return toNews(stored);
}

const dayMs = 86_400_000;

type History = Pick<Activity, 'latestSale' | 'summary' | 'mintCount' | 'events'>;

/** What happened in a collection, from the database alone. */
export const createActivityHistory = (db: Db, clock: Pick<Clock, 'now'>): History => ({
  latestSale: async (id) => {
    const sales = eventsOf(db, id).where('kind', '=', 'sale').orderBy('happenedAt', 'desc').orderBy('id', 'desc');
    const [latest = null] = toEvents(await sales.limit(1).selectAll().execute());
    return latest;
  },
  summary: async (id, wantedSince, until) => {
    const collection = await db
      .selectFrom('trackedCollections')
      .where('id', '=', id.toString())
      .where('seededAt', 'is not', null)
      .select(['knownFrom', 'caughtUpAt'])
      .executeTakeFirst();
    const since = knownSince(wantedSince, collection?.knownFrom ?? null, clock.now());
    const events = eventsOf(db, id)
      .where('happenedAt', '>=', since)
      .$if(until !== undefined, (query) => query.where('happenedAt', '<', until ?? null));
    return {
      topSale: await topSaleOf(events),
      ...(await countsOf(events)),
      completeSince: collection === undefined ? null : since,
      completeUntil: collection?.caughtUpAt ?? null,
    };
  },
  mintCount: async (id, since, trx) => {
    const mints = eventsOf(trx, id).where('kind', '=', 'mint').where('knownAt', '>=', since);
    const { count } = await mints.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
    return Number(count);
  },
  events: async (ids) => {
    if (ids.length === 0) return [];
    const rows = await db.selectFrom('activityEvents').where('id', '=', anyOf(ids, 'bigint')).selectAll().execute();
    return toEvents(rows).sort(byTime);
  },
});

const eventsOf = (db: Db, id: bigint) =>
  db.selectFrom('activityEvents').where('trackedCollectionId', '=', id.toString());
type EventsQuery = ReturnType<typeof eventsOf>;

/** Where a span begins whose events are all known and kept. Older ones are purged one by one: a count of them would shrink daily. */
function knownSince(wantedSince: Date, knownFrom: Date | null, now: Date): Date {
  const keptFromMs = now.getTime() - retention.activity_events.days * dayMs;
  return new Date(Math.max(wantedSince.getTime(), keptFromMs, knownFrom?.getTime() ?? 0));
}

async function topSaleOf(events: EventsQuery): Promise<ActivityEvent | null> {
  const sales = events.where('kind', '=', 'sale').where('priceMist', 'is not', null);
  const highestFirst = sales.orderBy('priceMist', 'desc').orderBy('happenedAt', 'desc').orderBy('id', 'desc');
  const [top = null] = toEvents(await highestFirst.limit(1).selectAll().execute());
  return top;
}

async function countsOf(events: EventsQuery) {
  const rows = await events
    .groupBy('kind')
    .select(({ fn }) => [
      'kind',
      fn.countAll().as('count'),
      fn.sum<bigint | null>('priceMist').as('volume'),
      fn.count('priceMist').as('priced'),
    ])
    .execute();
  const of = (kind: string) => rows.find((row) => row.kind === kind);
  return {
    mintCount: Number(of('mint')?.count ?? 0),
    saleCount: Number(of('sale')?.count ?? 0),
    listingCount: Number(of('listing')?.count ?? 0),
    bidCount: Number(of('bid')?.count ?? 0),
    saleVolumeMist: of('sale')?.volume ?? 0n,
    pricedSaleCount: Number(of('sale')?.priced ?? 0),
  };
}

/** Implemented by the bot that reports events. */
export interface EventUse {
  /** Which of these are still to be reported. Throws what the database throws. */
  eventsInUse(eventIds: readonly bigint[], trx: Trx): Promise<ReadonlySet<bigint>>;
}

/**
 * Polls read a while before the newest event again (core/activity-rules.ts). Those events stay, however old: a deleted one would be
 * reported again.
 */
const isReadAgain = sql`e.happened_at >= c.cursor_at - interval '1 day'`;

/** `/test` posts the latest sale, however old. */
const isLatestSale = sql`e.kind = 'sale' and not exists (
  select 1 from activity_events later where later.tracked_collection_id = e.tracked_collection_id
    and later.kind = 'sale' and (later.happened_at, later.id) > (e.happened_at, e.id))`;

/** A bot that is off will report them later. */
const isInBacklog = sql`exists (
  select 1 from activity_backlogs waiting
  where waiting.tracked_collection_id = e.tracked_collection_id and waiting.first_event_id <= e.id)`;

/** Deletes from the oldest event on. Events that must stay are skipped, and checked again next time. */
export function eventPurge(db: Db, use: EventUse): Purge {
  let passedId = '0';
  const step = (): Promise<PurgeStep> =>
    transact(db, async (trx) => {
      const { rows } = await sql<{ id: string }>`
        select e.id from activity_events e join tracked_collections c on c.id = e.tracked_collection_id
        where e.known_at < ${retainedSince('activity_events')} and e.happened_at < ${retainedSince('activity_events')}
          and e.id > ${passedId} and c.cursor_at is not null
          and not (${isReadAgain}) and not (${isLatestSale}) and not (${isInBacklog})
        order by e.id limit ${parentsAtOnceMax} for update of e skip locked`.execute(trx);
      const ids = rows.map(({ id }) => BigInt(id));
      const inUse = await use.eventsInUse(ids, trx);
      const due = ids.filter((id) => !inUse.has(id));
      await trx.deleteFrom('activityEvents').where('id', '=', anyOf(due, 'bigint')).execute();
      const hasMore = rows.length === parentsAtOnceMax;
      passedId = hasMore ? (rows.at(-1)?.id ?? '0') : '0';
      return { purgedRows: due.length, hasMore };
    });
  return { table: 'activity_events', step };
}
