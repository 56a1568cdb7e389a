import type { Update } from 'grammy/types';
import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

export interface ArrivedUpdate {
  readonly update: Update;
  readonly chatId: number;
}

/** An update that crashes the process must not crash it for ever. */
const attemptsMax = 10;
const readTogether = 100;

const ageMs = sql<number>`(extract(epoch from clock_timestamp() - received_at) * 1000)::float8`;

/** Updates that must not be lost, as rows (docs/decisions/0016). Throws database errors. */
export const createUpdateStore = (db: Kysely<Database>) => ({
  /** Stores each once, however often it arrives. */
  write: async (arrived: readonly ArrivedUpdate[]) => {
    await db
      .insertInto('telegramInbox')
      .values(arrived.map(({ update, chatId }) => ({ updateId: update.update_id, chatId, update: keptUpdate(update) })))
      .onConflict((conflict) => conflict.column('updateId').doNothing())
      .execute();
  },
  /** A chat's first unhandled updates, in order. */
  waiting: async (chatId: number) => {
    const rows = await db
      .selectFrom('telegramInbox')
      .select(['updateId', 'update', ageMs.as('ageMs')])
      .where('chatId', '=', String(chatId))
      .where('handledAt', 'is', null)
      .where('attempts', '<', attemptsMax)
      .orderBy('updateId')
      .limit(readTogether)
      .execute();
    return rows.map(({ updateId, update, ageMs }) => ({ id: Number(updateId), update: update as Update, ageMs }));
  },
  /** Counts the attempt. */
  begin: async (updateId: number) => {
    await db
      .updateTable('telegramInbox')
      .set((field) => ({ attempts: field('attempts', '+', 1) }))
      .where('updateId', '=', String(updateId))
      .execute();
  },
  /** Marks them handled: the keys stay for a while, as Telegram may repeat them; the content is deleted. */
  settle: async (updateIds: readonly number[]) => {
    if (updateIds.length === 0) return;
    await db
      .updateTable('telegramInbox')
      .set({ handledAt: sql<Date>`clock_timestamp()`, update: null })
      .where('updateId', 'in', updateIds.map(String))
      .execute();
  },
  /** Chats with waiting updates. */
  waitingChats: async () => {
    const rows = await db
      .selectFrom('telegramInbox')
      .select('chatId')
      .distinct()
      .where('handledAt', 'is', null)
      .where('attempts', '<', attemptsMax)
      .execute();
    return rows.map(({ chatId }) => Number(chatId));
  },
  /** Telegram keeps an update for a day itself (Bot API, Getting updates), and repeats one within minutes. */
  clean: async () => {
    // Not clock_timestamp(): a volatile function cannot use the indexes.
    await db
      .deleteFrom('telegramInbox')
      .where((where) =>
        where.or([
          where('handledAt', '<', sql<Date>`statement_timestamp() - interval '1 hour'`),
          where('receivedAt', '<', sql<Date>`statement_timestamp() - interval '1 day'`),
        ]),
      )
      .execute();
  },
});
export type UpdateStore = ReturnType<typeof createUpdateStore>;

const peoplesNames: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'username',
  'language_code',
  'author_signature',
]);
const peoplesWords: ReadonlySet<string> = new Set(['quote', 'external_reply', 'forward_origin']);

/**
 * An update as JSON for the database: without names, and without quoted text of other people. The privacy policy
 * mentions only a messenger user ID, and the bot's page says that what people write to each other is never stored.
 */
export const keptUpdate = (update: object): string => JSON.stringify(update, withoutPeople);

function withoutPeople(key: string, value: unknown): unknown {
  if (peoplesNames.has(key) || peoplesWords.has(key)) return undefined;
  return key === 'reply_to_message' && isObject(value) ? answered(value) : value;
}

type Parts = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** A bot's question identifies what is answered; of any other message the id is enough. */
const answered = (message: Parts): Parts => {
  const { message_id, date, chat, from } = message;
  return isObject(from) && from['is_bot'] === true ? message : { message_id, date, chat };
};
