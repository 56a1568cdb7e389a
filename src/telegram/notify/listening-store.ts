import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { type Trx, transact } from '../../db/transaction.ts';
import { supplyMax } from '../commands/texts/supply-answer.ts';
import { configurationOf } from '../configs/configuration-store.ts';
import { insertMessages, type NewMessage } from './enqueue-messages.ts';

/** Live configurations of chats that have the bot. `topicId`: where their notifications go. */
const liveConfigurations = (db: Kysely<Database>) =>
  db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .selectAll('conf')
    .select((row) => row.case().when('chat.topicState', '=', 'open').then(row.ref('chat.topicId')).end().as('topicId'))
    .where('conf.deletedAt', 'is', null)
    .where('chat.removedAt', 'is', null);

/** A chat to notify about one collection. */
export type ListeningChat = Awaited<ReturnType<typeof readListeningChats>>[number];

export async function readListeningChats(trx: Trx, trackedCollectionId: bigint) {
  const rows = await liveConfigurations(trx)
    .where('conf.trackedCollectionId', '=', trackedCollectionId.toString())
    .orderBy('conf.chatId')
    .execute();
  return rows.map((row) => ({ ...configurationOf(row), topicId: row.topicId }));
}

type EventsByChat = ReadonlyMap<string, ReadonlySet<bigint>>;

/** Which of these events were posted or decided, by chat; `isPosted`: posted or queued. */
export async function readDecided(
  trx: Trx,
  eventIds: readonly bigint[],
  { isPosted = false }: { readonly isPosted?: boolean } = {},
): Promise<EventsByChat> {
  if (eventIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('telegramDeliveries')
    .select(['chatId', (row) => row.fn.agg<string[]>('array_agg', ['eventId']).orderBy('eventId').as('eventIds')])
    .where('eventId', '=', (row) => row.fn.any(row.val(eventIds.map(String))))
    .$if(isPosted, (query) => query.where('droppedReason', 'is', null))
    .groupBy('chatId')
    .execute();
  return new Map(rows.map(({ chatId, eventIds: ids }) => [chatId, new Set(ids.map(BigInt))]));
}

/** Includes chats that removed the bot: it may return within 30 days. Not an edit by a person: `version` stays. */
export async function raiseMintedCounts(trx: Trx, trackedCollectionId: bigint, mintCount: number): Promise<void> {
  if (mintCount === 0) return;
  await trx
    .updateTable('telegramConfigurations')
    .set((row) => ({
      mintedCount: row.fn<string>('least', [row.val(supplyMax), row('mintedCount', '+', String(mintCount))]),
    }))
    .where('trackedCollectionId', '=', trackedCollectionId.toString())
    .where('deletedAt', 'is', null)
    .execute();
}

/** Which of these events are still to be posted: held until the morning, or in a waiting message. */
export async function eventsInUse(db: Kysely<Database>, eventIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await db
    .selectFrom('telegramDeliveries as delivery')
    .leftJoin('telegramMessages as message', 'message.id', 'delivery.messageId')
    .select('delivery.eventId')
    .distinct()
    .where('delivery.eventId', '=', (row) => row.fn.any(row.val(eventIds.map(String))))
    .where((row) => row.or([row('delivery.isHeld', '=', true), row('message.state', 'in', ['pending', 'sending'])]))
    .execute();
  return new Set(rows.map(({ eventId }) => BigInt(eventId)));
}

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
