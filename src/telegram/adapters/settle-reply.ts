import { type Kysely, sql } from 'kysely';

import { chatOpensAt, opensAt, settledOverallTimes, withSettledChatTime, withSettledReplyTime } from './send-limits.ts';
import type { TelegramTables } from './tables.ts';

/**
 * Writes down, once its answer is there, when a reply counted at the latest, or that it does not count. The chat's deliveries,
 * which were put off until then, go on as the limits allow; whatever else puts them off stays.
 * What arrived shows that the bot may write.
 */
export async function settleReply(
  db: Kysely<TelegramTables>,
  chatId: string,
  entry: string,
  hasArrived: boolean,
): Promise<void> {
  const time = hasArrived ? sql`clock_timestamp()` : null;
  const overall = settledOverallTimes(entry, time);
  const times = withSettledChatTime(entry, time);
  const opens = chatOpensAt(times, 'delivery');
  await db.transaction().execute(async (trx) => {
    await sql`update telegram_send_gate set recent_sends = ${overall}, next_send_at = ${opensAt(overall)}`.execute(trx);
    await sql`
      update telegram_chats set recent_sends = ${times}, recent_replies = ${withSettledReplyTime(entry, time)},
        next_send_at = case when next_send_at = ${chatOpensAt(sql`recent_sends`, 'delivery')} then ${opens}
          else greatest(next_send_at, ${opens}) end
          ${hasArrived ? sql`, trouble = null, trouble_at = null` : sql``}
      where chat_id = ${chatId}`.execute(trx);
  });
}
