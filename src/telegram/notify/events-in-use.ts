import { type Kysely, sql } from 'kysely';

import type { TelegramTables } from '../tables.ts';

/** Which of these events are still to be posted: held until the morning, or in a waiting message. */
export async function eventsInUse(
  db: Kysely<TelegramTables>,
  eventIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: string }>`
    select distinct delivery.event_id as id
    from telegram_deliveries delivery left join telegram_messages m on m.id = delivery.message_id
    where delivery.event_id = any(${eventIds.map(String)}::bigint[])
      and (delivery.is_held or m.state in ('pending', 'sending'))`.execute(db);
  return new Set(rows.map(({ id }) => BigInt(id)));
}
