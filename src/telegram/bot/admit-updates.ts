import { z } from 'zod';

import type { Role } from './group-admins.ts';
import { type Asked, otherWords, unknownWord } from './read-asked.ts';
import type { Log } from '../../process/logger.ts';

/** Rulings R4: the bot asks Telegram for exactly the updates that it handles. */
export const handledUpdates = ['message', 'callback_query', 'my_chat_member', 'chat_member'] as const;

const id = z.int();
const chat = z.looseObject({ id, type: z.string() });
const user = z.looseObject({ id });
const entity = z.looseObject({ type: z.string(), offset: z.int(), length: z.int() });
const message = z.looseObject({
  message_id: id,
  date: z.int(),
  chat,
  from: user.optional(),
  sender_chat: chat.optional(),
  text: z.string().optional(),
  entities: z.array(entity).optional(),
  message_thread_id: id.optional(),
  reply_to_message: z.looseObject({ message_id: id, chat }).optional(),
  new_chat_title: z.string().optional(),
  migrate_to_chat_id: id.optional(),
  migrate_from_chat_id: id.optional(),
});
const member = z.looseObject({ status: z.string(), user });
const memberChange = z.looseObject({ chat, from: user, old_chat_member: member, new_chat_member: member });

/** The only field that every update must have. */
export const updateName = z.looseObject({ update_id: id });

/** Bot API, Update: the parts that the bot relies on. */
const updateOutline = updateName.extend({
  message: message.optional(),
  callback_query: z
    .looseObject({
      id: z.string(),
      from: user,
      data: z.string().optional(),
      message: z.looseObject({ message_id: id, date: z.int(), chat }).optional(),
    })
    .optional(),
  my_chat_member: memberChange.optional(),
  chat_member: memberChange.optional(),
});

/**
 * Whether an update can be read. One that breaks the Bot API is accepted and ignored: if refused, it would be delivered
 * again and again. Logged once, so that a sender of such updates cannot fill the log.
 */
export function createUpdateReading(log: Pick<Log, 'warn'>): (update: { readonly update_id: number }) => boolean {
  let isNoted = false;
  return (update) => {
    const { error } = updateOutline.safeParse(update);
    if (error === undefined) return true;
    if (isNoted) return false;
    isNoted = true;
    const where = error.issues.map(({ path }) => path.join('.')).slice(0, 5);
    log.warn(
      { updateId: update.update_id, where },
      'An update of Telegram that is not as the Bot API says was ignored; so will others be',
    );
    return false;
  };
}

/** A newcomer may try several commands in a row; over a minute no one gets more than a share of a group's messages. */
const personWindowMs = { question: 60_000, pointer: 60_000, command: 20_000, press: 20_000 } as const;
const minuteMs = 60_000;
/**
 * Per person and chat within the window. Possible admins get more; presses cost no message. Questions have one limit
 * for all; twelve are more than needed to set up a group and try everything. `pointer`: what the bot does not
 * understand, from everyone in a group together.
 */
const most = {
  question: { group: 12, private: 30 },
  pointer: { group: 1, private: 5 },
  command: { member: 4, admin: 10 },
  press: { member: 20, admin: 40 },
} as const;
/** Refusals within a minute before it is a flood. */
const refusalsMax = 3;
/**
 * Each /setup queries the marketplace and the chain, which everything else needs as well: the limit per minute for one
 * person in any number of groups, and for all who write in the name of a group, as no one knows who they are.
 */
const setupsPerMinute = 30;
/** Above this the least recently used are forgotten. */
const rememberedMax = 5_000;

/** Limits how many questions and wishes of a chat are answered. Changes of a group are never dropped. */
export function createFloodRule() {
  const admitted = new Map<string, readonly number[]>();
  /** The times that still count; marks the key as recently used. */
  const since = (key: string, fromMs: number): readonly number[] => {
    const times = (admitted.get(key) ?? []).filter((time) => time > fromMs);
    admitted.delete(key);
    admitted.set(key, times);
    for (const oldest of admitted.keys()) {
      if (admitted.size <= rememberedMax) break;
      admitted.delete(oldest);
    }
    return times;
  };
  return {
    /**
     * 0: it is answered, and counted. Otherwise it is dropped, and the next is answered after this long. No one's wish is
     * dropped for what others do, except a /setup in the name of a group.
     */
    waitMs: (asked: Asked, nowMs: number, role: Role): number => {
      if (asked.kind !== 'question' && asked.kind !== 'wish') return 0;
      const person = personKey(asked);
      const windowMs = personWindowMs[sortOf(asked)];
      const own = since(person, nowMs - windowMs);
      if (own.length >= mostOf(asked, role)) return leftMs(own, windowMs, nowMs);
      const setups = asked.command === 'setup' ? since(setupKey(asked), nowMs - minuteMs) : null;
      if (setups !== null && setups.length >= setupsPerMinute) return leftMs(setups, minuteMs, nowMs);
      if (setups !== null) admitted.set(setupKey(asked), [...setups, nowMs]);
      admitted.set(person, [...own, nowMs]);
      return 0;
    },
    /** Whether a refused person gets a notice: once each, and one a minute while many try. */
    refuses: (asked: Asked, nowMs: number): boolean => {
      const { chatId, personId, isPress } = asked;
      // A press is answered in its own popup.
      if (isPress) return true;
      const person = `refused ${chatId} ${personId}`;
      if (since(person, Number.NEGATIVE_INFINITY).length > 0) return false;
      const [tried, notified] = [`tried ${chatId}`, `notified ${chatId}`];
      const tries = since(tried, nowMs - minuteMs).slice(-refusalsMax);
      admitted.set(tried, [...tries, nowMs]);
      if (tries.length >= refusalsMax && since(notified, nowMs - minuteMs).length > 0) return false;
      admitted.set(notified, [nowMs]);
      admitted.set(person, [nowMs]);
      return true;
    },
    /** An admitted update could not be handled and will come again. */
    forget: (asked: Asked): void => {
      admitted.delete(personKey(asked));
      if (asked.command === 'setup') admitted.set(setupKey(asked), (admitted.get(setupKey(asked)) ?? []).slice(0, -1));
    },
  };
}

/** Until the first of them expires. */
const leftMs = ([first = 0]: readonly number[], windowMs: number, nowMs: number): number =>
  Math.max(1, first + windowMs - nowMs);

function sortOf({ kind, command }: Asked): keyof typeof most {
  if (command === null) return 'press';
  if (command === unknownWord || command === otherWords) return 'pointer';
  return kind === 'question' ? 'question' : 'command';
}

function mostOf(asked: Asked, role: Role): number {
  const sort = sortOf(asked);
  if (sort === 'question' || sort === 'pointer') return asked.isGroup ? most[sort].group : most[sort].private;
  return most[sort][role === 'member' ? 'member' : 'admin'];
}

function personKey(asked: Asked): string {
  const sort = sortOf(asked);
  return sort === 'pointer' ? `${sort} ${asked.chatId}` : `${sort} ${asked.chatId} ${asked.personId}`;
}
const setupKey = ({ speaker, personId }: Asked): string => `setup of ${speaker === 'person' ? personId : 'groups'}`;
