import type { Role } from './group-admins.ts';
import { type Asked, otherWords, unknownWord } from './read-asked.ts';

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
