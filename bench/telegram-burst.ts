import type { Database } from '../src/db/schema.ts';
import type { Kysely } from 'kysely';

import { insertMessages } from '../src/telegram/send/enqueue-messages.ts';

const rowsAtOnce = 5_000;

/** Queues messages `from`, `from + 1`, … for every chat, all at once, with texts like `3 of -100…`. */
export const enqueueBurst = async (
  db: Kysely<Database>,
  chatIds: readonly string[],
  { from, perChat }: { readonly from: number; readonly perChat: number },
): Promise<void> => {
  const rows = Array.from({ length: perChat }, (_none, index) =>
    chatIds.map((chatId) => ({
      chatId,
      configurationId: null,
      topicId: null,
      kind: 'notice' as const,
      content: { html: `${from + index} of ${chatId}`, imageUrl: null, buttons: [], isSilent: false },
      eventCount: 1,
      happenedAt: null,
    })),
  ).flat();
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < rows.length; at += rowsAtOnce) await insertMessages(trx, rows.slice(at, at + rowsAtOnce));
  });
};

/** Groups that the bot is in. */
export const insertChats = `
  insert into telegram_chats (chat_id, kind, title, bot_status)
  select id, 'supergroup', 'Rock Fans', 'member' from unnest($1::bigint[]) id`;

export const countUnsent = "select count(*)::int as count from telegram_messages where state in ('pending', 'sending')";
