import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { TelegramTables } from '../tables.ts';

type ChatRow = Selectable<TelegramTables['telegram_chats']>;

/** What every update says about its chat. The title is untrusted. */
export interface ChatFacts {
  readonly id: number;
  readonly kind: ChatRow['kind'];
  readonly title: string;
  readonly isForum: boolean;
}

export interface KnownChat {
  readonly kind: ChatRow['kind'];
  readonly title: string;
  readonly isForum: boolean;
  /** The topic chosen for notifications; null: the chat itself. */
  readonly topicId: number | null;
  /** While it is closed, notifications go to the chat itself. */
  readonly topicState: ChatRow['topic_state'];
  readonly botStatus: ChatRow['bot_status'];
  readonly canSendMessages: boolean;
  readonly canSendPhotos: boolean;
  readonly removedAt: Date | null;
  /** The platform's own words. */
  readonly trouble: string | null;
}

export interface Membership {
  readonly status: ChatRow['bot_status'];
  readonly canSendMessages: boolean;
  readonly canSendPhotos: boolean;
}

/** Where its notifications go now. */
export const openTopicOf = (chat: Pick<KnownChat, 'topicId' | 'topicState'> | null): number | null =>
  chat?.topicState === 'open' ? chat.topicId : null;

const titleMax = 255;

type Db = Kysely<TelegramTables>;

/** Chats known to the bot. Throws database errors. */
export function createChatStore(db: Db) {
  return {
    /** Creates the row if needed and updates the title. */
    meet: (chat: ChatFacts): Promise<void> => meet(chat, db),

    /** Serialises changes of which configuration the chat has. */
    hold: async (chatId: number, opened: OpenTransaction): Promise<void> => {
      await held(transactionOf<TelegramTables>(opened), chatId);
    },

    read: async (chatId: number, opened?: OpenTransaction): Promise<KnownChat | null> => {
      const row = await ofChat(
        opened === undefined ? db : transactionOf<TelegramTables>(opened),
        chatId,
      ).executeTakeFirst();
      return row === undefined ? null : knownChat(row);
    },

    noteMembership: (chat: ChatFacts, membership: Membership, opened: OpenTransaction): Promise<KnownChat | null> =>
      noteMembership(chat, membership, transactionOf<TelegramTables>(opened)),

    setTopic: async (chatId: number, topicId: number | null, opened: OpenTransaction): Promise<void> => {
      await transactionOf<TelegramTables>(opened)
        .updateTable('telegram_chats')
        .set({ topic_id: topicId, topic_state: 'open', updated_at: sql`clock_timestamp()` })
        .where('chat_id', '=', String(chatId))
        .execute();
    },

    /** Records Telegram's own words about the chat. False: known already. */
    noteTrouble: async (chatId: number, trouble: string): Promise<boolean> => {
      const noted = await db
        .updateTable('telegram_chats')
        .set({ trouble, trouble_at: sql<Date>`clock_timestamp()` })
        .where('chat_id', '=', String(chatId))
        .where(sql<boolean>`trouble is distinct from ${trouble}`)
        .returning('chat_id')
        .executeTakeFirst();
      return noted !== undefined;
    },

    mayBecomeSupergroup: (title: string, opened: OpenTransaction): Promise<boolean> =>
      mayBecomeSupergroup(title, transactionOf<TelegramTables>(opened)),

    /** Notifies this user once in this chat. A notice that failed, for the limit or an outage, does not count. */
    tellOnce: async (chatId: number, userId: number, tell: () => Promise<unknown>): Promise<void> => {
      const inserted = await db
        .insertInto('telegram_told')
        .values({ chat_id: chatId, user_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst();
      if (inserted === undefined) return;
      try {
        await tell();
      } catch (error) {
        await sql`delete from telegram_told where chat_id = ${chatId} and user_id = ${userId}`.execute(db);
        throw error;
      }
    },
  };
}
export type ChatStore = ReturnType<typeof createChatStore>;

const columnsOf = (chat: ChatFacts) => ({
  kind: chat.kind,
  // PostgreSQL's text holds no NUL.
  title: chat.title.replaceAll('\0', '').slice(0, titleMax),
  is_forum: chat.isForum,
});

const knownChat = (row: ChatRow): KnownChat => ({
  kind: row.kind,
  title: row.title,
  isForum: row.is_forum,
  topicId: row.topic_id === null ? null : Number(row.topic_id),
  topicState: row.topic_state,
  botStatus: row.bot_status,
  canSendMessages: row.can_send_messages,
  canSendPhotos: row.can_send_photos,
  removedAt: row.removed_at,
  trouble: row.trouble,
});

const ofChat = (on: Db, chatId: number) =>
  on.selectFrom('telegram_chats').selectAll().where('chat_id', '=', String(chatId));

const held = (on: Db, chatId: number) => ofChat(on, chatId).forNoKeyUpdate().executeTakeFirst();

const differs = sql<boolean>`(telegram_chats.kind, telegram_chats.title, telegram_chats.is_forum)
  is distinct from (excluded.kind, excluded.title, excluded.is_forum)`;

async function meet(chat: ChatFacts, on: Db): Promise<void> {
  const fresh = { bot_status: 'member', removed_at: null, trouble: null, trouble_at: null } as const;
  await on
    .insertInto('telegram_chats')
    .values({ chat_id: chat.id, ...columnsOf(chat), ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('chat_id')
        .doUpdateSet({ ...columnsOf(chat), updated_at: sql`clock_timestamp()` })
        .where(differs),
    )
    .execute();
}

/** Records what the bot may do there now; returns the previous state. Locks the row. */
async function noteMembership(chat: ChatFacts, membership: Membership, on: Db): Promise<KnownChat | null> {
  const before = await held(on, chat.id);
  if (before === undefined) await meet(chat, on);
  const isOut = membership.status === 'left' || membership.status === 'kicked';
  const isCured = !isOut && membership.canSendMessages;
  await on
    .updateTable('telegram_chats')
    .set({
      ...columnsOf(chat),
      bot_status: membership.status,
      can_send_messages: membership.canSendMessages,
      can_send_photos: membership.canSendPhotos,
      // The first of several reports of one removal counts: the 30 days start there.
      removed_at: isOut ? sql<Date>`coalesce(removed_at, clock_timestamp())` : null,
      ...(isCured && { trouble: null, trouble_at: null }),
      updated_at: sql`clock_timestamp()`,
    })
    .where('chat_id', '=', String(chat.id))
    .execute();
  return before === undefined ? null : knownChat(before);
}

/**
 * Telegram may report a group that becomes a supergroup as one that is left and another, with the same title, that is
 * joined, in any order. Also true for a namesake, which then gets no welcome: no harm.
 */
async function mayBecomeSupergroup(title: string, db: Db): Promise<boolean> {
  const group = await db
    .selectFrom('telegram_chats')
    .select('chat_id')
    .where('kind', '=', 'group')
    .where('title', '=', title)
    .where(sql<boolean>`(removed_at is null or removed_at > clock_timestamp() - interval '10 seconds')`)
    .executeTakeFirst();
  return group !== undefined;
}
