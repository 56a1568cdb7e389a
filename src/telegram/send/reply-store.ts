import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import type { Database } from '../../db/schema.ts';
import type { MessageContent } from '../cards/message-content.ts';
import type { ReplyKind } from './limits.ts';
import type { ReplyOptions } from './message.ts';

/** A reply, as stored between the copy that asks and the one that sends. */
export interface ReplyRequest {
  readonly topicId: number | null;
  readonly content: MessageContent;
  readonly form: 'full' | 'plain';
  readonly reply: ReplyOptions;
}

/** The outcome: Telegram's answer, or how long the limits would make it wait. */
export const replyAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sent'), messageId: z.number().nullable() }),
  z.object({
    kind: z.literal('refused'),
    code: z.number(),
    description: z.string(),
    retryAfterMs: z.number().nullable(),
    migrateToChatId: z.string().nullable(),
  }),
  z.object({ kind: z.literal('unanswered'), reason: z.string(), isDoubtful: z.boolean() }),
  z.object({ kind: z.literal('limited'), waitMs: z.number() }),
]);
export type ReplyAnswer = z.infer<typeof replyAnswer>;

export interface AskedReply {
  readonly id: string;
  readonly chatId: string;
  readonly kind: ReplyKind;
  readonly request: ReplyRequest;
  readonly ageMs: number;
}

const now = sql<Date>`clock_timestamp()`;

/** Replies, for the sending copy. */
export const createReplyStore = (db: Kysely<Database>) => {
  const answer = async (id: string, given: ReplyAnswer): Promise<void> => {
    const columns = { request: null, answer: JSON.stringify(given), ...(given.kind === 'sent' && { sentAt: now }) };
    await db.updateTable('telegramReplies').set(columns).where('id', '=', id).execute();
  };
  return {
    answer,
    /** What another copy was sending when it died may have arrived: the caller decides. Returns the chats. */
    takeOver: (exceptIds: readonly string[]) => {
      const lost = { kind: 'unanswered', reason: 'The product ended before the answer', isDoubtful: true } as const;
      return db
        .updateTable('telegramReplies')
        .set({ request: null, answer: JSON.stringify(lost) })
        .where('begunAt', 'is not', null)
        .where('answer', 'is', null)
        .where(sql<boolean>`not id = any(${[...exceptIds]}::uuid[])`)
        .returning('chatId')
        .execute();
    },
    /** Claims replies for this copy, in the order of the requests. */
    begin: async (): Promise<readonly AskedReply[]> => {
      const rows = await db
        .updateTable('telegramReplies')
        .set({ begunAt: now })
        .where('begunAt', 'is', null)
        .where('answer', 'is', null)
        .returning([
          'id',
          'chatId',
          'kind',
          'request',
          sql<number>`extract(epoch from clock_timestamp() - asked_at)::float8 * 1000`.as('ageMs'),
        ])
        .execute();
      return rows
        .map((row) => ({ ...row, request: row.request as ReplyRequest }))
        .toSorted((one, other) => other.ageMs - one.ageMs);
    },
  };
};
export type ReplyStore = ReturnType<typeof createReplyStore>;
