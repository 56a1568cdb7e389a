import type { Update } from 'grammy/types';
import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { keptUpdate } from './kept-update.ts';

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
