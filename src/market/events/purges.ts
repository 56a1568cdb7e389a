import { type Kysely, sql } from 'kysely';

import type { Trx } from '../../db/transaction.ts';
import { anyOf } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { keptSince, type Purge, purgeOf, type PurgeStep, rowsAtOnceMax } from '../../retention/purge.ts';

type Db = Kysely<Database>;

/** Implemented by the bot that reports events. */
export interface EventUse {
  /** Which of these are still to be reported. Throws what the database throws. */
  eventsInUse(eventIds: readonly bigint[], trx: Trx): Promise<ReadonlySet<bigint>>;
}

export const collectionPurges = (db: Db, use: EventUse): readonly Purge[] => [
  createEventPurge(db, use),
  ofFacts(db, 'collection_facts'),
  ofFacts(db, 'collection_listed_counts'),
  purgeOf(db, { table: 'kiosk_caps', oldestBy: 'learned_at' }),
  purgeOf(db, { table: 'parent_fields', oldestBy: 'learned_at' }),
];

/** Facts that are asked for are always new. While the marketplace is silent, its last good answers stay however old (rulings R3). */
const ofFacts = (db: Db, table: 'collection_facts' | 'collection_listed_counts'): Purge =>
  purgeOf(db, {
    table,
    isDue: sql`as_of < ${keptSince(table)} and as_of < (
      select max(newest.as_of) - interval '30 days' from ${sql.table(table)} newest
      where newest.network = ${sql.table(table)}.network)`,
  });

/**
 * Polls read again what is just before the newest event (core/activity-rules.ts): that much of every collection stays, however old,
 * because a deleted event would be reported again.
 */
const isReadAgain = sql`e.happened_at >= c.cursor_at - interval '1 day'`;

/** `/test` posts it, however old. */
const isLatestSale = sql`e.kind = 'sale' and not exists (
  select 1 from activity_events later where later.tracked_collection_id = e.tracked_collection_id
    and later.kind = 'sale' and (later.happened_at, later.id) > (e.happened_at, e.id))`;

/** A bot that is off reports them later. */
const isInBacklog = sql`exists (
  select 1 from activity_backlogs waiting
  where waiting.tracked_collection_id = e.tracked_collection_id and waiting.first_event_id <= e.id)`;

/** From the oldest to the newest that is due; what stays is skipped, and checked again next time. */
function createEventPurge(db: Db, use: EventUse): Purge {
  let passedId = '0';
  const step = (): Promise<PurgeStep> =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string }>`
        select e.id from activity_events e join tracked_collections c on c.id = e.tracked_collection_id
        where e.known_at < ${keptSince('activity_events')} and e.happened_at < ${keptSince('activity_events')}
          and e.id > ${passedId} and c.cursor_at is not null
          and not (${isReadAgain}) and not (${isLatestSale}) and not (${isInBacklog})
        order by e.id limit ${rowsAtOnceMax} for update of e skip locked`.execute(trx);
      const ids = rows.map(({ id }) => BigInt(id));
      const inUse = await use.eventsInUse(ids, trx);
      const due = ids.filter((id) => !inUse.has(id));
      await trx.deleteFrom('activityEvents').where('id', '=', anyOf(due, 'bigint')).execute();
      const hasMore = rows.length === rowsAtOnceMax;
      passedId = hasMore ? (rows.at(-1)?.id ?? '0') : '0';
      return { purgedRows: due.length, hasMore };
    });
  return { table: 'activity_events', step };
}
