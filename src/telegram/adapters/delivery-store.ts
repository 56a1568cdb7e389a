import { type Kysely, type Selectable, sql } from 'kysely';
import type { z } from 'zod';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { telegramMessage } from '../contract.ts';
import type { MessageContent } from '../core/message-content.ts';
import { cutText, plainText } from '../send/plain-text.ts';
import { publishWithin } from '../../platform/change-signal.ts';
import { cardsTopic, insertMessages } from './enqueue-messages.ts';
import type { TelegramTables } from './tables.ts';

type TelegramMessage = z.infer<typeof telegramMessage>;

type RetryAnswer =
  | { readonly kind: 'queued'; readonly message: TelegramMessage; readonly configurationId: string | null }
  | { readonly kind: 'unknown' }
  /** Only what was set aside as failed can be sent again: anything else would be told twice. */
  | { readonly kind: 'not-failed' }
  | { readonly kind: 'chat-removed' }
  /** Whoever deleted the configuration ended what it tells (specification 2). */
  | { readonly kind: 'configuration-deleted' };

interface TestMessage {
  readonly configurationId: string;
  readonly chatId: string;
  readonly topicId: string | number | null;
  readonly content: MessageContent;
}

/** The outbox as people look at it (rulings R6). */
export interface DeliveryStore {
  /** Newest first, 50 a page; `before` is the `nextBefore` of the page before. */
  page(
    configurationId: string,
    before: string | null,
  ): Promise<{ readonly messages: readonly TelegramMessage[]; readonly nextBefore: string | null }>;
  find(messageId: string): Promise<TelegramMessage | null>;
  /**
   * The message keeps its place: it has the lowest id of those that wait, so it goes next. The chat reads things in the
   * order in which they happened, as far as that can still be had. Wake the senders after the commit.
   */
  retry(messageId: string, transaction: OpenTransaction): Promise<RetryAnswer>;
  /** At the end of the chat's queue. Wake the senders after the commit. */
  enqueueTest(test: TestMessage, transaction: OpenTransaction): Promise<TelegramMessage>;
  /** What waits for a configuration that was removed, and what is held for the morning; answers how many messages. */
  dropPending(configurationId: string, reason: string, transaction: OpenTransaction): Promise<number>;
  counts(): Promise<{ readonly pendingCount: number; readonly oldestPendingSeconds: number | null }>;
  ofChat(chatId: string | number): Promise<{
    readonly pendingCount: number;
    readonly oldestPendingAt: Date | null;
    readonly lastSentAt: Date | null;
  }>;
}

const pageSize = 50;
const previewMaxLength = 200;

export function createDeliveryStore(db: Kysely<TelegramTables>): DeliveryStore {
  return {
    page: async (configurationId, before) => {
      const rows = await db
        .selectFrom('telegram_messages')
        .selectAll()
        .where('configuration_id', '=', configurationId)
        .$if(before !== null, (query) => query.where('id', '<', before))
        .orderBy('id', 'desc')
        .limit(pageSize + 1)
        .execute();
      const shown = rows.slice(0, pageSize);
      return { messages: shown.map(toMessage), nextBefore: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null };
    },
    find: (messageId) => findIn(db, messageId),
    retry: (messageId, transaction) => retryIn(transactionOf<TelegramTables>(transaction), messageId),
    enqueueTest: (test, transaction) => enqueueTestIn(transactionOf<TelegramTables>(transaction), test),
    dropPending: (configurationId, reason, transaction) =>
      dropPendingIn(transactionOf<TelegramTables>(transaction), configurationId, reason),
    counts: async () => {
      const { rows } = await sql<{ pending_count: number; oldest_seconds: number | null }>`
        select count(*)::int as pending_count,
          extract(epoch from clock_timestamp() - min(created_at))::int as oldest_seconds
        from telegram_messages where state in ('pending', 'sending')`.execute(db);
      const { pending_count: pendingCount = 0, oldest_seconds: oldest = null } = rows[0] ?? {};
      return { pendingCount, oldestPendingSeconds: oldest === null ? null : Math.max(0, oldest) };
    },
    ofChat: async (chatId) => {
      const { rows } = await sql<{ pending_count: number; oldest_at: Date | null; sent_at: Date | null }>`
        select count(*) filter (where state <> 'sent')::int as pending_count,
          min(created_at) filter (where state <> 'sent') as oldest_at, max(sent_at) as sent_at
        from telegram_messages where chat_id = ${String(chatId)} and state in ('pending', 'sending', 'sent')`.execute(
        db,
      );
      const [row] = rows;
      return {
        pendingCount: row?.pending_count ?? 0,
        oldestPendingAt: row?.oldest_at ?? null,
        lastSentAt: row?.sent_at ?? null,
      };
    },
  };
}

async function findIn(db: Kysely<TelegramTables>, messageId: string): Promise<TelegramMessage | null> {
  const row = await db.selectFrom('telegram_messages').selectAll().where('id', '=', messageId).executeTakeFirst();
  return row === undefined ? null : toMessage(row);
}

async function retryIn(trx: Kysely<TelegramTables>, messageId: string): Promise<RetryAnswer> {
  // Chats before messages, as everybody locks them.
  const { rows } = await sql<{ chat_id: string; is_removed: boolean }>`
    select chat_id, removed_at is not null as is_removed from telegram_chats
    where chat_id = (select chat_id from telegram_messages where id = ${messageId}) for no key update`.execute(trx);
  const [chat] = rows;
  if (chat === undefined) return { kind: 'unknown' };
  if (chat.is_removed) return { kind: 'chat-removed' };
  if (await isOfDeleted(trx, messageId)) return { kind: 'configuration-deleted' };
  const row = await trx
    .updateTable('telegram_messages')
    .set({ state: 'pending', form: 'full', attempts: 0, reason: null, retried_at: sql`clock_timestamp()` })
    .where('id', '=', messageId)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return { kind: 'not-failed' };
  await publishWithin(trx, cardsTopic);
  return { kind: 'queued', message: toMessage(row), configurationId: row.configuration_id };
}

async function isOfDeleted(trx: Kysely<TelegramTables>, messageId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('telegram_messages as m')
    .innerJoin('telegram_configurations as c', 'c.id', 'm.configuration_id')
    .select('m.id')
    .where('m.id', '=', messageId)
    .where('c.deleted_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function dropPendingIn(trx: Kysely<TelegramTables>, configurationId: string, reason: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with waiting as materialized (
      select id from telegram_messages where configuration_id = ${configurationId}
        and state = 'pending' order by id for update
    )
    update telegram_messages set state = 'dropped', reason = ${reason}
    from waiting where telegram_messages.id = waiting.id`.execute(trx);
  // One collection per group (specification 9): whatever its chat holds is this one's.
  await sql`
    with held as materialized (
      select chat_id, event_id from telegram_deliveries where is_held
        and chat_id = (select chat_id from telegram_configurations where id = ${configurationId})
      order by event_id for update
    )
    update telegram_deliveries told set is_held = false, dropped_reason = ${reason}
    from held where told.chat_id = held.chat_id and told.event_id = held.event_id`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

async function enqueueTestIn(trx: Kysely<TelegramTables>, test: TestMessage): Promise<TelegramMessage> {
  const topicId = test.topicId === null ? null : String(test.topicId);
  const [id = ''] = await insertMessages(trx, [{ ...test, topicId, kind: 'test', eventCount: 0, happenedAt: null }]);
  const message = await findIn(trx, id);
  if (message === null) throw new Error('A message that was just written is not there');
  return message;
}

/** Its lines, set apart as the facts of one line are. */
const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' · ');

const toMessage = (row: Selectable<TelegramTables['telegram_messages']>): TelegramMessage => ({
  id: row.id,
  kind: row.kind,
  preview: cutText(inOneLine(plainText(row.content.html)), previewMaxLength),
  eventCount: row.event_count,
  state: row.state,
  attempts: row.attempts,
  isDoubtful: row.is_doubtful,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  sentAt: row.sent_at?.toISOString() ?? null,
});
