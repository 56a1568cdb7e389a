import type { Update, UserFromGetMe } from 'grammy/types';

import type { BotLog } from '../../platform/bot-service/bot-runner.ts';
import type { SayWait } from './answering.ts';
import { createFloodRule } from './flood-rule.ts';
import { type GroupAdmins, type Standing, standingOf } from './group-admins.ts';
import { createQuestionQueue, fullForMs } from './question-queue.ts';
import { type Asked, otherWords, readAsked, unknownWord } from './read-asked.ts';
import { createUpdateReading } from './update-outline.ts';
import type { ArrivedUpdate, UpdateStore } from './update-store.ts';

/** Takes what Telegram tells, from polling and webhook (docs/decisions/0016). */
export interface UpdateIntake {
  /**
   * Resolves when what must not be lost is written down; it is handled by a job of its chat. Rejects with what the database throws:
   * then they are to come again. Questions that change nothing are answered at once, or left out where there are too many.
   */
  readonly take: (updates: readonly Update[]) => Promise<void>;
  /** Somebody may not what they ask for: they are told so, where there is room for it. */
  readonly refuse: (update: Update, asked: Asked) => void;
  /** Resolves when every question taken so far is answered. */
  readonly idle: () => Promise<void>;
}

export interface IntakeDeps {
  readonly store: Pick<UpdateStore, 'write'>;
  /** Begins to handle what is written down. */
  readonly handleChats: (chatIds: Iterable<number>) => Promise<void>;
  /** Answers a question. Rejects when the database or Telegram is gone. */
  readonly handle: (update: Update, asked: Asked) => Promise<void>;
  /** More is asked in the chat than may be answered; must not throw. */
  readonly sayWait: SayWait;
  readonly admins: Pick<GroupAdmins, 'standingOf' | 'note'>;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly log: Pick<BotLog, 'warn'>;
  /** By a clock that only goes forward. */
  readonly nowMs: () => number;
}

/** So many ids are remembered; Telegram repeats what it got no answer for soon, or not at all. */
const rememberedMax = 2_000;

export function createUpdateIntake(deps: IntakeDeps): UpdateIntake {
  const { admins, sayWait, me, nowMs } = deps;
  const rule = createFloodRule();
  const questions = createQuestionQueue();
  const keep = async (arrived: readonly ArrivedUpdate[]): Promise<void> => {
    if (arrived.length === 0) return;
    await deps.store.write(arrived);
    await deps.handleChats(arrived.map(({ chatId }) => chatId));
  };
  const answer = (update: Update, asked: Asked, sort: 'question' | 'refusal'): void => {
    const later = async (): Promise<void> => {
      // What people write that is no command is never stored.
      if (asked.command === otherWords) rule.forget(asked);
      else await keep([{ update, chatId: asked.chatId }]).catch(() => rule.forget(asked));
    };
    // Without Telegram or the database, as the log says: it is answered later, if it can be written down.
    const hasRoom = questions.add(`${asked.chatId} ${sort}`, () => deps.handle(update, asked).catch(later));
    if (!hasRoom && sort === 'question') void sayWait(update, fullForMs);
  };
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
    const standing = standingOf(admins, asked);
    const waitMs = rule.waitMs(asked, nowMs(), standing);
    if (waitMs > 0) {
      if (hearsOfWait(asked, standing)) void sayWait(update, waitMs);
      return false;
    }
    if (asked.kind === 'question') answer(update, asked, 'question');
    else if (asked.kind === 'wish' && standing === 'member') refuse(update, asked);
    else return true;
    return false;
  };
  const takeNew = (updates: readonly Update[]): Taken => {
    const kept = updates.flatMap((update) => {
      const asked = readAsked(update, me());
      return isToKeep(update, asked) ? [{ update, asked, chatId: asked.chatId }] : [];
    });
    const done = keep(kept).catch((error: unknown) => {
      for (const { asked } of kept) rule.forget(asked);
      throw error;
    });
    return { keptIds: new Set(kept.map(({ update }) => update.update_id)), done };
  };
  const isReadable = createUpdateReading(deps.log);
  return { take: onceEach(takeNew, isReadable), refuse, idle: () => questions.idle() };
}

/** A press is no message; and what its sender may not, or the bot does not understand, is no reason to say anything in a group. */
function hearsOfWait({ kind, isGroup, command }: Asked, standing: Standing): boolean {
  if (command === null || command === otherWords || (isGroup && command === unknownWord)) return false;
  return kind === 'question' || standing !== 'member';
}

interface Taken {
  readonly keptIds: ReadonlySet<number>;
  /** They are written down. */
  readonly done: Promise<void>;
}

/**
 * Takes each update once, however often it is brought: a repetition waits for the first, and gets its outcome. Those that could not be
 * written down are forgotten, because Telegram then brings them again.
 */
function onceEach(
  takeNew: (updates: readonly Update[]) => Taken,
  isReadable: (update: Update) => boolean,
): UpdateIntake['take'] {
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
