import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { insertMessages, type NewMessage } from './enqueue-messages.ts';

/** A live configuration, as far as recaps and digests need it. */
export type ListedConfiguration = Readonly<ReturnType<typeof configurationOf>>;
export type RecapStore = ReturnType<typeof createRecapStore>;

type Due = Pick<ListedConfiguration, 'id' | 'chatId' | 'recapMinute'>;

/** What recaps are made from. Each recap is made exactly once. */
export const createRecapStore = (db: Kysely<Database>) => ({
  /** Live configurations of chats that have the bot, with held events or a daily recap. */
  candidates: async () => {
    const rows = await listed(db)
      .where('chat.removedAt', 'is', null)
      .where('conf.deletedAt', 'is', null)
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
    return rows.map(configurationOf);
  },

  heldEventIds: async (chatId: string): Promise<readonly bigint[]> => {
    const rows = await db
      .selectFrom('telegramDeliveries')
      .select('eventId')
      .where('chatId', '=', chatId)
      .where('isHeld', '=', true)
      .orderBy('eventId')
      .execute();
    return rows.map(({ eventId }) => BigInt(eventId));
  },

  /** Sends what was held; false: already sent. */
  tellHeld: (message: NewMessage, eventIds: readonly bigint[]): Promise<boolean> =>
    transact(db, (trx) => tellHeld(trx, message, eventIds)),

  /** Releases held events that are no longer stored. */
  dropHeld: (chatId: string, eventIds: readonly bigint[], droppedReason: string): Promise<void> =>
    release(db, chatId, eventIds, { droppedReason }),

  /** `message` null: nothing to report. False: already sent, or the recap was changed meanwhile. */
  tellDaily: ({ id, chatId, recapMinute }: Due, until: Date, message: NewMessage | null): Promise<boolean> =>
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
    }),
});

const listed = (db: Kysely<Database>) =>
  db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .select([
      'conf.id',
      'conf.chatId',
      'conf.trackedCollectionId',
      'conf.quietFromMinute',
      'conf.quietToMinute',
      'conf.timeZone',
      'conf.recapMinute',
      'conf.recappedUntil',
      'conf.mintedCount',
      'conf.maxSupply',
    ])
    .select((build) => [
      build.case().when('chat.topicState', '=', 'open').then(build.ref('chat.topicId')).end().as('topicId'),
      build
        .exists(
          build
            .selectFrom('telegramDeliveries as held')
            .select(build.lit(1).as('one'))
            .whereRef('held.chatId', '=', 'conf.chatId')
            .where('held.isHeld', '=', true),
        )
        .as('hasHeld'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number];

const configurationOf = ({ quietFromMinute, quietToMinute, ...row }: Row) => ({
  ...row,
  trackedCollectionId: BigInt(row.trackedCollectionId),
  // Quiet hours have both ends or neither.
  quietHours:
    quietFromMinute === null || quietToMinute === null
      ? null
      : { fromMinute: quietFromMinute, toMinute: quietToMinute },
  mintedCount: Number(row.mintedCount),
  maxSupply: row.maxSupply === null ? null : Number(row.maxSupply),
  hasHeld: row.hasHeld === true,
});

async function tellHeld(trx: Trx, message: NewMessage, eventIds: readonly bigint[]): Promise<boolean> {
  await holdChat(trx, message.chatId);
  const held = await trx
    .selectFrom('telegramDeliveries')
    .select('eventId')
    .where('chatId', '=', message.chatId)
    .where((eb) => eb('eventId', '=', eb.fn.any(eb.val(eventIds.map(String)))))
    .where('isHeld', '=', true)
    .execute();
  if (held.length !== eventIds.length) return false;
  const [messageId = null] = await insertMessages(trx, [message]);
  await release(trx, message.chatId, eventIds, { messageId });
  return true;
}

/** Locks chats before their rows, like all other code. */
const holdChat = (trx: Trx, chatId: string) =>
  trx.selectFrom('telegramChats').select('chatId').where('chatId', '=', chatId).forNoKeyUpdate().execute();

async function release(
  db: Kysely<Database>,
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
