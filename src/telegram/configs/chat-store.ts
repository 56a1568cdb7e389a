import type { Kysely, Selectable } from 'kysely';

import { publishInTransaction } from '../../db/change-signal.ts';
import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { cardsTopic } from '../send/enqueue-messages.ts';

type Db = Kysely<Database>;
type ChatRow = Selectable<Database['telegramChats']>;

/** What every update says about its chat. The title is untrusted. */
export interface ChatFacts extends Readonly<Pick<ChatRow, 'kind' | 'title' | 'isForum'>> {
  readonly id: number;
}

export interface KnownChat extends Readonly<Omit<ChatRow, 'topicId'>> {
  /** The topic chosen for notifications; null: the chat itself. While it is closed, they go to the chat itself. */
  readonly topicId: number | null;
}

export interface Membership extends Readonly<Pick<ChatRow, 'canSendMessages' | 'canSendPhotos'>> {
  readonly status: ChatRow['botStatus'];
}

export const openTopicOf = (chat: Pick<KnownChat, 'topicId' | 'topicState'> | null): number | null =>
  chat?.topicState === 'open' ? chat.topicId : null;

export const hasLeft = (status: ChatRow['botStatus']): boolean => status === 'left' || status === 'kicked';

const titleMax = 255;
const namesakesMax = 5;

export const createChatStore = (db: Db) => ({
  save: (chat: ChatFacts): Promise<void> => saveChat(chat, db),

  /** Serializes changes of which configuration the chat has. */
  lock: lockChat,

  read: async (chatId: number | string, on: Db = db): Promise<KnownChat | null> => {
    const row = await ofChat(on, chatId).executeTakeFirst();
    return row === undefined ? null : knownChat(row);
  },

  noteMembership,

  setTopic: async (trx: Trx, chatId: number, topicId: number | null): Promise<void> => {
    await trx
      .updateTable('telegramChats')
      .set({ topicId: topicId?.toString() ?? null, topicState: 'open', updatedAt: databaseNow })
      .where('chatId', '=', String(chatId))
      .execute();
  },

  /** An admin says that photos may be allowed again: the next picture is tried, and a refusal is noted anew. */
  tryPhotos: async (chatId: number | string, on: Db = db): Promise<void> => {
    await on.updateTable('telegramChats').set({ canSendPhotos: true }).where('chatId', '=', String(chatId)).execute();
  },

  /** Basic groups with that title, the last updated first: one of them may have become a supergroup. */
  basicNamesakes: async (title: string): Promise<readonly number[]> => {
    const rows = await db
      .selectFrom('telegramChats')
      .select('chatId')
      .where('kind', '=', 'group')
      .where('title', '=', title)
      .orderBy('updatedAt', 'desc')
      .limit(namesakesMax)
      .execute();
    return rows.map(({ chatId }) => Number(chatId));
  },
});
export type ChatStore = ReturnType<typeof createChatStore>;

const columnsOf = ({ kind, title, isForum }: ChatFacts) => ({
  kind,
  // PostgreSQL's text cannot hold NUL.
  title: title.replaceAll('\0', '').slice(0, titleMax),
  isForum,
});

const knownChat = (row: ChatRow): KnownChat => ({
  ...row,
  topicId: row.topicId === null ? null : Number(row.topicId),
});

const ofChat = (on: Db, chatId: number | string) =>
  on.selectFrom('telegramChats').selectAll().where('chatId', '=', String(chatId));

/** Locks the chat. All code locks a chat before the rows that belong to it. */
export const lockChat = (trx: Trx, chatId: number | string) => ofChat(trx, chatId).forNoKeyUpdate().executeTakeFirst();

export async function saveChat(chat: ChatFacts, on: Db): Promise<void> {
  const columns = columnsOf(chat);
  await on
    .insertInto('telegramChats')
    .values({ chatId: chat.id, ...columns, botStatus: 'member' })
    .onConflict((conflict) =>
      conflict
        .column('chatId')
        .doUpdateSet({ ...columns, updatedAt: databaseNow })
        .where((row) =>
          row.or([
            row('telegramChats.kind', 'is distinct from', columns.kind),
            row('telegramChats.title', 'is distinct from', columns.title),
            row('telegramChats.isForum', 'is distinct from', columns.isForum),
          ]),
        ),
    )
    .execute();
}

/** Records what the bot may do there now; returns the previous state. Locks the row. */
async function noteMembership(trx: Trx, chat: ChatFacts, membership: Membership): Promise<KnownChat | null> {
  const before = await lockChat(trx, chat.id);
  if (before === undefined) await saveChat(chat, trx);
  const { status, ...rights } = membership;
  const isOut = hasLeft(status);
  const isCured = !isOut && rights.canSendMessages;
  await trx
    .updateTable('telegramChats')
    .set((row) => ({
      ...columnsOf(chat),
      ...rights,
      botStatus: status,
      // The first of several reports of one removal counts: the 30 days start there.
      removedAt: isOut ? row.fn.coalesce('removedAt', databaseNow) : null,
      ...(isCured && { trouble: null }),
      updatedAt: databaseNow,
    }))
    .where('chatId', '=', String(chat.id))
    .execute();
  // Cards that waited for permission are tried at once.
  if (isCured && before !== undefined && before.trouble !== null) await publishInTransaction(trx, cardsTopic);
  return before === undefined ? null : knownChat(before);
}
