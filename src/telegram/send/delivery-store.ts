import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';

import { typedTransaction } from '../../db/connect.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { publishWithin } from '../../db/change-signal.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { MessageContent } from '../cards/message-content.ts';
import type { telegramMessage } from '../contract.ts';
import { cardsTopic, insertMessages } from '../notify/enqueue-messages.ts';
import { cutText, plainText } from './plain-text.ts';

type TelegramMessage = z.infer<typeof telegramMessage>;

type RetryAnswer =
  | { readonly kind: 'queued'; readonly message: TelegramMessage; readonly configurationId: string | null }
  | { readonly kind: 'unknown' }
  /** Only failed messages can be sent again: any other would arrive twice. */
  | { readonly kind: 'not-failed' }
  | { readonly kind: 'chat-removed' }
  /** Deleting the configuration ended its messages (specification 2). */
  | { readonly kind: 'configuration-deleted' };

interface TestMessage {
  readonly configurationId: string;
  readonly chatId: string;
  readonly topicId: string | number | null;
  readonly content: MessageContent;
}

const pageSize = 50;
const previewMaxLength = 200;

/** The outbox for the admin area (rulings R6). */
export const createDeliveryStore = (db: Kysely<Database>) => ({
  /** Newest first, 50 a page; `before` is the previous page's `nextBefore`. */
  page: async (configurationId: string, before: string | null) => {
    const rows = await db
      .selectFrom('telegramMessages')
      .selectAll()
      .where('configurationId', '=', configurationId)
      .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(pageSize + 1)
      .execute();
    const shown = rows.slice(0, pageSize);
    const nextBefore = rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null;
    return { messages: shown.map(toMessage), nextBefore };
  },

  find: async (messageId: string): Promise<TelegramMessage | null> => {
    const row = await messages(db).where('id', '=', messageId).executeTakeFirst();
    return row === undefined ? null : toMessage(row);
  },

  /**
   * The message keeps its place: it has the lowest id of those waiting, so it goes next. The chat gets events in the
   * order in which they happened, as far as still possible.
   */
  retry: (messageId: string, opened: OpenTransaction): Promise<RetryAnswer> =>
    retryIn(typedTransaction(opened), messageId),

  /** At the end of the chat's queue. */
  enqueueTest: async (test: TestMessage, opened: OpenTransaction): Promise<TelegramMessage> => {
    const trx = typedTransaction(opened);
    const topicId = test.topicId === null ? null : String(test.topicId);
    const [id = ''] = await insertMessages(trx, [{ ...test, topicId, kind: 'test', eventCount: 0, happenedAt: null }]);
    return toMessage(await messages(trx).where('id', '=', id).executeTakeFirstOrThrow());
  },

  counts: async () => {
    const { pendingCount, oldestSeconds } = await db
      .selectFrom('telegramMessages')
      .select(({ fn }) => [
        fn.countAll().as('pendingCount'),
        sql<number | null>`extract(epoch from clock_timestamp() - min(created_at))::int`.as('oldestSeconds'),
      ])
      .where('state', 'in', ['pending', 'sending'])
      .executeTakeFirstOrThrow();
    return {
      pendingCount: Number(pendingCount),
      oldestPendingSeconds: oldestSeconds === null ? null : Math.max(0, oldestSeconds),
    };
  },

  ofChat: async (chatId: string | number) => {
    const row = await db
      .selectFrom('telegramMessages')
      .select(({ fn }) => [
        fn.countAll().filterWhere('state', '<>', 'sent').as('pendingCount'),
        fn.min('createdAt').filterWhere('state', '<>', 'sent').as('oldestPendingAt'),
        fn.max('sentAt').as('lastSentAt'),
      ])
      .where('chatId', '=', String(chatId))
      .where('state', 'in', ['pending', 'sending', 'sent'])
      .executeTakeFirstOrThrow();
    const { oldestPendingAt, lastSentAt }: { oldestPendingAt: Date | null; lastSentAt: Date | null } = row;
    return { pendingCount: Number(row.pendingCount), oldestPendingAt, lastSentAt };
  },
});
export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

const messages = (db: Kysely<Database>) => db.selectFrom('telegramMessages').selectAll();

async function retryIn(trx: Trx, messageId: string): Promise<RetryAnswer> {
  // Locks chats before messages, like all other code.
  const chat = await trx
    .selectFrom('telegramChats')
    .select('removedAt')
    .where('chatId', '=', (build) => build.selectFrom('telegramMessages').select('chatId').where('id', '=', messageId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (chat === undefined) return { kind: 'unknown' };
  if (chat.removedAt !== null) return { kind: 'chat-removed' };
  const ofDeleted = await trx
    .selectFrom('telegramMessages as message')
    .innerJoin('telegramConfigurations as conf', 'conf.id', 'message.configurationId')
    .select('message.id')
    .where('message.id', '=', messageId)
    .where('conf.deletedAt', 'is not', null)
    .executeTakeFirst();
  if (ofDeleted !== undefined) return { kind: 'configuration-deleted' };
  const row = await trx
    .updateTable('telegramMessages')
    .set({ state: 'pending', form: 'full', attempts: 0, reason: null, retriedAt: sql`clock_timestamp()` })
    .where('id', '=', messageId)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return { kind: 'not-failed' };
  await publishWithin(trx, cardsTopic);
  return { kind: 'queued', message: toMessage(row), configurationId: row.configurationId };
}

/** Cancels what waits for a deleted configuration or is held for the morning; returns the number of messages. */
export async function dropPending(trx: Trx, configurationId: string, reason: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .with('waiting', (from) =>
      from
        .selectFrom('telegramMessages')
        .select('id')
        .where('configurationId', '=', configurationId)
        .where('state', '=', 'pending')
        .orderBy('id')
        .forUpdate(),
    )
    .updateTable('telegramMessages')
    .from('waiting')
    .set({ state: 'dropped', reason })
    .whereRef('telegramMessages.id', '=', 'waiting.id')
    .executeTakeFirst();
  // One collection per group (specification 9): everything held in the chat belongs to this configuration.
  await trx
    .with('held', (from) =>
      from
        .selectFrom('telegramDeliveries')
        .select(['chatId', 'eventId'])
        .where('isHeld', '=', true)
        .where('chatId', '=', (build) =>
          build.selectFrom('telegramConfigurations').select('chatId').where('id', '=', configurationId),
        )
        .orderBy('eventId')
        .forUpdate(),
    )
    .updateTable('telegramDeliveries')
    .from('held')
    .set({ isHeld: false, droppedReason: reason })
    .whereRef('telegramDeliveries.chatId', '=', 'held.chatId')
    .whereRef('telegramDeliveries.eventId', '=', 'held.eventId')
    .execute();
  return Number(numUpdatedRows);
}

/** Its lines, joined like facts on one line. */
const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' · ');

type Row = Awaited<ReturnType<ReturnType<typeof messages>['executeTakeFirstOrThrow']>>;

const toMessage = (row: Row): TelegramMessage => ({
  id: row.id,
  kind: row.kind,
  preview: cutText(inOneLine(plainText((row.content as MessageContent).html)), previewMaxLength),
  eventCount: row.eventCount,
  state: row.state,
  attempts: row.attempts,
  isDoubtful: row.isDoubtful,
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
});
