import { setTimeout as delay } from 'node:timers/promises';

import type { Update, UserFromGetMe } from 'grammy/types';

import type { BotLog } from '../../platform/bot-service/bot-turn.ts';
import type { InboxStore } from '../adapters/inbox-store.ts';
import type { ReplyKind } from '../send/limits.ts';
import type { GroupAdmins, Standing } from '../bot/group-admins.ts';
import type { SayWait } from '../bot/wait-notice.ts';
import { createChatLanes } from './chat-lanes.ts';
import { createFloodRule } from './flood-rule.ts';
import { createInbox } from './inbox.ts';
import { type Asked, otherWords, readAsked, unknownWord } from './read-asked.ts';
import { createUpdateReading } from './update-outline.ts';

/**
 * Takes what Telegram tells, from polling and webhook. What must not be lost is written down first, then handled chat by chat;
 * questions that change nothing go a way of their own and are left out where there are too many; what means nothing to the bot
 * goes nowhere.
 */
export interface UpdateIntake {
  /** Resolves when what must not be lost of them is written down. Rejects with what the database throws: they are to come again. */
  take(updates: readonly Update[]): Promise<void>;
  /** Also handles what other copies left, until stopped. */
  carryOn(stop: AbortSignal): Promise<void>;
  /** Ends soon: what is begun may finish, what is not is any copy's. */
  letGo(): Promise<void>;
  /** Resolves when everything taken so far is handled. */
  idle(): Promise<void>;
  /** Lets go for good. */
  stop(): Promise<void>;
}

export interface IntakeDeps {
  readonly store: InboxStore;
  readonly handle: (update: Update, kind: ReplyKind) => Promise<void>;
  /** More is asked in the chat than may be answered; must not throw. */
  readonly sayWait: SayWait;
  readonly admins: Pick<GroupAdmins, 'wasAdmin' | 'standingOf' | 'note'>;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly log: BotLog;
  /** How often is looked for what other copies left. */
  readonly lookEveryMs: number;
  /** A third of the time for which a claim holds, or less. */
  readonly renewEveryMs: number;
  /** By a clock that only goes forward. */
  readonly nowMs: () => number;
}

/** What many people together ask of one chat, or are refused there; and all chats together. */
const questionsMax = 20;
const questionsOverallMax = 1_000;
/** One a second goes to a chat (rulings R4). */
const fullForMs = questionsMax * 1_000;
/** So many ids are remembered; Telegram repeats what it got no answer for soon, or not at all. */
const rememberedMax = 2_000;

export function createUpdateIntake(deps: IntakeDeps): UpdateIntake {
  const { admins, handle, sayWait, me, nowMs } = deps;
  const rule = createFloodRule();
  const lanes = createChatLanes();
  /** Answers it beside what changes something, or leaves it out where too many wait: then the chat is told how long. */
  const answer = (update: Update, asked: Asked, lane: 'question' | 'refusal'): void => {
    const name = `${asked.chatId} ${lane}`;
    if (lanes.lengthOf(name) >= questionsMax || lanes.size() >= questionsOverallMax) {
      if (lane === 'question') void sayWait(update, fullForMs);
      return;
    }
    const keep = async (): Promise<void> => {
      // What people write that is no command is never stored.
      if (asked.command === otherWords) rule.forget(asked);
      else await inbox.keep(update, asked).catch(() => rule.forget(asked));
    };
    // Without Telegram or the database, as the log says: it is tried again if it can be written down.
    lanes.enter(name, () => handle(update, 'question').catch(keep));
  };
  const refuse = (update: Update, asked: Asked): void => {
    if (rule.refuses(asked, nowMs())) answer(update, asked, 'refusal');
  };
  const inbox = createInbox({
    ...deps,
    lanes,
    read: (update) => readAsked(update, me()),
    standingOf: (asked) => standingOf(admins, asked),
    refuse,
  });

  const takeOne = async (update: Update): Promise<void> => {
    const asked = readAsked(update, me());
    if (asked.kind === 'nothing') return;
    if (asked.kind === 'rank') {
      if (update.chat_member !== undefined) admins.note(asked.chatId, update.chat_member.new_chat_member);
      return;
    }
    const standing = standingOf(admins, asked);
    const waitMs = rule.waitMs(asked, nowMs(), standing);
    if (waitMs > 0) {
      if (isToldToWait(asked, standing)) void sayWait(update, waitMs);
      return;
    }
    if (asked.kind === 'question') answer(update, asked, 'question');
    else if (asked.kind === 'wish' && standing === 'member') refuse(update, asked);
    else {
      await inbox.put(update, asked).catch((error: unknown) => {
        rule.forget(asked);
        throw error;
      });
    }
  };
  const takeOnce = onceEach(takeOne);
  const isReadable = createUpdateReading(deps.log);
  return {
    take: async (updates) => void (await Promise.all(updates.filter(isReadable).map(takeOnce))),
    carryOn: (stop) => inbox.carryOn(stop),
    letGo: () => inbox.letGo(),
    idle: async () => {
      while (lanes.size() > 0 || inbox.isBusy()) await delay(5);
    },
    stop: () => inbox.stop(),
  };
}

/** A press is no message; and what its sender may not, or the bot does not understand, is no reason to say anything in a group. */
function isToldToWait({ kind, isGroup, command }: Asked, standing: Standing): boolean {
  if (command === null || command === otherWords || (isGroup && command === unknownWord)) return false;
  return kind === 'question' || standing !== 'member';
}

const standingOf = (admins: Pick<GroupAdmins, 'standingOf'>, { speaker, chatId, personId }: Asked): Standing => {
  if (speaker !== 'person') return speaker === 'anonymous-admin' ? 'admin' : 'member';
  return admins.standingOf(chatId, personId);
};

/**
 * Takes each update once, however often it is brought: a repetition waits for the first, and gets its outcome. One that failed is
 * forgotten, because Telegram then brings it again.
 */
function onceEach(take: (update: Update) => Promise<void>): (update: Update) => Promise<void> {
  const taken = new Map<number, Promise<void>>();
  return (update) => {
    const { update_id: id } = update;
    const known = taken.get(id);
    if (known !== undefined) return known;
    const done = take(update);
    taken.set(id, done);
    done.catch(() => taken.delete(id));
    const [oldest = id] = taken.keys();
    if (taken.size > rememberedMax) taken.delete(oldest);
    return done;
  };
}
