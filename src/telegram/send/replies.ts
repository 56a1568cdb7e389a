import { randomUUID } from 'node:crypto';

import type { ApiError } from 'grammy/types';
import { GrammyError, HttpError } from 'grammy';
import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import { escapeHtml } from '../../shared/foreign-text.ts';
import { inTime } from '../../process/in-time.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { MessageContent } from '../cards/parts.ts';
import type { ReplyKind } from './limits.ts';
import type { ReplyOptions, SendAnswer } from './message.ts';
import { databaseNow } from '../../db/expressions.ts';

interface SendNowOptions extends ReplyOptions {
  /** Which share of the group's limit it uses; defaults to 'change'. */
  readonly kind?: ReplyKind;
}

/** Sends at once, within the same limits as cards. Throws grammY's errors, and Unavailable if the chat is limited. */
export type SendNow = (
  chatId: number,
  topicId: number | null,
  content: MessageContent,
  options?: SendNowOptions,
) => Promise<{ readonly messageId: number }>;

/** `not-now`: it certainly did not arrive; `refused`: nor will it, until a person changes something. */
type Said = { readonly kind: 'said' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string };

/** Plain text to one chat. Throws Unavailable if it may or may not have arrived. */
type Say = (chatId: string, text: string) => Promise<Said>;

interface RepliesOptions {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  /** Makes sure that some copy sends. */
  readonly onAsked: () => void;
}

export const askedTopic = 'telegram-replies';
export const answeredTopic = 'telegram-replies-answered';
/** The longest wait for the limits, for Telegram's own waits, and for its answers. */
const givenUpAfterMs = 150_000;
const nothingIsSent: ReplyAnswer = { kind: 'unanswered', reason: 'Nothing is sent at present', isDoubtful: true };

/** Any copy asks through a database row; the sending copy sends it. */
export function createReplies({ db, changes, onAsked }: RepliesOptions) {
  const waiting = new Map<string, (answer: ReplyAnswer) => void>();
  const readAnswers = async (): Promise<void> => {
    if (waiting.size === 0) return;
    const rows = await db
      .selectFrom('telegramReplies')
      .select(['id', 'answer'])
      .where('id', 'in', [...waiting.keys()])
      .where('answer', 'is not', null)
      .execute();
    for (const { id, answer } of rows) waiting.get(id)?.(answer as ReplyAnswer);
  };
  const ask = async (chatId: string, kind: ReplyKind, request: ReplyRequest): Promise<ReplyAnswer> => {
    onAsked();
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<ReplyAnswer>();
    waiting.set(id, resolve);
    try {
      await db
        .insertInto('telegramReplies')
        .values({ id, chatId, kind, request: JSON.stringify(request) })
        .execute();
      await changes.publish(askedTopic);
      return await inTime(promise, givenUpAfterMs, () => nothingIsSent);
    } finally {
      waiting.delete(id);
    }
  };
  const sendNow: SendNow = async (chatId, topicId, content, { kind = 'change', ...reply } = {}) => {
    const answer = await ask(String(chatId), kind, { topicId, content, form: 'full', reply });
    if (answer.kind === 'sent') return { messageId: answer.messageId ?? 0 };
    throw errorOf(answer);
  };
  const say: Say = async (chatId, text) => {
    const content = { html: escapeHtml(text), imageUrl: null, buttons: [], isSilent: false };
    return saidOf(await ask(chatId, 'change', { topicId: null, content, form: 'plain', reply: {} }));
  };
  return {
    sendNow,
    say,
    /** For the answers to this copy's replies, whichever copy sends them. Returns how to stop. */
    listen: (): (() => Promise<void>) => {
      const read = (): Promise<void> => readAnswers().catch(() => {});
      const unsubscribe = changes.subscribe(answeredTopic, () => void read());
      return async () => {
        unsubscribe();
        await read();
      };
    },
  };
}

const tooMuch = 'Telegram asks us to slow down in this chat';

/** As grammY would throw it, had this copy called Telegram itself. */
function errorOf(answer: Exclude<ReplyAnswer, { readonly kind: 'sent' }>): Error {
  if (answer.kind === 'limited') return new Unavailable('rate-limited', tooMuch, undefined, answer.waitMs);
  if (answer.kind === 'unanswered') return new HttpError(answer.reason, new Error(answer.reason));
  const { code, description, retryAfterMs, migrateToChatId } = answer;
  const failure: ApiError = {
    ok: false,
    error_code: code,
    description,
    parameters: {
      ...(retryAfterMs !== null && { retry_after: retryAfterMs / 1_000 }),
      ...(migrateToChatId !== null && { migrate_to_chat_id: Number(migrateToChatId) }),
    },
  };
  return new GrammyError('A reply failed', failure, 'sendMessage', {});
}

function saidOf(answer: ReplyAnswer): Said {
  if (answer.kind === 'sent') return { kind: 'said' };
  if (answer.kind === 'limited') return { kind: 'not-now', reason: tooMuch };
  if (answer.kind === 'unanswered') {
    if (answer.isDoubtful) throw new Unavailable('unanswered', answer.reason);
    return { kind: 'not-now', reason: answer.reason };
  }
  const isPassing = answer.retryAfterMs !== null || answer.code === 429 || answer.code >= 500;
  return { kind: isPassing ? 'not-now' : 'refused', reason: answer.description };
}

type Db = Kysely<Database>;

/** A reply, as stored between the copy that asks and the one that sends. */
interface ReplyRequest {
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
