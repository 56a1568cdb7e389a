import { sql } from 'kysely';
import type { Kysely } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { retention } from '../../shared/retention.ts';
import { supplyMax } from '../commands/texts/supply-answer.ts';
import {
  columnsOf,
  type Configuration,
  type ConfigurationChange,
  configurationOf,
  type ConfigurationRow,
} from './configuration-row.ts';
import type { TelegramTables } from '../tables.ts';

export interface NewConfiguration {
  readonly chatId: number;
  readonly trackedCollectionId: bigint;
  readonly collectionId: string;
  readonly collectionName: string;
  readonly maxSupply: number | null;
  readonly mintedCount: number;
  readonly createdBy: string;
}

/** Specification 9 and rulings R6: kept this long after its deletion or the bot's removal from the chat. */
export const keptForDays = retention.telegram_configurations.days;

/**
 * Configurations of groups. Throws database errors; waits for other changes of the same row. Not `for update`: that
 * would block inserts that only refer to the row, such as messages, and deadlock with a change of its chat.
 */
export function createConfigurationStore(db: Kysely<TelegramTables>) {
  const all = (on: Kysely<TelegramTables>) => on.selectFrom('telegram_configurations').selectAll();

  return {
    ofChat: async (chatId: number, opened?: OpenTransaction): Promise<Configuration | null> => {
      const on = opened === undefined ? db : transactionOf<TelegramTables>(opened);
      const query = all(on).where('chat_id', '=', String(chatId)).where('deleted_at', 'is', null);
      return first(opened === undefined ? query : query.forNoKeyUpdate());
    },

    /** Includes deleted ones. Locks the row until the transaction ends. */
    hold: (id: string, opened: OpenTransaction): Promise<Configuration | null> =>
      first(all(transactionOf<TelegramTables>(opened)).where('id', '=', id).forNoKeyUpdate()),

    find: (id: string, opened?: OpenTransaction): Promise<Configuration | null> =>
      first(all(opened === undefined ? db : transactionOf<TelegramTables>(opened)).where('id', '=', id)),

    insert: async (fresh: NewConfiguration, opened: OpenTransaction): Promise<Configuration> => {
      const row = await transactionOf<TelegramTables>(opened)
        .insertInto('telegram_configurations')
        .values(freshRow(fresh))
        .returningAll()
        .executeTakeFirstOrThrow();
      return configurationOf(row);
    },

    /** Every change makes a new version. */
    change: async (id: string, change: ConfigurationChange, opened: OpenTransaction): Promise<Configuration> => {
      const row = await transactionOf<TelegramTables>(opened)
        .updateTable('telegram_configurations')
        .set({ ...columnsOf(change), ...newVersion })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return configurationOf(row);
    },

    /** `at`: when it really ended; defaults to now. */
    softDelete: async (id: string, by: string, opened: OpenTransaction, at?: Date): Promise<void> => {
      await transactionOf<TelegramTables>(opened)
        .updateTable('telegram_configurations')
        .set({ deleted_at: at ?? sql<Date>`clock_timestamp()`, deleted_by: by, ...newVersion })
        .where('id', '=', id)
        .execute();
    },

    /** null once its 30 days are over. Recaps restart: the time in between was not watched. */
    restore: async (id: string, mintedCount: number, opened: OpenTransaction): Promise<Configuration | null> => {
      const row = await transactionOf<TelegramTables>(opened)
        .updateTable('telegram_configurations')
        .set({ ...undeleted, minted_count: storableCount(mintedCount), ...newVersion })
        .where('id', '=', id)
        .where('deleted_at', '>', sql<Date>`clock_timestamp() - ${keptForDays} * interval '1 day'`)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : configurationOf(row);
    },

    /** Posts events from now on, in recaps too. Not an edit by a person: `version` stays. */
    followAnew: async (id: string, opened: OpenTransaction): Promise<void> => {
      await sql`update telegram_configurations set followed_since = clock_timestamp(), recapped_until = clock_timestamp()
        where id = ${id}`.execute(transactionOf<TelegramTables>(opened));
    },

    count: async (): Promise<number> => {
      const { count } = await db
        .selectFrom('telegram_configurations')
        .where('deleted_at', 'is', null)
        .select((row) => row.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
export type ConfigurationStore = ReturnType<typeof createConfigurationStore>;

const undeleted = { deleted_at: null, deleted_by: null, recapped_until: sql<Date>`clock_timestamp()` };
const newVersion = { version: sql<number>`version + 1`, updated_at: sql<Date>`clock_timestamp()` };

interface RowQuery {
  executeTakeFirst(): Promise<ConfigurationRow | undefined>;
}

const first = async (query: RowQuery): Promise<Configuration | null> => {
  const row = await query.executeTakeFirst();
  return row === undefined ? null : configurationOf(row);
};

/** A marketplace may report more than any collection has: that must not prevent a group from following it. */
const storableCount = (count: number): number => Math.min(count, supplyMax);

/** All four toggles on, no options (rulings R4). */
const freshRow = (fresh: NewConfiguration) => ({
  chat_id: fresh.chatId,
  tracked_collection_id: fresh.trackedCollectionId,
  collection_id: fresh.collectionId,
  collection_name: fresh.collectionName,
  max_supply: fresh.maxSupply,
  minted_count: storableCount(fresh.mintedCount),
  created_by: fresh.createdBy,
  hex_collection_id: null,
  min_price_mist: null,
  quiet_from_minute: null,
  quiet_to_minute: null,
  recap_minute: null,
  deleted_at: null,
  deleted_by: null,
});
