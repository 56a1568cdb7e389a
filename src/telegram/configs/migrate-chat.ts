import { type Kysely, sql } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { publishWithin } from '../../db/change-signal.ts';
import { cardsTopic } from '../notify/enqueue-messages.ts';
import type { TelegramTables } from '../tables.ts';

/**
 * A group that became a supergroup has another id: its configuration, queue and history move along (rulings R4). Safe
 * to repeat: Telegram reports it in updates of both chats, and in the answer to a send. False: there was nothing to
 * move.
 */
export const migrateChat = (transaction: OpenTransaction, fromChatId: string, toChatId: string): Promise<boolean> =>
  migrateChatRows(transactionOf<TelegramTables>(transaction), fromChatId, toChatId);

/** For the audit log. */
export const migrated = (fromChatId: string | number, toChatId: string | number) =>
  ({
    chatId: toChatId,
    action: 'telegram-chat-migrated',
    before: { chatId: String(fromChatId) },
    after: { chatId: String(toChatId) },
  }) as const;

export async function migrateChatRows(
  trx: Kysely<TelegramTables>,
  fromChatId: string,
  toChatId: string,
): Promise<boolean> {
  if (fromChatId === toChatId) return false;
  // In id order, like all code that locks several chats.
  const { rows } = await sql<{ chat_id: string }>`
    select chat_id from telegram_chats where chat_id in (${fromChatId}, ${toChatId}) order by chat_id for update`.execute(
    trx,
  );
  const known = new Set(rows.map(({ chat_id }) => chat_id));
  if (!known.has(fromChatId)) return false;
  if (known.has(toChatId)) await mergeInto(trx, fromChatId, toChatId);
  // Everything that refers to the chat follows through the foreign keys.
  else await sql`update telegram_chats set chat_id = ${toChatId} where chat_id = ${fromChatId}`.execute(trx);
  await sql`
    update telegram_chats set kind = 'supergroup', removed_at = null, trouble = null, trouble_at = null,
      limited_until = '-infinity', updated_at = clock_timestamp(),
      bot_status = case when bot_status in ('left', 'kicked') then 'member' else bot_status end
    where chat_id = ${toChatId}`.execute(trx);
  await publishWithin(trx, cardsTopic);
  return true;
}

/** The new chat is known already, through an update of its own. What was set up there meanwhile wins. */
async function mergeInto(trx: Kysely<TelegramTables>, from: string, to: string): Promise<void> {
  await sql`
    update telegram_configurations set deleted_at = clock_timestamp(), deleted_by = 'migration of the group'
    where chat_id = ${from} and deleted_at is null and exists (
      select 1 from telegram_configurations other where other.chat_id = ${to} and other.deleted_at is null)`.execute(
    trx,
  );
  await sql`update telegram_configurations set chat_id = ${to} where chat_id = ${from}`.execute(trx);
  await sql`update telegram_messages set chat_id = ${to} where chat_id = ${from}`.execute(trx);
  await sql`
    delete from telegram_deliveries old where old.chat_id = ${from} and exists (
      select 1 from telegram_deliveries other where other.chat_id = ${to} and other.event_id = old.event_id)`.execute(
    trx,
  );
  await sql`update telegram_deliveries set chat_id = ${to} where chat_id = ${from}`.execute(trx);
  await sql`delete from telegram_setups where chat_id = ${from}`.execute(trx);
  await sql`delete from telegram_told where chat_id = ${from}`.execute(trx);
  await sql`
    update telegram_chats set topic_id = coalesce(telegram_chats.topic_id, old.topic_id)
    from telegram_chats old where telegram_chats.chat_id = ${to} and old.chat_id = ${from}`.execute(trx);
  await sql`delete from telegram_chats where chat_id = ${from}`.execute(trx);
}
