import { type Kysely, sql } from 'kysely';

import { openTransaction } from '../../platform/database/open-transaction.ts';
import type { AuditTrail, CollectionTracking } from '../ports.ts';
import type { TelegramTables } from './tables.ts';

export interface PurgePorts {
  readonly tracking: Pick<CollectionTracking, 'unwatch'>;
  readonly audit: AuditTrail;
}

/** Specification 9, rulings R4 and R6. */
const keptDays = 30;
/** What was sent or set aside long ago is nobody's concern any more; what waits stays. */
const keptMessageDays = 90;

interface Due {
  readonly id: string;
  readonly chat_id: string;
  readonly title: string;
  readonly tracked_collection_id: string;
  readonly collection_name: string;
  readonly removed_at: Date | null;
  readonly deleted_at: Date | null;
}

/**
 * Removes for good the configuration that is longest due, with everything that belongs to it. False: none is. Several
 * copies of the product share the work: each row is one copy's.
 */
export async function purgeNext(db: Kysely<TelegramTables>, ports: PurgePorts): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Due>`
      select conf.id, conf.chat_id, chat.title, conf.tracked_collection_id, conf.collection_name, chat.removed_at,
        conf.deleted_at
      from telegram_configurations conf join telegram_chats chat using (chat_id)
      where conf.deleted_at <= clock_timestamp() - ${keptDays} * interval '1 day'
        or chat.removed_at <= clock_timestamp() - ${keptDays} * interval '1 day'
      order by conf.id limit 1 for no key update of conf skip locked`.execute(trx);
    const [due] = rows;
    if (due === undefined) return false;
    await removeRows(trx, due);
    const transaction = openTransaction(trx);
    await ports.tracking.unwatch(BigInt(due.tracked_collection_id), due.id, transaction);
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
    return true;
  });
}

async function removeRows(trx: Kysely<TelegramTables>, { id, chat_id: chatId }: Due): Promise<void> {
  await sql`
    delete from telegram_deliveries where chat_id = ${chatId} and not exists (
      select 1 from telegram_configurations other where other.chat_id = ${chatId} and other.id <> ${id})`.execute(trx);
  await sql`
    delete from telegram_deliveries
    where message_id in (select m.id from telegram_messages m where m.configuration_id = ${id})`.execute(trx);
  await sql`delete from telegram_messages where configuration_id = ${id}`.execute(trx);
  await sql`delete from telegram_configurations where id = ${id}`.execute(trx);
}

/** History that nobody looks at any more; at most so many rows at a time. Answers how many went. */
export async function purgeHistory(db: Kysely<TelegramTables>, rowsMax: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // The oldest by id are the oldest by time: no look at all the others.
    const { rows } = await sql<{ id: string }>`
      with oldest as (select id from telegram_messages order by id limit ${rowsMax})
      select id from telegram_messages
      where id in (select id from oldest) and state not in ('pending', 'sending')
        and created_at < clock_timestamp() - ${keptMessageDays} * interval '1 day'
      for update skip locked`.execute(trx);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    // The delivery stays: it is what keeps an event from being told twice.
    await sql`update telegram_deliveries set message_id = null, dropped_reason = 'told' where message_id = any(${ids}::bigint[])`.execute(
      trx,
    );
    await sql`delete from telegram_messages where id = any(${ids}::bigint[])`.execute(trx);
    return ids.length;
  });
}
