import type { Update, UserFromGetMe } from 'grammy/types';

import type { SayWait } from './answering.ts';
import { createFloodRule, createUpdateReading } from './admit-updates.ts';
import { type GroupAdmins, type Role, roleOf } from './group-admins.ts';
import { type Asked, otherWords, readAsked, unknownWord } from './read-asked.ts';
import { addUpdateJobs, type UpdateJobDeps, type ArrivedUpdate } from './update-jobs.ts';
import type { Log } from '../../process/logger.ts';

export interface IntakeDeps extends Omit<UpdateJobDeps, 'read' | 'refuse'> {
  /** The chat is over its limit for answers; must not throw. */
  readonly sayWait: SayWait;
  readonly admins: Pick<GroupAdmins, 'roleOf' | 'wasAdmin' | 'note'>;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Update ids remembered; Telegram repeats an unanswered one soon or never. */
const rememberedMax = 2_000;

/** Takes updates from polling and webhook, and adds the jobs that handle what is stored of them (docs/decisions/0016). */
export function createUpdateIntake(deps: IntakeDeps) {
  const { admins, sayWait, me, nowMs } = deps;
  const read = (update: Update): Asked => readAsked(update, me());
  const jobs = addUpdateJobs({ ...deps, read, refuse: (update, asked) => refuse(update, asked) });
  const rule = createFloodRule();
  const questions = createQuestionQueue();
  const keep = async (arrived: readonly ArrivedUpdate[]): Promise<void> => {
    if (arrived.length === 0) return;
    await deps.store.write(arrived);
    await jobs.handleChats(arrived.map(({ chatId }) => chatId));
  };
  const answer = (update: Update, asked: Asked, sort: 'question' | 'refusal'): void => {
    const later = async (): Promise<void> => {
      // Messages that are no command are never stored.
      if (asked.command === otherWords) rule.forget(asked);
      else await keep([{ update, chatId: asked.chatId }]).catch(() => rule.forget(asked));
    };
    // Without Telegram or the database, as the log says: stored if possible, and answered later.
    const hasRoom = questions.add(`${asked.chatId} ${sort}`, () => deps.handle(update, asked).catch(later));
    if (!hasRoom && sort === 'question') void sayWait(update, fullForMs);
  };
  /** Tells a sender that they may not do this, if the limit has room. */
  const refuse = (update: Update, asked: Asked): void => {
    if (rule.refuses(asked, nowMs())) answer(update, asked, 'refusal');
  };
  /** True: it must not be lost. */
  const isToKeep = (update: Update, asked: Asked): boolean => {
    if (asked.kind === 'nothing') return false;
    if (asked.kind === 'rank') {
      if (update.chat_member !== undefined) admins.note(asked.chatId, update.chat_member.new_chat_member);
      return false;
    }
    const role = roleOf(admins, asked);
    const waitMs = rule.waitMs(asked, nowMs(), role);
    if (waitMs > 0) {
      if (hearsOfWait(asked, role)) void sayWait(update, waitMs);
      return false;
    }
    if (asked.kind === 'question') answer(update, asked, 'question');
    else if (asked.kind === 'wish' && role === 'member') refuse(update, asked);
    else return true;
    return false;
  };
  const takeNew = (updates: readonly Update[]): Taken => {
    const kept = updates.flatMap((update) => {
      const asked = read(update);
      return isToKeep(update, asked) ? [{ update, asked, chatId: asked.chatId }] : [];
    });
    const done = keep(kept).catch((error: unknown) => {
      for (const { asked } of kept) rule.forget(asked);
      throw error;
    });
    return { keptIds: new Set(kept.map(({ update }) => update.update_id)), done };
  };
  const isReadable = createUpdateReading(deps.log);
  return {
    ...jobs,
    /**
     * Resolves when what must not be lost is stored; a job of its chat handles it. Rejects with database errors: then
     * Telegram is to deliver them again. Questions that change nothing are answered at once, or dropped if there are too
     * many.
     */
    take: onceEach(takeNew, isReadable),
    /** Resolves when every question taken so far is answered. */
    idle: () => questions.idle(),
  };
}

/** A press is no message; commands that the sender may not use or the bot does not know get no notice in a group. */
function hearsOfWait({ kind, isGroup, command }: Asked, role: Role): boolean {
  if (command === null || command === otherWords || (isGroup && command === unknownWord)) return false;
  return kind === 'question' || role !== 'member';
}

interface Taken {
  readonly keptIds: ReadonlySet<number>;
  /** Resolves when they are stored. */
  readonly done: Promise<void>;
}

/** Takes each update once: a repetition shares the first outcome. Failed ones are forgotten: Telegram repeats them. */
function onceEach(
  takeNew: (updates: readonly Update[]) => Taken,
  isReadable: (update: Update) => boolean,
): (updates: readonly Update[]) => Promise<void> {
  const taken = new Map<number, Promise<void>>();
  const remember = (id: number, done: Promise<void>): void => {
    taken.set(id, done);
    done.catch(() => taken.delete(id));
    const [oldest = id] = taken.keys();
    if (taken.size > rememberedMax) taken.delete(oldest);
  };
  return async (updates) => {
    const isNew = ({ update_id: id }: Update): boolean => !taken.has(id);
    const { keptIds, done } = takeNew(updates.filter((update) => isNew(update) && isReadable(update)));
    const ids = updates.map(({ update_id: id }) => id);
    for (const id of ids.filter((each) => !taken.has(each))) remember(id, keptIds.has(id) ? done : Promise.resolve());
    await Promise.all(ids.map(async (id) => taken.get(id)));
  };
}

/** Limits questions and refusals per chat, and over all chats. */
const waitingMax = 20;
const waitingOverallMax = 1_000;

/** Questions change nothing and are answered from this copy's memory, in order within a chat. */
function createQuestionQueue() {
  const chats = new Map<string, { readonly count: number; readonly last: Promise<void> }>();
  let overall = 0;
  const leave = (chat: string): void => {
    overall -= 1;
    const now = chats.get(chat);
    if (now === undefined || now.count === 1) chats.delete(chat);
    else chats.set(chat, { ...now, count: now.count - 1 });
  };
  const answerAfter = async (last: Promise<void>, chat: string, answer: () => Promise<void>): Promise<void> => {
    await last;
    await answer();
    leave(chat);
  };
  return {
    /** False: too many wait, and this one is dropped. `answer` must not throw. */
    add: (chat: string, answer: () => Promise<void>): boolean => {
      const { count, last } = chats.get(chat) ?? { count: 0, last: Promise.resolve() };
      if (count >= waitingMax || overall >= waitingOverallMax) return false;
      overall += 1;
      chats.set(chat, { count: count + 1, last: answerAfter(last, chat, answer) });
      return true;
    },
    /** Resolves when everything added so far is answered. */
    idle: async (): Promise<void> => {
      while (chats.size > 0) await Promise.all([...chats.values()].map(({ last }) => last));
    },
  };
}

/** A chat gets one message a second (rulings R4): this is how long a full queue takes. */
const fullForMs = waitingMax * 1_000;
