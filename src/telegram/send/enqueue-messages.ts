import { type Selectable, sql } from 'kysely';

import { publishInTransaction } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { chunksOf } from '../../shared/chunks.ts';
import type { MessageContent } from '../cards/message-html.ts';

export interface NewMessage {
  readonly chatId: string;
  readonly configurationId?: string | null;
  readonly topicId?: string | number | null;
  readonly kind: Selectable<Database['telegramMessages']>['kind'];
  readonly content: MessageContent;
  readonly eventCount?: number;
  readonly happenedAt?: Date | null;
  readonly runningKey?: string | null;
}

/** Published when a new message waits for a chat. */
export const cardsTopic = 'telegram-outbox';
export const repliesTopic = 'telegram-replies';

/** One event in one chat: in a message, dropped for a reason, or held. */
export interface NewDelivery {
  readonly chatId: string;
  readonly eventId: bigint;
  readonly messageId: string | null;
  readonly droppedReason: string | null;
}

/**
 * Appends rows to their chats' queues in the given order, in a few statements however many there are. The sending copy
 * is notified on commit. Returns the ids.
 */
export async function insertMessages(trx: Trx, messages: readonly NewMessage[]): Promise<readonly string[]> {
  if (messages.length === 0) return [];
  // Ids first, to know which row is which. Many chats get the same content: it is sent to the database once.
  const { rows } = await sql<{ id: string }>`
    select nextval(pg_get_serial_sequence('telegram_messages', 'id')) as id
    from generate_series(1, ${messages.length})`.execute(trx);
  const ids = rows.map(({ id }) => id).sort((one, other) => Number(BigInt(one) - BigInt(other)));
  const contents = [...new Set(messages.map(({ content }) => content))];
  const indexOf = new Map(contents.map((content, index) => [content, index]));
  await sql`
    insert into telegram_messages
      (id, chat_id, configuration_id, topic_id, kind, content, event_count, happened_at, running_key, running_until)
    overriding system value
    select m.id, m.chat_id, m.configuration_id, m.topic_id, m.kind,
      (${JSON.stringify(contents)}::jsonb) -> m.content_index, m.event_count, m.happened_at,
      m.running_key, case when m.running_key is not null then ${runningUntil} end
    from unnest(${ids}::bigint[], ${column(messages, 'chatId')}::bigint[], ${column(messages, 'configurationId')}::bigint[],
      ${column(messages, 'topicId')}::bigint[], ${column(messages, 'kind')}::text[],
      ${messages.map(({ content }) => indexOf.get(content) ?? 0)}::int[], ${messages.map(({ eventCount }) => eventCount ?? 0)}::int[],
      ${column(messages, 'happenedAt')}::timestamptz[], ${column(messages, 'runningKey')}::text[])
      as m(id, chat_id, configuration_id, topic_id, kind, content_index, event_count, happened_at, running_key)`.execute(
    trx,
  );
  const topics = new Set(messages.map(({ kind }) => (kind === 'reply' ? repliesTopic : cardsTopic)));
  for (const topic of topics) await publishInTransaction(trx, topic);
  return ids;
}

/** A running card lasts an hour from its first message (rulings R4). */
const runningUntil = sql`coalesce(
  (select max(run.running_until) from telegram_messages run
    where run.chat_id = m.chat_id and run.running_key = m.running_key and run.running_until > clock_timestamp()),
  clock_timestamp() + interval '1 hour')`;

/** Far below what the time limit of a statement allows: there is a row for each group and event. */
const insertedAtOnceMax = 10_000;

/** Throws if a delivery exists already, which rolls back the transaction. */
export async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const chunk of chunksOf(deliveries, insertedAtOnceMax)) {
    await sql`
      insert into telegram_deliveries (chat_id, event_id, message_id, dropped_reason, is_held)
      select d.chat_id, d.event_id, d.message_id, d.dropped_reason, d.message_id is null and d.dropped_reason is null
      from unnest(${column(chunk, 'chatId')}::bigint[], ${chunk.map(({ eventId }) => eventId.toString())}::bigint[],
        ${column(chunk, 'messageId')}::bigint[], ${column(chunk, 'droppedReason')}::text[])
        as d(chat_id, event_id, message_id, dropped_reason)`.execute(trx);
  }
}

const column = <Row, Name extends keyof Row>(rows: readonly Row[], name: Name) => rows.map((row) => row[name] ?? null);
