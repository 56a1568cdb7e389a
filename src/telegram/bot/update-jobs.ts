import type { Update } from 'grammy/types';
import { z } from 'zod';
import { type Kysely, sql } from 'kysely';

import type { JobDefinition, JobName, Jobs } from '../../jobs/jobs.ts';
import { type GroupAdmins, roleOf } from './group-admins.ts';
import type { Asked } from './read-asked.ts';
import type { Database } from '../../db/schema.ts';
import { dropPendingOfGone } from '../configs/configuration-store.ts';

export interface UpdateJobDeps {
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly store: UpdateStore;
  /** False: the bot is off; updates wait until it is back. */
  readonly isWanted: () => Promise<boolean>;
  /** Identifies the bot if this copy has not: without that no update can be read. */
  readonly meet: () => Promise<unknown>;
  readonly read: (update: Update) => Asked;
  readonly admins: Pick<GroupAdmins, 'roleOf' | 'wasAdmin'>;
  readonly handle: (update: Update, asked: Asked) => Promise<void>;
  /** Someone who is not a group admin asks for an admin command: it changes nothing and need not be kept. */
  readonly refuse: (update: Update, asked: Asked) => void;
  readonly nowMs: () => number;
}

interface ChatPayload {
  readonly chatId: number;
}

const chatQueue: JobName<ChatPayload> & { readonly key: (payload: ChatPayload) => string } = {
  name: 'telegram-updates',
  payload: z.object({ chatId: z.int() }),
  key: ({ chatId }) => String(chatId),
};

/** Chats handled at a time in one copy: most of it is waiting for Telegram, the marketplace or a chat's limit. */
const chatsAtOnce = 16;
/** After this long other chats come first, however much is left in this one. */
const turnMs = 1_000;
const longestRetryMs = 30_000;
const cleanEveryMs = 60_000;

/** The jobs that handle stored updates (docs/decisions/0016). */
export function addUpdateJobs(deps: UpdateJobDeps) {
  const { jobs, store, isWanted } = deps;
  /** Handles what waits in these chats, soon or at that time. */
  const handleChats = async (chatIds: Iterable<number>, at?: Date): Promise<void> => {
    const options = at === undefined ? {} : { at };
    await Promise.all([...new Set(chatIds)].map((chatId) => jobs.send(chatQueue, { chatId }, options)));
  };
  jobs.add(chatJob(deps));
  jobs.add({
    name: 'telegram-inbox',
    payload: z.object({}),
    repeats: { payload: {}, everyMs: cleanEveryMs },
    failing: 'Old updates of Telegram could not be deleted, or what waits for groups that are gone not be dropped',
    run: async () => {
      await store.clean();
      await store.dropOfGone();
      // Does not bring an existing job of the chat forward.
      const at = new Date(Date.now() + longestRetryMs);
      if (await isWanted()) await handleChats(await store.waitingChats(), at);
    },
  });
  return {
    handleChats,
    /** The same for every chat: after a restore, or because the bot was off, rows may wait without a job. */
    handleWaiting: async (): Promise<void> => handleChats(await store.waitingChats()),
  };
}

/** Handles what waits in a chat, in order. An update is handled twice if a copy dies before recording it. */
const chatJob = (deps: UpdateJobDeps): JobDefinition<ChatPayload> => ({
  ...chatQueue,
  atOnce: chatsAtOnce,
  longestRetryMs,
  failing: 'Updates of Telegram could not be handled',
  run: async ({ chatId }, stop) => {
    if (!(await deps.isWanted())) return undefined;
    await deps.meet();
    const untilMs = deps.nowMs() + turnMs;
    while (deps.nowMs() < untilMs) {
      if (!(await handleSome(deps, chatId, untilMs, stop))) return undefined;
    }
    return { againAt: new Date() };
  },
});

/** False: nothing waited. Refused ones are settled together: a crowd must not hold up an admin. */
async function handleSome(deps: UpdateJobDeps, chatId: number, untilMs: number, stop: AbortSignal): Promise<boolean> {
  const { store, nowMs } = deps;
  const waiting = await store.waiting(chatId);
  const readAtMs = nowMs();
  const refusedIds: number[] = [];
  for (const { id, update, ageMs } of waiting) {
    stop.throwIfAborted();
    if (nowMs() > untilMs) break;
    const asked = deps.read(update);
    if (await isRefused(deps.admins, asked, readAtMs - ageMs)) {
      deps.refuse(update, asked);
      refusedIds.push(id);
    } else {
      await store.settle(refusedIds.splice(0));
      await store.begin(id);
      await deps.handle(update, asked);
      await store.settle([id]);
    }
  }
  await store.settle(refusedIds);
  return waiting.length > 0;
}

/** One list of the group's admins serves all who asked before it: a crowd costs no more than one person. */
const isRefused = async (admins: UpdateJobDeps['admins'], asked: Asked, sinceMs: number): Promise<boolean> => {
  if (asked.kind !== 'wish' || roleOf(admins, asked) === 'admin') return false;
  return (await admins.wasAdmin(asked.chatId, asked.personId, sinceMs)) === false;
};

export interface ArrivedUpdate {
  readonly update: Update;
  readonly chatId: number;
}

/** An update that crashes the process must not crash it for ever. */
export const updateAttemptsMax = 10;
const readTogether = 100;

const ageMs = sql<number>`(extract(epoch from clock_timestamp() - received_at) * 1000)::float8`;

/** Updates that must not be lost, as rows (docs/decisions/0016). Throws database errors. */
export const createUpdateStore = (db: Kysely<Database>) => ({
  /** Stores each once, however often it arrives. */
  write: async (arrived: readonly ArrivedUpdate[]) => {
    await db
      .insertInto('telegramInbox')
      .values(arrived.map(({ update, chatId }) => ({ updateId: update.update_id, chatId, update: keptUpdate(update) })))
      .onConflict((conflict) => conflict.column('updateId').doNothing())
      .execute();
  },
  /** A chat's first unhandled updates, in order. */
  waiting: async (chatId: number) => {
    const rows = await db
      .selectFrom('telegramInbox')
      .select(['updateId', 'update', ageMs.as('ageMs')])
      .where('chatId', '=', String(chatId))
      .where('handledAt', 'is', null)
      .where('attempts', '<', updateAttemptsMax)
      .orderBy('updateId')
      .limit(readTogether)
      .execute();
    return rows.map(({ updateId, update, ageMs }) => ({ id: Number(updateId), update: update as Update, ageMs }));
  },
  /** Counts the attempt. */
  begin: async (updateId: number) => {
    await db
      .updateTable('telegramInbox')
      .set((field) => ({ attempts: field('attempts', '+', 1) }))
      .where('updateId', '=', String(updateId))
      .execute();
  },
  /** Marks them handled: the keys stay for a while, as Telegram may repeat them; the content is deleted. */
  settle: async (updateIds: readonly number[]) => {
    if (updateIds.length === 0) return;
    await db
      .updateTable('telegramInbox')
      .set({ handledAt: sql<Date>`clock_timestamp()`, update: null })
      .where('updateId', 'in', updateIds.map(String))
      .execute();
  },
  /** Chats with waiting updates. */
  waitingChats: async () => {
    const rows = await db
      .selectFrom('telegramInbox')
      .select('chatId')
      .distinct()
      .where('handledAt', 'is', null)
      .where('attempts', '<', updateAttemptsMax)
      .execute();
    return rows.map(({ chatId }) => Number(chatId));
  },
  /** Telegram keeps an update for a day itself (Bot API, Getting updates), and repeats one within minutes. */
  clean: async () => {
    // Not clock_timestamp(): a volatile function cannot use the indexes.
    await db
      .deleteFrom('telegramInbox')
      .where((where) =>
        where.or([
          where('handledAt', '<', sql<Date>`statement_timestamp() - interval '1 hour'`),
          where('receivedAt', '<', sql<Date>`statement_timestamp() - interval '1 day'`),
        ]),
      )
      .execute();
  },
  /** No update tells of it: that a group did not move. */
  dropOfGone: () => dropPendingOfGone(db, 'bot-removed'),
});
type UpdateStore = ReturnType<typeof createUpdateStore>;

const peoplesNames: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'username',
  'language_code',
  'author_signature',
]);
const peoplesWords: ReadonlySet<string> = new Set(['quote', 'external_reply', 'forward_origin']);

/**
 * An update as JSON for the database: without names, and without quoted text of other people. The privacy policy
 * mentions only a messenger user ID, and the bot's page says that what people write to each other is never stored.
 */
export const keptUpdate = (update: object): string => JSON.stringify(update, withoutPeople);

function withoutPeople(key: string, value: unknown): unknown {
  if (peoplesNames.has(key) || peoplesWords.has(key)) return undefined;
  return key === 'reply_to_message' && isObject(value) ? answered(value) : value;
}

type Parts = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** A bot's question identifies what is answered; of any other message the id is enough. */
const answered = (message: Parts): Parts => {
  const { message_id, date, chat, from } = message;
  return isObject(from) && from['is_bot'] === true ? message : { message_id, date, chat };
};
