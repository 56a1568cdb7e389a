import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { publishInTransaction } from '../../db/change-signal.ts';
import { Refused } from '../../shared/failure.ts';
import { cutText, plainText, type MessageContent } from '../cards/message-html.ts';
import type { telegramMessage } from '../contract.ts';
import { cardsTopic, insertMessages, type NewMessage } from './enqueue-messages.ts';

type TelegramMessage = z.infer<typeof telegramMessage>;

const pageSize = 50;
const previewMaxLength = 200;

/** The messages as people see them: in the admin's list and in /status. message-store.ts is the sender's side of them. */
export const createOutbox = (db: Kysely<Database>) => ({
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

  /**
   * The message keeps its place: it has the lowest id of those waiting, so it goes next. The chat gets events in the
   * order in which they happened, as far as still possible.
   */
  retry: retryIn,

  /** At the end of the chat's queue. */
  enqueueTest: async (trx: Trx, test: Omit<NewMessage, 'kind'>): Promise<TelegramMessage> => {
    const [id = ''] = await insertMessages(trx, [{ ...test, kind: 'test' }]);
    const row = await trx.selectFrom('telegramMessages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return toMessage(row);
  },

  /** Messages that wait for a person to let the bot write in a chat are not late. */
  counts: async () => {
    const { pendingCount, oldest, now } = await db
      .selectFrom('telegramMessages as m')
      .innerJoin('telegramChats as chat', 'chat.chatId', 'm.chatId')
      .select(({ fn }) => [
        fn.countAll().as('pendingCount'),
        fn
          .min('m.createdAt')
          .filterWhere((eb) => eb.or([eb('chat.trouble', 'is', null), eb('chat.limitedUntil', '>', databaseNow)]))
          .as('oldest'),
        databaseNow.as('now'),
      ])
      .where('m.state', 'in', ['pending', 'sending'])
      .$narrowType<{ oldest: Date | null }>()
      .executeTakeFirstOrThrow();
    const oldestPendingSeconds = oldest === null ? null : Math.max(0, Math.round((+now - +oldest) / 1_000));
    return { pendingCount: Number(pendingCount), oldestPendingSeconds };
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
      .where('kind', '<>', 'reply')
      .where('state', 'in', ['pending', 'sending', 'sent'])
      .executeTakeFirstOrThrow();
    const { oldestPendingAt, lastSentAt }: { oldestPendingAt: Date | null; lastSentAt: Date | null } = row;
    return { pendingCount: Number(row.pendingCount), oldestPendingAt, lastSentAt };
  },
});
export type Outbox = ReturnType<typeof createOutbox>;

async function retryIn(trx: Trx, messageId: string): Promise<TelegramMessage> {
  // Locks chats before messages, like all other code.
  const chat = await trx
    .selectFrom('telegramChats')
    .select('removedAt')
    .where('chatId', '=', (build) => build.selectFrom('telegramMessages').select('chatId').where('id', '=', messageId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (chat === undefined)
    throw new Refused('not-found', 'There is no such message: it may have been purged. Refresh the list.');
  if (chat.removedAt !== null)
    throw new Refused('chat-removed', 'The bot was removed from this chat. Add it, then retry.', { status: 409 });
  const ofDeleted = await trx
    .selectFrom('telegramMessages as message')
    .innerJoin('telegramConfigurations as conf', 'conf.id', 'message.configurationId')
    .select('message.id')
    .where('message.id', '=', messageId)
    .where('conf.deletedAt', 'is not', null)
    .executeTakeFirst();
  // Deleting the configuration ended its messages (specification 2).
  if (ofDeleted !== undefined) throw configurationDeleted();
  const row = await trx
    .updateTable('telegramMessages')
    .set({ state: 'pending', form: 'full', attempts: 0, reason: null, retriedAt: databaseNow })
    .where('id', '=', messageId)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();
  // A message in any other state might arrive twice.
  if (row === undefined)
    throw new Refused('message-not-failed', 'Only a message that failed can be sent again. Refresh the list.', {
      status: 409,
    });
  await publishInTransaction(trx, cardsTopic);
  return toMessage(row);
}

export const configurationDeleted = (): Refused =>
  new Refused('configuration-deleted', 'This configuration is deleted. Restore it first.', { status: 409 });

/** The lines of a message, joined into one. */
const previewOf = (html: string): string => {
  const lines = plainText(html).split('\n');
  const shown = lines.map((line) => line.trim()).filter((line) => line !== '');
  return cutText(shown.join(' · '), previewMaxLength);
};

type Row = Selectable<Database['telegramMessages']>;

/** Of the row only what the schema names is sent. */
const toMessage = ({ content, ...row }: Row): TelegramMessage => ({
  ...row,
  // Replies belong to no configuration.
  kind: row.kind as TelegramMessage['kind'],
  preview: previewOf((content as MessageContent).html),
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
});
