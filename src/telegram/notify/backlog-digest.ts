import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { digestCard } from '../cards/digest.ts';
import type { EventCards } from './event-cards.ts';
import { type BacklogMessage, compactBacklog } from './rules/compact-backlog.ts';

type Db = Kysely<Database>;

/**
 * Avoids flooding a chat after an outage (rulings R4): the newest few messages stay, the others become one digest in
 * the row of the oldest, so that it arrives first. One transaction, with the deliveries; a repetition changes nothing.
 */
export async function compactChat(db: Db, cards: EventCards, chatId: string): Promise<void> {
  // The digest is built before the transaction: it needs reads of its own.
  const planned = compactBacklog(...(await readWaiting(db, chatId)));
  const { digestId, replacedIds } = planned;
  if (digestId === null) return;
  const eventIds = await readEventIds(db, replacedIds);
  const made = await cards.make(await readConfigurationId(db, digestId), eventIds);
  const content = made === null ? null : digestCard(made.events, made.context, made.timeZone);
  await transact(db, async (trx) => {
    const now = compactBacklog(...(await readWaiting(trx, chatId, true)));
    if (now.replacedIds.join() !== replacedIds.join()) return;
    await store(trx, { digestId, replacedIds, content, eventCount: eventIds.length });
  });
}

/** By the database's time, which the sender uses as well. */
async function readWaiting(db: Db, chatId: string, isLocking = false): Promise<[BacklogMessage[], Date]> {
  const rows = await db
    .selectFrom('telegramMessages')
    .select(['id', 'kind', 'eventCount', 'happenedAt', sql<Date>`clock_timestamp()`.as('now')])
    .where('chatId', '=', chatId)
    .where('state', '=', 'pending')
    .where('retriedAt', 'is', null)
    .orderBy('id')
    .$if(isLocking, (query) => query.forUpdate())
    .execute();
  return [rows.map(({ id, ...row }) => ({ ...row, id: BigInt(id) })), rows[0]?.now ?? new Date()];
}

async function readEventIds(db: Db, messageIds: readonly bigint[]): Promise<readonly bigint[]> {
  const rows = await db
    .selectFrom('telegramDeliveries')
    .select('eventId')
    .where(isAmong('message_id', messageIds))
    .orderBy('eventId')
    .execute();
  return rows.map(({ eventId }) => BigInt(eventId));
}

async function readConfigurationId(db: Db, messageId: bigint): Promise<string | null> {
  const row = await db
    .selectFrom('telegramMessages')
    .select('configurationId')
    .where('id', '=', String(messageId))
    .executeTakeFirst();
  return row?.configurationId ?? null;
}

interface Digest {
  readonly digestId: bigint;
  readonly replacedIds: readonly bigint[];
  /** null: the events are no longer stored, so there is nothing to report. */
  readonly content: ReturnType<typeof digestCard> | null;
  readonly eventCount: number;
}

async function store(trx: Trx, { digestId, replacedIds, content, eventCount }: Digest): Promise<void> {
  const id = String(digestId);
  await trx
    .updateTable('telegramMessages')
    .set({ state: 'dropped', reason: 'posted in a digest' })
    .where(isAmong('id', replacedIds))
    .$if(content !== null, (query) => query.where('id', '<>', id))
    .execute();
  if (content === null) return;
  await trx
    .updateTable('telegramMessages')
    .set((build) => ({
      kind: 'digest',
      content: JSON.stringify(content),
      form: 'full',
      eventCount,
      reason: null,
      runningKey: null,
      runningUntil: null,
      happenedAt: build
        .selectFrom('telegramMessages')
        .select(build.fn.max('happenedAt').as('newestAt'))
        .where(isAmong('id', replacedIds)),
    }))
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('telegramDeliveries')
    .set({ messageId: id })
    .where(isAmong('message_id', replacedIds))
    .execute();
}

/** One parameter, however many ids. */
const isAmong = (column: 'id' | 'message_id', ids: readonly bigint[]) =>
  sql<boolean>`${sql.ref(column)} = any(${ids.map(String)}::bigint[])`;
