import type { Kysely } from 'kysely';
import { sql } from 'kysely';

import type { Outbox } from '../delivery/outbox.ts';
import type { ChatLog } from './chat-log.ts';
import { claimNext, type ClaimSettings } from './claim-message.ts';
import { rememberFailure } from './image-rows.ts';
import { isQuick, takeQuickTurn } from './quick-turn.ts';
import { ms } from './send-limits.ts';
import { settle } from './settle-message.ts';
import type { TelegramTables } from './tables.ts';

/**
 * The outbox on PostgreSQL. Rows are locked in this order: the gate, a chat, its messages. Waiting for a chat holds up
 * the gate, so whoever else locks chats does it at the end of a short transaction.
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
        for (const settlement of isQuickTurn ? [] : settlements) await settle(trx, settings, settlement);
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
