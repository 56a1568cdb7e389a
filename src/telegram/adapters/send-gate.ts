import { setTimeout as delay } from 'node:timers/promises';

import { type Kysely, sql } from 'kysely';

import { Unavailable } from '../../shared/failure.ts';
import {
  arrivesWithinMs,
  chargeGate,
  chatOpensAt,
  isChatInFlight,
  millisFrom,
  ms,
  repliesOpenAt,
  type ReplyKind,
  withChatInFlight,
  withOverallReply,
  withReplyTime,
} from './send-limits.ts';
import { settleReply } from './settle-reply.ts';
import { widenLimit } from './settle-message.ts';
import type { TelegramTables } from './tables.ts';

/** One message that was let through. Nothing else goes to its chat before either is told, or a few seconds have passed. */
export interface Passage {
  /** It arrived, or may have: its time counts from now on as exactly as it is known. */
  arrived(): Promise<void>;
  /** Telegram did not take it: it gives its share back. */
  refused(): Promise<void>;
}

/** What every message to Telegram passes that is no delivery: replies, prompts, samples. */
export interface SendGate {
  /**
   * Resolves when a message may go to that chat now. Replies go before what waits in the outbox, and count. Throws
   * Unavailable('rate-limited') when it would have to wait a minute or longer, or a question longer than a few seconds: nobody
   * is to wait behind it.
   */
  pass(chatId: string | number, kind: ReplyKind): Promise<Passage>;
  /** Telegram asked that chat to wait (429). */
  limited(chatId: string | number, retryAfterMs: number): Promise<void>;
}

const longestWaitMs = 61_000;
const inFlightLookMs = 50;
/** Cards that wait go first, mostly within a second or two; then the question has its turn. */
const cardsLookMs = 1_000;
const patienceMs: Readonly<Record<ReplyKind, number>> = { question: 4_000, notice: 2_000, change: longestWaitMs };

const now = sql`clock_timestamp()`;

export function createSendGate(db: Kysely<TelegramTables>): SendGate {
  const lines = { question: createLine(), notice: createLine(), change: createLine() };
  /** Waits in line for the share of such replies, and for what holds back the chat itself beside it. */
  const pass = async (chatId: string, kind: ReplyKind): Promise<Passage> => {
    const startedMs = performance.now();
    const waitOr = async (waitMs: number, opensInMs = waitMs): Promise<void> => {
      if (performance.now() - startedMs + waitMs > patienceMs[kind]) {
        throw new Unavailable('rate-limited', 'Telegram asks us to slow down in this chat', undefined, opensInMs);
      }
      await delay(waitMs);
    };
    const inLine = async (): Promise<Place> => {
      for (let waitMs = 0; ;) {
        await waitOr(waitMs);
        const place = await takePlace(db, chatId, kind);
        if (!place.isShareUsedUp) return place;
        waitMs = place.waitMs;
      }
    };
    for (;;) {
      const { entry, waitMs, opensInMs } = await lines[kind](inLine);
      if (entry === null) await waitOr(waitMs, opensInMs);
      else {
        await delay(waitMs);
        return passage(db, chatId, entry);
      }
    }
  };
  return {
    pass: (chatId, kind) => pass(String(chatId), kind),
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

/** One after the other: hundreds may wait for the same share, and each look at it holds the gate that cards pass, too. */
function createLine(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

const passage = (db: Kysely<TelegramTables>, chatId: string, entry: string): Passage => ({
  arrived: () => settleReply(db, chatId, entry, true),
  refused: () => settleReply(db, chatId, entry, false),
});

interface Place {
  /** Among what the gate let through, as it is written there; null: it is not its turn yet. */
  readonly entry: string | null;
  readonly waitMs: number;
  /** How long it takes if things stay as they are; left out: `waitMs`. */
  readonly opensInMs?: number;
  /** As many replies of that sort as there may be have gone, in whatever chats. */
  readonly isShareUsedUp?: true;
}

/**
 * A chat that has to wait leaves the gate alone meanwhile. Otherwise the gate's next place is taken at once, be it a moment
 * ahead: so no delivery gets in between.
 */
async function takePlace(db: Kysely<TelegramTables>, chatId: string, kind: ReplyKind): Promise<Place> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Look>`
      with gate as materialized (
        select greatest(next_send_at, paused_until, clock_timestamp()) as at, ${repliesOpenAt(kind)} as replies_at
        from telegram_send_gate for no key update
      ), chat as materialized (
        select ${chatOpensAt(sql`telegram_chats.recent_sends`, kind)} as at,
          ${chatOpensAt(sql`telegram_chats.recent_sends`, kind === 'question' ? 'questionOnceCardsWent' : kind)} as free_at, ${isChatInFlight} as is_in_flight
        from telegram_chats where chat_id = ${chatId} for no key update
      )
      select (gate.at + ${ms(arrivesWithinMs)})::text as entry, coalesce(chat.is_in_flight, false) as is_in_flight,
        ${millisFrom(now, sql`gate.at`)} as gate_ms,
        ${millisFrom(now, sql`gate.replies_at`)} as replies_ms,
        ${millisFrom(sql`gate.at`, sql`coalesce(chat.at, '-infinity')`)} as chat_ms,
        ${millisFrom(sql`gate.at`, sql`coalesce(chat.free_at, '-infinity')`)} as free_ms
      from gate left join chat on true`.execute(trx);
    const [row] = rows;
    if (row === undefined) throw new Error('telegram_send_gate has lost its row');
    if (row.replies_ms > 0) return { entry: null, waitMs: Math.ceil(row.replies_ms), isShareUsedUp: true };
    const gateMs = Math.max(0, Math.ceil(row.gate_ms));
    const chatMs = Math.ceil(row.chat_ms ?? 0);
    // How long its answer takes nobody knows.
    if (row.is_in_flight) return { entry: null, waitMs: Math.min(inFlightLookMs, Math.max(1, chatMs)) };
    if (chatMs > 0) {
      const lookMs = Math.min(chatMs, Math.max(Math.ceil(row.free_ms ?? 0), cardsLookMs));
      return { entry: null, waitMs: Math.min(longestWaitMs, gateMs + lookMs), opensInMs: gateMs + chatMs };
    }
    if (gateMs > 1_500) return { entry: null, waitMs: Math.min(longestWaitMs, gateMs) };
    const time = sql`${row.entry}::timestamptz`;
    const replies = withOverallReply(sql`clock_timestamp()`);
    await sql`update telegram_send_gate set ${chargeGate(time)}, recent_replies = ${replies}`.execute(trx);
    await sql`
      update telegram_chats set recent_sends = ${withChatInFlight(time)}, recent_replies = ${withReplyTime(time)},
        next_send_at = greatest(next_send_at, ${chatOpensAt(withChatInFlight(time), 'delivery')})
      where chat_id = ${chatId}`.execute(trx);
    return { entry: row.entry, waitMs: gateMs };
  });
}

interface Look {
  readonly entry: string;
  readonly gate_ms: number;
  readonly replies_ms: number;
  readonly chat_ms: number | null;
  readonly free_ms: number | null;
  readonly is_in_flight: boolean;
}
