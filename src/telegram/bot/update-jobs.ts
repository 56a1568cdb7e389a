import type { Update } from 'grammy/types';
import { z } from 'zod';
import { type Kysely, sql } from 'kysely';

import type { JobDefinition, JobName, Jobs } from '../../jobs/jobs.ts';
import type { Reply, AddReply } from '../bot-deps.ts';
import type { GroupAdmins } from './group-admins.ts';
import { type Me, readRequest, type UpdateRequest } from './read-request.ts';
import type { Database } from '../../db/schema.ts';
import { databaseNow, databaseNowPlus, msAgo } from '../../db/expressions.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { saveChat } from '../configs/chat-store.ts';
import { dropPendingOfGone } from '../configs/configuration-store.ts';
import { insertMessages } from '../send/enqueue-messages.ts';

interface UpdateJobDeps {
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly store: UpdateStore;
  /** False: updates wait until the bot is back. */
  readonly isOn: () => Promise<boolean>;
  /** The bot's identity, without which no update can be read. */
  readonly me: () => Promise<Me>;
  /** null: Telegram does not say. */
  readonly isAdmin: GroupAdmins['isAdmin'];
  readonly handle: (update: Update, request: UpdateRequest, addReply: AddReply) => Promise<void>;
  readonly refuse: (refusal: Refusal, addReply: AddReply) => void;
  readonly nowMs: () => number;
}

/** An admin action of someone who is not a group admin, or for whom Telegram does not say. */
export interface Refusal {
  readonly update: Update;
  readonly request: UpdateRequest;
  readonly reason: 'not-admin' | 'admins-unknown';
}

interface ChatPayload {
  readonly chatId: number;
}

const chatQueue: JobName<ChatPayload> & { readonly key: (payload: ChatPayload) => string } = {
  name: 'telegram-updates',
  payload: z.object({ chatId: z.int() }),
  key: ({ chatId }) => String(chatId),
};

/** Chats handled at a time in one copy. Most of the time they wait for Telegram, the marketplace or a chat's limit. */
const chatsAtOnce = 16;
/** After this long, other chats get their turn, however much is left in this one. */
const turnMs = 1_000;
const longestRetryMs = 30_000;
const cleanEveryMs = 60_000;

/** The jobs that handle stored updates (docs/decisions/0016). */
export function addUpdateJobs(deps: UpdateJobDeps) {
  const { jobs, store } = deps;
  /** Adds jobs for the updates waiting in these chats. In order of ids, as two copies may do so in transactions at once. */
  const handleChats = async (chatIds: Iterable<number>, transaction?: Trx): Promise<void> => {
    const options = transaction === undefined ? {} : { transaction };
    for (const chatId of [...new Set(chatIds)].toSorted((one, other) => one - other))
      await jobs.send(chatQueue, { chatId }, options);
  };
  jobs.add(chatJob(deps));
  jobs.add({
    name: 'telegram-inbox',
    everyMs: cleanEveryMs,
    failing: 'Old Telegram updates, or messages waiting for groups that are gone, could not be deleted',
    run: async () => {
      await store.clean();
      await store.dropOfGone();
    },
  });
  return {
    handleChats,
    /** The same for every chat: after a restore, or because the bot was off, rows may wait without a job. */
    handleWaiting: async (): Promise<void> => handleChats(await store.waitingChats()),
  };
}

export type UpdateJobs = ReturnType<typeof addUpdateJobs>;

/** Handles the updates waiting in a chat, in order. An update is handled twice if a copy dies before recording it. */
const chatJob = (deps: UpdateJobDeps): JobDefinition<ChatPayload> => ({
  ...chatQueue,
  atOnce: chatsAtOnce,
  longestRetryMs,
  failing: 'Telegram updates could not be handled',
  run: async ({ chatId }, stop) => {
    if (!(await deps.isOn())) return undefined;
    const untilMs = deps.nowMs() + turnMs;
    while (deps.nowMs() < untilMs) {
      if (!(await handleSome(deps, chatId, untilMs, stop))) return undefined;
    }
    return { againInMs: 0 };
  },
});

/** False: nothing was waiting. Refused updates are settled together, so that a crowd does not hold up an admin. */
async function handleSome(deps: UpdateJobDeps, chatId: number, untilMs: number, stop: AbortSignal): Promise<boolean> {
  const { store, nowMs } = deps;
  const waiting = await store.waiting(chatId);
  const refused = { ids: [] as number[], replies: [] as Reply[] };
  try {
    for (const { id, update, isLate } of waiting) {
      stop.throwIfAborted();
      const request = readRequest(update, await deps.me());
      const reason = await refusalReason(deps, request, isLate);
      if (reason === null) {
        const replies: Reply[] = [];
        await store.begin(id);
        await deps.handle(update, request, (reply) => void replies.push(reply));
        await store.settle([id], replies);
      } else {
        deps.refuse({ update, request, reason }, (reply) => void refused.replies.push(reply));
        refused.ids.push(id);
      }
      if (nowMs() > untilMs) break;
    }
  } finally {
    await store.settle(refused.ids, refused.replies);
  }
  return waiting.length > 0;
}

/**
 * null: the sender may do this. Throws while Telegram cannot be reached, so that the job is retried; a late update is
 * refused instead, so that the chat waits no longer.
 */
async function refusalReason(
  { isAdmin }: UpdateJobDeps,
  request: UpdateRequest,
  isLate: boolean,
): Promise<Refusal['reason'] | null> {
  if (request.kind !== 'admin-action') return null;
  const isSenderAdmin = await isAdmin(request).catch((error: unknown) => {
    if (!isLate) throw error;
    return null;
  });
  if (isSenderAdmin === null) return 'admins-unknown';
  return isSenderAdmin ? null : 'not-admin';
}

export interface ArrivedUpdate {
  readonly update: Update;
  readonly chatId: number;
}

/** An update that crashes the process must not crash it forever. */
export const updateAttemptsMax = 10;
const readTogether = 100;
/** Nobody waits longer for an answer; a reply that is not sent expires after the same time. */
const triedForMs = 60_000;

const unhandled = (db: Kysely<Database>) =>
  db.selectFrom('telegramInbox').where('handledAt', 'is', null).where('attempts', '<', updateAttemptsMax);

/** Updates as rows (docs/decisions/0016). Throws database errors. */
export const createUpdateStore = (db: Kysely<Database>) => ({
  /** Stores the updates and runs `alongside` in one transaction. */
  write: (arrived: readonly ArrivedUpdate[], alongside: (trx: Trx) => Promise<void>) =>
    transact(db, async (trx) => {
      await trx
        .insertInto('telegramInbox')
        .values(
          arrived.map(({ update, chatId }) => ({ updateId: update.update_id, chatId, update: JSON.stringify(update) })),
        )
        .onConflict((conflict) => conflict.column('updateId').doNothing())
        .execute();
      await alongside(trx);
    }),
  waiting: async (chatId: number) => {
    const rows = await unhandled(db)
      .select((row) => ['updateId', 'update', row('receivedAt', '<', databaseNowPlus(-triedForMs)).as('isLate')])
      .where('chatId', '=', String(chatId))
      .orderBy('updateId')
      .limit(readTogether)
      .execute();
    return rows.map(({ updateId, update, isLate }) => ({
      id: Number(updateId),
      update: update as Update,
      isLate: Boolean(isLate),
    }));
  },
  begin: async (updateId: number) => {
    await db
      .updateTable('telegramInbox')
      .set((field) => ({ attempts: field('attempts', '+', 1) }))
      .where('updateId', '=', String(updateId))
      .execute();
  },
  /**
   * Marks the updates handled and queues the replies. Their ids stay for a while, as Telegram may repeat them; their
   * content is deleted.
   */
  settle: async (updateIds: readonly number[], replies: readonly Reply[]) => {
    if (updateIds.length === 0) return;
    await transact(db, async (trx) => {
      await insertReplies(trx, replies);
      await trx
        .updateTable('telegramInbox')
        .set({ handledAt: databaseNow, update: null })
        .where('updateId', 'in', updateIds.map(String))
        .execute();
    });
  },
  waitingChats: async () => {
    const rows = await unhandled(db).select('chatId').distinct().execute();
    return rows.map(({ chatId }) => Number(chatId));
  },
  /** Telegram repeats an update within minutes, and a reply expires after a minute: an hour is enough. */
  clean: async () => {
    const hourAgo = msAgo(3_600_000);
    await db.deleteFrom('telegramInbox').where('handledAt', '<', hourAgo).execute();
    await db.deleteFrom('telegramMessages').where('kind', '=', 'reply').where('createdAt', '<', hourAgo).execute();
  },
  /** Runs by schedule: no update reports that a removed group did not become a supergroup. */
  dropOfGone: () => dropPendingOfGone(db, 'bot-removed'),
});
export type UpdateStore = ReturnType<typeof createUpdateStore>;

async function insertReplies(trx: Trx, replies: readonly Reply[]): Promise<void> {
  for (const { chat, content } of replies) {
    await saveChat(chat, trx);
    // An earlier edit of the same message that still waits is outdated.
    if (content.edits === undefined) continue;
    await trx
      .updateTable('telegramMessages')
      .set({ state: 'dropped', reason: 'superseded' })
      .where('chatId', '=', String(chat.id))
      .where('kind', '=', 'reply')
      .where('state', '=', 'pending')
      .where(sql<string>`content -> 'edits' ->> 'messageId'`, '=', String(content.edits.messageId))
      .execute();
  }
  await insertMessages(
    trx,
    replies.map(({ chat, ...reply }) => ({ chatId: String(chat.id), kind: 'reply', ...reply })),
  );
}
