import type { Kysely } from 'kysely';
import { sql } from 'kysely';

import type { Outbox, Settlement } from '../delivery/outbox.ts';
import type { ChatLog } from './chat-log.ts';
import { claimNext, type ClaimSettings } from './claim-message.ts';
import { rememberFailure } from './image-rows.ts';
import { isQuick, takeQuickTurn } from './quick-turn.ts';
import { ms } from './send-limits.ts';
import { settle } from './settle-message.ts';
import type { TelegramTables } from './tables.ts';

/**
 * The outbox on PostgreSQL. Everybody locks rows in this order: the gate, chats by their ids, their configurations, their messages.
 * Waiting for a chat holds up the gate, so whoever else locks chats does it at the end of a short transaction.
 */
export function createOutboxStore(
  db: Kysely<TelegramTables>,
  settings: ClaimSettings & { readonly chatLog: ChatLog },
): Outbox {
  return {
    step: async (settlements, ask) => {
      const isQuickTurn = ask !== null && isQuick(settlements);
      const quick = isQuickTurn ? await takeQuickTurn(db, settings, settlements[0], ask.excludedChatIds) : null;
      if (quick !== null) return quick;
      return db.transaction().execute(async (trx) => {
        for (const settlement of isQuickTurn ? [] : byChat(settlements)) await settle(trx, settings, settlement);
        return ask === null ? { kind: 'wait', waitMs: 0 } : claimNext(trx, settings, ask);
      });
    },
    pauseAll: async (forMs) => {
      await sql`
        update telegram_send_gate
        set paused_until = greatest(paused_until, clock_timestamp() + ${ms(forMs)})`.execute(db);
    },
    rememberBadPicture: (imageUrl, failure, againAfterMs) => rememberFailure(db, imageUrl, failure, againAfterMs),
  };
}

/** Several chats are locked in the order of their ids, as everybody does. */
const byChat = (settlements: readonly Settlement[]): readonly Settlement[] =>
  settlements.toSorted((one, other) => Number(BigInt(one.message.chatId) - BigInt(other.message.chatId)));
