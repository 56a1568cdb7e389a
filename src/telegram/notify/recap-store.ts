import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { configurationOf } from '../configs/configuration-store.ts';
import { insertMessages, type NewMessage } from './enqueue-messages.ts';
import { liveConfigurations } from './listening-store.ts';

type Db = Kysely<Database>;

/** A configuration with held events or a daily recap. */
export type RecapConfiguration = Awaited<ReturnType<typeof readRecapConfigurations>>[number];

/** Live ones of chats that have the bot. */
export async function readRecapConfigurations(db: Db) {
  const rows = await liveConfigurations(db)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('telegramDeliveries as held')
            .select('held.eventId')
            .whereRef('held.chatId', '=', 'conf.chatId')
            .where('held.isHeld', '=', true),
        )
        .as('hasHeld'),
    )
    // A union: an 'or' would read every configuration.
    .where('conf.id', 'in', (from) =>
      from
        .selectFrom('telegramConfigurations')
        .select('id')
        .where('recapMinute', 'is not', null)
        .where('deletedAt', 'is', null)
        .union(
          from
            .selectFrom('telegramDeliveries as held')
            .innerJoin('telegramConfigurations as its', 'its.chatId', 'held.chatId')
            .select('its.id')
            .where('held.isHeld', '=', true),
        ),
    )
    .orderBy('conf.id')
    .execute();
  return rows.map((row) => ({ ...configurationOf(row), topicId: row.topicId, hasHeld: row.hasHeld === true }));
}

export async function readHeldEventIds(db: Db, chatId: string): Promise<readonly bigint[]> {
  const rows = await db
    .selectFrom('telegramDeliveries')
    .select('eventId')
    .where('chatId', '=', chatId)
    .where('isHeld', '=', true)
    .orderBy('eventId')
    .execute();
  return rows.map(({ eventId }) => BigInt(eventId));
}

/** Sends what was held, exactly once; without effect if some of it was sent already. */
export const tellHeld = (db: Db, message: NewMessage, eventIds: readonly bigint[]): Promise<void> =>
  transact(db, async (trx) => {
    await holdChat(trx, message.chatId);
    const held = new Set(await readHeldEventIds(trx, message.chatId));
    if (!eventIds.every((id) => held.has(id))) return;
    const [messageId = null] = await insertMessages(trx, [message]);
    await releaseHeld(trx, message.chatId, eventIds, { messageId });
  });

/** `message` null: nothing to report. False: already sent, or the recap was changed meanwhile. */
export const tellDaily = (
  db: Db,
  { id, chatId, recapMinute }: Pick<RecapConfiguration, 'id' | 'chatId' | 'recapMinute'>,
  until: Date,
  message: NewMessage | null,
): Promise<boolean> =>
  transact(db, async (trx) => {
    await holdChat(trx, chatId);
    // A change of the recap time resets `recapped_until`.
    const { numUpdatedRows } = await trx
      .updateTable('telegramConfigurations')
      .set({ recappedUntil: until })
      .where('id', '=', id)
      .where('recapMinute', '=', recapMinute)
      .where('recappedUntil', '<', until)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    if (message !== null) await insertMessages(trx, [message]);
    return true;
  });

/** Locks chats before their rows, like all other code. */
const holdChat = (trx: Trx, chatId: string) =>
  trx.selectFrom('telegramChats').select('chatId').where('chatId', '=', chatId).forNoKeyUpdate().execute();

/** Held no longer: in that message, or dropped. */
export async function releaseHeld(
  db: Db,
  chatId: string,
  eventIds: readonly bigint[],
  to: { readonly messageId: string | null } | { readonly droppedReason: string },
): Promise<void> {
  await db
    .updateTable('telegramDeliveries')
    .set({ isHeld: false, ...to })
    .where('chatId', '=', chatId)
    .where((eb) => eb('eventId', '=', eb.fn.any(eb.val(eventIds.map(String)))))
    .where('isHeld', '=', true)
    .execute();
}
