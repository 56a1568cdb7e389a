import { type Kysely, sql } from 'kysely';

import type { TelegramTables } from '../adapters/tables.ts';
import { digestCard } from '../core/card-digest.ts';
import { type BacklogMessage, compactBacklog } from '../core/compact-backlog.ts';
import type { EventCards } from './event-cards.ts';

type Transaction = Kysely<TelegramTables>;

/**
 * After an outage a chat is not flooded (rulings R4): the newest few messages stay, the others become one digest in the
 * row of the oldest, so that it arrives first. One transaction, with the deliveries; doing it again changes nothing.
 */
export function createBacklogDigest(db: Kysely<TelegramTables>, cards: EventCards) {
  return {
    compact: async (chatId: string): Promise<void> => {
      // What the digest says is made before the transaction: it takes reads of its own.
      const planned = await plan(db, chatId, false);
      if (planned.digestId === null) return;
      const eventIds = await readEventIds(db, planned.replacedIds);
      const configurationId = await readConfigurationId(db, planned.digestId);
      const made = await cards.make(configurationId, eventIds);
      const content = made === null ? null : digestCard(made.events, made.context, made.timeZone);
      await db.transaction().execute(async (trx) => {
        const now = await plan(trx, chatId, true);
        if (now.replacedIds.join() !== planned.replacedIds.join()) return;
        const digestId = planned.digestId ?? 0n;
        await store(trx, { ...planned, digestId, content, eventCount: eventIds.length });
      });
    },
  };
}

interface Compaction {
  readonly replacedIds: readonly bigint[];
  readonly digestId: bigint | null;
}

/** By the database's clock, as the sender judges it. */
async function plan(db: Transaction, chatId: string, isLocking: boolean): Promise<Compaction> {
  const { rows } = await sql<{
    id: string;
    kind: BacklogMessage['kind'];
    event_count: number;
    happened_at: Date | null;
    now: Date;
  }>`
    select id, kind, event_count, happened_at, clock_timestamp() as now from telegram_messages
    where chat_id = ${chatId} and state = 'pending' and retried_at is null
    order by id ${isLocking ? sql`for update` : sql``}`.execute(db);
  const messages = rows.map(({ id, kind, event_count, happened_at }) => ({
    id: BigInt(id),
    kind,
    eventCount: event_count,
    happenedAt: happened_at,
  }));
  return compactBacklog(messages, rows[0]?.now ?? new Date());
}

async function readEventIds(db: Transaction, messageIds: readonly bigint[]): Promise<readonly bigint[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from telegram_deliveries
    where message_id = any(${messageIds.map(String)}::bigint[]) order by event_id`.execute(db);
  return rows.map(({ event_id }) => BigInt(event_id));
}

async function readConfigurationId(db: Transaction, messageId: bigint): Promise<string | null> {
  const row = await db
    .selectFrom('telegram_messages')
    .select('configuration_id')
    .where('id', '=', String(messageId))
    .executeTakeFirst();
  return row?.configuration_id ?? null;
}

interface Digest {
  readonly digestId: bigint;
  readonly replacedIds: readonly bigint[];
  /** null: nobody knows the events any more; there is nothing to tell. */
  readonly content: ReturnType<typeof digestCard> | null;
  readonly eventCount: number;
}

async function store(trx: Transaction, { digestId, replacedIds, content, eventCount }: Digest): Promise<void> {
  const replaced = replacedIds.map(String);
  await sql`
    update telegram_messages set state = 'dropped', reason = 'posted in a digest'
    where id = any(${replaced}::bigint[]) and (id <> ${String(digestId)} or ${content === null})`.execute(trx);
  if (content === null) return;
  await sql`
    update telegram_messages set kind = 'digest', content = ${JSON.stringify(content)}::jsonb, form = 'full',
      event_count = ${eventCount}, reason = null, running_key = null, running_until = null,
      happened_at = (select max(happened_at) from telegram_messages where id = any(${replaced}::bigint[]))
    where id = ${String(digestId)}`.execute(trx);
  await sql`
    update telegram_deliveries set message_id = ${String(digestId)}
    where message_id = any(${replaced}::bigint[])`.execute(trx);
}
