import { type Kysely, sql } from 'kysely';

import type { QuietHours } from '../core/quiet-hours.ts';
import { type QuietColumns, quietOf, type SupplyColumns, supplyOf } from '../configs/configuration-row.ts';
import { insertMessages, type NewMessage } from './enqueue-messages.ts';
import type { TelegramTables } from './tables.ts';

/** A live configuration, as far as recaps and digests need it. */
export interface ListedConfiguration {
  readonly id: string;
  readonly chatId: string;
  readonly topicId: string | null;
  readonly trackedCollectionId: bigint;
  readonly quietHours: QuietHours | null;
  readonly timeZone: string;
  readonly recapMinute: number | null;
  readonly recappedUntil: Date;
  readonly mintedCount: number;
  readonly maxSupply: number | null;
  readonly hasHeld: boolean;
}

export interface RecapStore {
  readConfiguration(id: string): Promise<ListedConfiguration | null>;
  /** Live ones of chats that have the bot, with something held or with a daily recap. */
  candidates(): Promise<readonly ListedConfiguration[]>;
  heldEventIds(chatId: string): Promise<readonly bigint[]>;
  /** Tells what was held; false: another copy of the product did. */
  tellHeld(message: NewMessage, eventIds: readonly bigint[]): Promise<boolean>;
  /** Events that nobody knows any more are held for nothing. */
  dropHeld(chatId: string, eventIds: readonly bigint[], reason: string): Promise<void>;
  /** `message` null: nothing worth telling. False: another copy did it, or somebody changed the recap meanwhile. */
  tellDaily(configuration: ListedConfiguration, until: Date, message: NewMessage | null): Promise<boolean>;
}

interface Row extends QuietColumns, SupplyColumns {
  readonly id: string;
  readonly chat_id: string;
  readonly topic_id: string | null;
  readonly tracked_collection_id: string;
  readonly recap_minute: number | null;
  readonly recapped_until: Date;
  readonly has_held: boolean;
}

const selected = sql`
  select conf.id, conf.chat_id, case when chat.topic_state = 'open' then chat.topic_id end as topic_id, conf.tracked_collection_id, quiet_from_minute, quiet_to_minute,
    time_zone, recap_minute, recapped_until, minted_count, max_supply,
    exists (select 1 from telegram_deliveries d where d.chat_id = conf.chat_id and d.is_held) as has_held
  from telegram_configurations conf join telegram_chats chat using (chat_id)`;

/** Recaps on PostgreSQL: any copy of the product makes them, each exactly once. */
export function createRecapStore(db: Kysely<TelegramTables>): RecapStore {
  return {
    readConfiguration: async (id) => {
      const { rows } = await sql<Row>`${selected} where conf.id = ${id}`.execute(db);
      return rows[0] === undefined ? null : toConfiguration(rows[0]);
    },
    candidates: async () => {
      const { rows } = await sql<Row>`
        ${selected} where chat.removed_at is null and conf.deleted_at is null and conf.id in (
          select id from telegram_configurations where recap_minute is not null and deleted_at is null
          union
          select c.id from telegram_deliveries d join telegram_configurations c using (chat_id) where d.is_held)
        order by conf.id`.execute(db);
      return rows.map(toConfiguration);
    },
    heldEventIds: async (chatId) => {
      const { rows } = await sql<{ event_id: string }>`
        select event_id from telegram_deliveries where chat_id = ${chatId} and is_held order by event_id`.execute(db);
      return rows.map(({ event_id }) => BigInt(event_id));
    },
    tellHeld: (message, eventIds) =>
      db.transaction().execute(async (trx) => {
        const ids = eventIds.map(String);
        await holdChat(trx, message.chatId);
        const { rows } = await sql`
          select 1 from telegram_deliveries
          where chat_id = ${message.chatId} and event_id = any(${ids}::bigint[]) and is_held
          for update skip locked`.execute(trx);
        if (rows.length !== ids.length) return false;
        const [messageId] = await insertMessages(trx, [message]);
        await sql`
          update telegram_deliveries set is_held = false, message_id = ${messageId}
          where chat_id = ${message.chatId} and event_id = any(${ids}::bigint[])`.execute(trx);
        return true;
      }),
    dropHeld: async (chatId, eventIds, reason) => {
      await sql`
        update telegram_deliveries set is_held = false, dropped_reason = ${reason}
        where chat_id = ${chatId} and event_id = any(${eventIds.map(String)}::bigint[]) and is_held`.execute(db);
    },
    tellDaily: (configuration, until, message) =>
      db.transaction().execute(async (trx) => {
        await holdChat(trx, configuration.chatId);
        // Whoever changed the time of the recap set `recapped_until` anew.
        const { numAffectedRows } = await sql`
          update telegram_configurations set recapped_until = ${until}
          where id = ${configuration.id} and recap_minute = ${configuration.recapMinute} and recapped_until < ${until}
            and deleted_at is null`.execute(trx);
        if (numAffectedRows !== 1n) return false;
        if (message === null) return true;
        await insertMessages(trx, [message]);
        return true;
      }),
  };
}

/** Chats before what is theirs, as everybody locks them. */
const holdChat = (trx: Kysely<TelegramTables>, chatId: string): Promise<unknown> =>
  sql`select 1 from telegram_chats where chat_id = ${chatId} for no key update`.execute(trx);

const toConfiguration = (row: Row): ListedConfiguration => ({
  id: row.id,
  chatId: row.chat_id,
  topicId: row.topic_id,
  trackedCollectionId: BigInt(row.tracked_collection_id),
  ...quietOf(row),
  recapMinute: row.recap_minute,
  recappedUntil: row.recapped_until,
  ...supplyOf(row),
  hasHeld: row.has_held,
});
