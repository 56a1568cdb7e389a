import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { anyOf } from '../../db/expressions.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { parentsAtOnceMax, type Purge, type PurgeStep, rowsAtOnceMax, stepOf } from '../../retention/purge.ts';
import { retainedSince } from '../../retention/retention.ts';
import type { ChatParts } from './chat-changes.ts';
import { subjectOf } from './configuration-fields.ts';
import { listenerName } from './configuring.ts';

type Db = Kysely<Database>;

type Due = NonNullable<Awaited<ReturnType<typeof nextDue>>>;

export const telegramPurges = (db: Db, parts: ChatParts): readonly Purge[] => [
  { table: 'telegram_configurations', step: () => purgeConfiguration(db, parts) },
  { table: 'telegram_messages', step: () => purgeMessages(db) },
];

/**
 * Specification 9: configurations are kept 30 days after the bot's removal or their deletion (rulings R6). One step
 * towards purging one that is due; the last step deletes it and writes the log entry. Each row belongs to one copy at a
 * time.
 */
const purgeConfiguration = (db: Db, { activity, audit }: ChatParts): Promise<PurgeStep> =>
  transact(db, async (trx) => {
    const due = await nextDue(trx);
    if (due === undefined) return stepOf(0);
    if (await removeSome(trx, due)) return { purgedRows: 0, hasMore: true };
    await trx.deleteFrom('telegramConfigurations').where('id', '=', due.id).execute();
    await activity.unwatch(listenerName, BigInt(due.trackedCollectionId), due.id, trx);
    await audit.record(
      {
        actor: { kind: 'system', name: 'purge' },
        action: 'telegram-configuration-purged',
        subject: subjectOf(due, due.title),
        before: {
          chatId: due.chatId,
          removedAt: due.removedAt?.toISOString() ?? null,
          deletedAt: due.deletedAt?.toISOString() ?? null,
        },
        after: null,
      },
      trx,
    );
    return { purgedRows: 1, hasMore: true };
  });

const nextDue = (trx: Trx) =>
  trx
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .select(['conf.id', 'conf.chatId', 'conf.trackedCollectionId', 'conf.collectionName', 'conf.deletedAt'])
    .select(['chat.title', 'chat.removedAt'])
    // A union: an 'or' would read every configuration.
    .where('conf.id', 'in', (from) =>
      from
        .selectFrom('telegramConfigurations')
        .select('id')
        .where('deletedAt', '<=', retainedSince('telegram_configurations'))
        .union(
          from
            .selectFrom('telegramChats as gone')
            .innerJoin('telegramConfigurations as its', 'its.chatId', 'gone.chatId')
            .select('its.id')
            .where('gone.removedAt', '<=', retainedSince('telegram_configurations')),
        ),
    )
    .orderBy('conf.id')
    .limit(1)
    .forNoKeyUpdate('conf')
    .skipLocked()
    .executeTakeFirst();

/** Deletes up to a few thousand rows of a configuration. True: there are more. */
async function removeSome(trx: Trx, { id, chatId }: Due): Promise<boolean> {
  const parts = [
    // A chat without another configuration gets no more messages.
    [
      'telegram_deliveries',
      sql`chat_id = ${chatId} and not exists (
      select 1 from telegram_configurations other where other.chat_id = ${chatId} and other.id <> ${id})`,
    ],
    ['telegram_deliveries', sql`message_id in (select m.id from telegram_messages m where m.configuration_id = ${id})`],
    ['telegram_messages', sql`configuration_id = ${id}`],
  ] as const;
  for (const [table, isIts] of parts) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${isIts} limit ${rowsAtOnceMax}))`.execute(trx);
    if (Number(numAffectedRows) === rowsAtOnceMax) return true;
  }
  return false;
}

/** Deletes messages sent or set aside long ago; waiting ones stay. */
const purgeMessages = (db: Db): Promise<PurgeStep> =>
  transact(db, async (trx) => {
    // The oldest by id are the oldest by time: the others need no scan.
    const { rows } = await sql<{ id: string }>`
      with oldest as (select id from telegram_messages order by id limit ${rowsAtOnceMax})
      select id from telegram_messages
      where id <= (select max(id) from oldest) and state not in ('pending', 'sending')
        and created_at < ${retainedSince('telegram_messages')}
      for update skip locked`.execute(trx);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return stepOf(0);
    for (const chunk of chunksOf(ids, parentsAtOnceMax)) {
      // The delivery stays: it keeps an event from being posted twice.
      await trx
        .updateTable('telegramDeliveries')
        .set({ messageId: null, droppedReason: 'posted' })
        .where('messageId', '=', anyOf(chunk, 'bigint'))
        .execute();
      await trx.deleteFrom('telegramMessages').where('id', '=', anyOf(chunk, 'bigint')).execute();
    }
    return stepOf(ids.length);
  });
