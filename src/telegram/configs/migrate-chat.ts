import { publishWithin } from '../../db/change-signal.ts';
import { databaseNow } from '../../db/expressions.ts';
import type { Trx } from '../../db/transaction.ts';
import { cardsTopic } from '../notify/enqueue-messages.ts';

/** For the audit log. */
export const migrated = (fromChatId: string | number, toChatId: string | number) =>
  ({
    chatId: toChatId,
    action: 'telegram-chat-migrated',
    before: { chatId: String(fromChatId) },
    after: { chatId: String(toChatId) },
  }) as const;

/**
 * A group that became a supergroup has another id: its configuration, queue and history move along (rulings R4). Safe
 * to repeat: Telegram reports it in updates of both chats, and in the answer to a send. False: there was nothing to
 * move.
 */
export async function migrateChat(trx: Trx, fromChatId: string, toChatId: string): Promise<boolean> {
  if (fromChatId === toChatId) return false;
  // In id order, like all code that locks several chats.
  const rows = await trx
    .selectFrom('telegramChats')
    .select('chatId')
    .where('chatId', 'in', [fromChatId, toChatId])
    .orderBy('chatId')
    .forUpdate()
    .execute();
  const known = new Set(rows.map(({ chatId }) => chatId));
  if (!known.has(fromChatId)) return false;
  if (known.has(toChatId)) await mergeInto(trx, fromChatId, toChatId);
  // Everything that refers to the chat follows through the foreign keys.
  else await trx.updateTable('telegramChats').set({ chatId: toChatId }).where('chatId', '=', fromChatId).execute();
  await trx
    .updateTable('telegramChats')
    .set((row) => ({
      kind: 'supergroup',
      removedAt: null,
      trouble: null,
      troubleAt: null,
      // No Date is that early.
      limitedUntil: row.cast<Date>(row.val('-infinity'), 'timestamptz'),
      updatedAt: databaseNow,
      botStatus: row
        .case()
        .when('botStatus', 'in', ['left', 'kicked'])
        .then('member' as const)
        .else(row.ref('botStatus'))
        .end(),
    }))
    .where('chatId', '=', toChatId)
    .execute();
  await publishWithin(trx, cardsTopic);
  return true;
}

/** The new chat is known already, through an update of its own. What was set up there meanwhile wins. */
async function mergeInto(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .updateTable('telegramConfigurations')
    .set({ deletedAt: databaseNow, deletedBy: 'migration of the group' })
    .where('chatId', '=', from)
    .where('deletedAt', 'is', null)
    .where((row) =>
      row.exists(
        row
          .selectFrom('telegramConfigurations as other')
          .select('other.id')
          .where('other.chatId', '=', to)
          .where('other.deletedAt', 'is', null),
      ),
    )
    .execute();
  await trx
    .deleteFrom('telegramDeliveries')
    .where('chatId', '=', from)
    .where('eventId', 'in', (row) => row.selectFrom('telegramDeliveries').select('eventId').where('chatId', '=', to))
    .execute();
  for (const table of ['telegramConfigurations', 'telegramMessages', 'telegramDeliveries'] as const)
    await trx.updateTable(table).set({ chatId: to }).where('chatId', '=', from).execute();
  for (const table of ['telegramSetups', 'telegramTold'] as const)
    await trx.deleteFrom(table).where('chatId', '=', from).execute();
  await trx
    .updateTable('telegramChats')
    .from('telegramChats as old')
    .set((row) => ({ topicId: row.fn.coalesce('telegramChats.topicId', 'old.topicId') }))
    .where('telegramChats.chatId', '=', to)
    .where('old.chatId', '=', from)
    .execute();
  await trx.deleteFrom('telegramChats').where('chatId', '=', from).execute();
}
