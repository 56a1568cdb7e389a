import type { Kysely } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { MessageContent } from '../cards/message-content.ts';
import type { ReplyKind } from './limits.ts';
import type { ReplyOptions, SendAnswer } from './message.ts';

type Db = Kysely<Database>;

/** A reply, as stored between the copy that asks and the one that sends. */
export interface ReplyRequest {
  readonly topicId: number | null;
  readonly content: MessageContent;
  readonly form: 'full' | 'plain';
  readonly reply: ReplyOptions;
}

/** The outcome: Telegram's answer, or how long the limits would make it wait. */
export type ReplyAnswer = SendAnswer | { readonly kind: 'limited'; readonly waitMs: number };

export interface AskedReply {
  readonly id: string;
  readonly chatId: string;
  readonly kind: ReplyKind;
  readonly request: ReplyRequest;
  readonly ageMs: number;
}

/** Claims replies for this copy, in the order of the requests. */
export async function beginReplies(db: Db): Promise<readonly AskedReply[]> {
  const rows = await db
    .updateTable('telegramReplies')
    .set({ begunAt: databaseNow })
    .where('begunAt', 'is', null)
    .where('answer', 'is', null)
    .returning(['id', 'chatId', 'kind', 'request', 'askedAt', databaseNow.as('now')])
    .execute();
  return rows
    .map(({ id, chatId, kind, request, askedAt, now }) => {
      return { id, chatId, kind, request: request as ReplyRequest, ageMs: now.getTime() - askedAt.getTime() };
    })
    .toSorted((one, other) => other.ageMs - one.ageMs);
}

export async function answerReply(db: Db, id: string, answer: ReplyAnswer): Promise<void> {
  await db
    .updateTable('telegramReplies')
    .set({ request: null, answer: JSON.stringify(answer), ...(answer.kind === 'sent' && { sentAt: databaseNow }) })
    .where('id', '=', id)
    .execute();
}

const lost: ReplyAnswer = { kind: 'unanswered', reason: 'The product ended before the answer', isDoubtful: true };

/** What another copy was sending when it died may have arrived: who asked decides. Returns the chats. */
export const takeOverReplies = (db: Db, exceptIds: readonly string[]) =>
  db
    .updateTable('telegramReplies')
    .set({ request: null, answer: JSON.stringify(lost) })
    .where('begunAt', 'is not', null)
    .where('answer', 'is', null)
    .$if(exceptIds.length > 0, (query) => query.where('id', 'not in', exceptIds))
    .returning('chatId')
    .execute();
