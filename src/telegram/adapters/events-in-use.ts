import { type Kysely, sql } from 'kysely';

import type { TelegramTables } from './tables.ts';

/** Which of these events are still to be told somewhere: held until the morning, or in a message that waits. */
export async function eventsInUse(
  db: Kysely<TelegramTables>,
  eventIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: string }>`
    select distinct told.event_id as id
    from telegram_deliveries told left join telegram_messages m on m.id = told.message_id
    where told.event_id = any(${eventIds.map(String)}::bigint[])
      and (told.is_held or m.state in ('pending', 'sending'))`.execute(db);
  return new Set(rows.map(({ id }) => BigInt(id)));
}
