import { setTimeout as delay } from 'node:timers/promises';

import { type Kysely, sql } from 'kysely';

import { Unavailable } from '../../shared/failure.ts';
import {
  arrivesWithinMs,
  chargeGate,
  chatOpensAt,
  ms,
  type ReplyKind,
  withChatTime,
  withReplyTime,
} from './send-limits.ts';
import { widenLimit } from './settle-message.ts';
import type { TelegramTables } from './tables.ts';

/** What every message to Telegram passes that is no delivery: replies, prompts, samples. */
export interface SendGate {
  /**
   * Resolves when a message may go to that chat now. Replies go before what waits in the outbox, and count. Throws
   * Unavailable('rate-limited') when it would have to wait a minute or longer, or a question longer than a few seconds: nobody
   * is to wait behind it.
   */
  pass(chatId: string | number, kind: ReplyKind): Promise<void>;
  /** Telegram asked that chat to wait (429). */
  limited(chatId: string | number, retryAfterMs: number): Promise<void>;
}

const longestWaitMs = 61_000;
const patienceMs: Readonly<Record<ReplyKind, number>> = { question: 4_000, change: longestWaitMs };

export function createSendGate(db: Kysely<TelegramTables>): SendGate {
  return {
    pass: async (chatId, kind) => {
      const startedMs = performance.now();
      for (;;) {
        const { isTaken, waitMs } = await takePlace(db, String(chatId), kind);
        if (!isTaken && performance.now() - startedMs + waitMs > patienceMs[kind]) {
          throw new Unavailable('rate-limited', 'Telegram asks us to slow down in this chat', undefined, waitMs);
        }
        await delay(waitMs);
        if (isTaken) return;
      }
    },
    limited: (chatId, retryAfterMs) =>
      db.transaction().execute(async (trx) => {
        await widenLimit(trx, String(chatId), retryAfterMs);
        const until = sql`clock_timestamp() + ${ms(retryAfterMs)}`;
        await sql`
          update telegram_chats set limited_until = greatest(limited_until, ${until}),
            next_send_at = greatest(next_send_at, ${until})
          where chat_id = ${String(chatId)}`.execute(trx);
      }),
  };
}

interface Place {
  readonly isTaken: boolean;
  readonly waitMs: number;
}

/**
 * A chat that has to wait leaves the gate alone meanwhile. Otherwise the gate's next place is taken at once, be it a moment
 * ahead: so no delivery gets in between.
 */
async function takePlace(db: Kysely<TelegramTables>, chatId: string, kind: ReplyKind): Promise<Place> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ gate_at: string; gate_ms: number; chat_ms: number | null }>`
      with gate as materialized (
        select greatest(next_send_at, paused_until, clock_timestamp()) as at from telegram_send_gate for no key update
      ), chat as materialized (
        select ${chatOpensAt(sql`telegram_chats.recent_sends`, kind)} as at
        from telegram_chats where chat_id = ${chatId} for no key update
      )
      select gate.at::text as gate_at, ${millis(sql`gate.at - clock_timestamp()`)} as gate_ms,
        ${millis(sql`coalesce(chat.at, '-infinity') - gate.at`)} as chat_ms
      from gate left join chat on true`.execute(trx);
    const [row] = rows;
    if (row === undefined) throw new Error('telegram_send_gate has lost its row');
    const gateMs = Math.max(0, Math.ceil(row.gate_ms));
    const chatMs = Math.ceil(row.chat_ms ?? 0);
    if (chatMs > 0) return { isTaken: false, waitMs: Math.min(longestWaitMs, gateMs + chatMs) };
    if (gateMs > 1_500) return { isTaken: false, waitMs: Math.min(longestWaitMs, gateMs) };
    const time = sql`(${row.gate_at}::timestamptz + ${ms(arrivesWithinMs)})`;
    await sql`update telegram_send_gate set ${chargeGate(time)}`.execute(trx);
    await sql`
      update telegram_chats set recent_sends = ${withChatTime(time)}, recent_replies = ${withReplyTime(time)},
        next_send_at = greatest(next_send_at, ${chatOpensAt(withChatTime(time), 'delivery')})
      where chat_id = ${chatId}`.execute(trx);
    return { isTaken: true, waitMs: gateMs };
  });
}

const millis = (interval: ReturnType<typeof sql>) =>
  sql`(extract(epoch from greatest('-1 day'::interval, least('1 day'::interval, ${interval}))) * 1000)::float8`;
