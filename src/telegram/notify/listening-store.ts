import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { supplyMax } from '../commands/texts/supply-answer.ts';
import { configurationOf } from '../configs/configuration-store.ts';

/** Live configurations of chats that have the bot. `topicId`: where their notifications go. */
export const liveConfigurations = (db: Kysely<Database>) =>
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
