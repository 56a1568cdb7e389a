import { type Kysely, sql } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import { keptSince, type Purge, purgeOf, type PurgeStep, rowsAtOnceMax, stepOf } from '../../retention/purge.ts';
import type { AuditTrail } from '../../audit/contract.ts';
import type { CollectionTracking } from '../../market/contract.ts';
import { listenerName } from './configuration-life.ts';
import type { TelegramTables } from '../tables.ts';

export interface PurgePorts {
  readonly tracking: Pick<CollectionTracking, 'unwatch'>;
  readonly audit: AuditTrail;
}

type Db = Kysely<TelegramTables>;

interface Due {
  readonly id: string;
  readonly chat_id: string;
  readonly title: string;
  readonly tracked_collection_id: string;
  readonly collection_name: string;
  readonly removed_at: Date | null;
  readonly deleted_at: Date | null;
}

const isUnreferenced = sql.join(
  ['telegram_configurations', 'telegram_messages', 'telegram_deliveries', 'telegram_setups', 'telegram_told'].map(
    (table) => sql`not exists (select 1 from ${sql.table(table)} kept where kept.chat_id = telegram_chats.chat_id)`,
  ),
  sql` and `,
);

/** What the group-chat bot keeps for a limited time, each after the rows that refer to it. */
export const telegramPurges = (db: Db, ports: PurgePorts): readonly Purge[] => [
  { table: 'telegram_configurations', step: () => purgeConfiguration(db, ports) },
  { table: 'telegram_messages', step: () => purgeMessages(db) },
  purgeOf(db, {
    table: 'telegram_setups',
    isDue: sql`expires_at < ${keptSince('telegram_setups')}`,
  }),
  purgeOf(db, { table: 'telegram_told', isDue: sql`told_at < ${keptSince('telegram_told')}`, oldestBy: 'told_at' }),
  purgeOf(db, {
    table: 'telegram_images',
    isDue: sql`updated_at < ${keptSince('telegram_images')}`,
    oldestBy: 'updated_at',
  }),
  purgeOf(db, {
    table: 'telegram_replies',
    isDue: sql`asked_at < ${keptSince('telegram_replies')}`,
    oldestBy: 'asked_at',
  }),
  // Telegram itself keeps an update for a day (Bot API, Getting updates). A running bot deletes handled ones sooner.
  purgeOf(db, {
    table: 'telegram_inbox',
    isDue: sql`received_at < ${keptSince('telegram_inbox')}`,
    oldestBy: 'received_at',
  }),
  purgeOf(db, {
    table: 'telegram_chats',
    isDue: sql`(removed_at < ${keptSince('telegram_chats')}
      or (kind = 'private' and updated_at < ${keptSince('telegram_chats')})) and ${isUnreferenced}`,
  }),
];

/**
 * Specification 9: configurations are kept 30 days after the bot's removal or their deletion (rulings R6). One step
 * towards purging one that is due; the last step deletes it and writes the log entry. Each row belongs to one copy at a
 * time.
 */
const purgeConfiguration = (db: Db, ports: PurgePorts): Promise<PurgeStep> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<Due>`
      select conf.id, conf.chat_id, chat.title, conf.tracked_collection_id, conf.collection_name, chat.removed_at,
        conf.deleted_at
      from telegram_configurations conf join telegram_chats chat using (chat_id)
      where conf.id in (
        select id from telegram_configurations where deleted_at <= ${keptSince('telegram_configurations')}
        union
        select c.id from telegram_chats gone join telegram_configurations c using (chat_id)
        where gone.removed_at <= ${keptSince('telegram_configurations')})
      order by conf.id limit 1 for no key update of conf skip locked`.execute(trx);
    const [due] = rows;
    if (due === undefined) return stepOf(0);
    if (await removeSome(trx, due)) return { purgedRows: 0, hasMore: true };
    await sql`delete from telegram_configurations where id = ${due.id}`.execute(trx);
    const transaction = openTransaction(trx);
    await ports.tracking.unwatch(listenerName, BigInt(due.tracked_collection_id), due.id, transaction);
    await ports.audit.record(
      {
        actor: { kind: 'system', name: 'purge' },
        action: 'telegram-configuration-purged',
        subject: { kind: 'telegram-configuration', id: due.id, label: `${due.collection_name} in ${due.title}` },
        before: {
          chatId: due.chat_id,
          removedAt: due.removed_at?.toISOString() ?? null,
          deletedAt: due.deleted_at?.toISOString() ?? null,
        },
        after: null,
      },
      transaction,
    );
    return { purgedRows: 1, hasMore: true };
  });

/** Deletes up to a few thousand rows of a configuration. True: there are more. */
async function removeSome(trx: Db, { id, chat_id: chatId }: Due): Promise<boolean> {
  const parts = [
    // Without another configuration this chat gets no more messages.
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
  db.transaction().execute(async (trx) => {
    // The oldest by id are the oldest by time: the others need no scan.
    const { rows } = await sql<{ id: string }>`
      with oldest as (select id from telegram_messages order by id limit ${rowsAtOnceMax})
      select id from telegram_messages
      where id <= (select max(id) from oldest) and state not in ('pending', 'sending')
        and created_at < ${keptSince('telegram_messages')}
      for update skip locked`.execute(trx);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return stepOf(0);
    // The delivery stays: it keeps an event from being posted twice.
    await sql`update telegram_deliveries set message_id = null, dropped_reason = 'told' where message_id = any(${ids}::bigint[])`.execute(
      trx,
    );
    await sql`delete from telegram_messages where id = any(${ids}::bigint[])`.execute(trx);
    return stepOf(ids.length);
  });
