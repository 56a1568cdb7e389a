import type { Standing } from './group-admins.ts';
import { type Asked, otherWords, unknownWord } from './read-asked.ts';

/** A newcomer may try one command after the other; over a minute nobody gets more than a share of what a group may be told. */
const personWindowMs = { question: 60_000, pointer: 60_000, command: 20_000, press: 20_000 } as const;
const minuteMs = 60_000;
/**
 * Per person and chat within the window. Who may be an admin is heard more often; presses cost nobody a message. A question is a
 * question, whoever asks it; twelve are more than somebody needs who sets up a group and tries everything. `pointer`: what the bot does
 * not understand, of everybody in a group together.
 */
const most = {
  question: { group: 12, private: 30 },
  pointer: { group: 1, private: 5 },
  command: { member: 4, admin: 10 },
  press: { member: 20, admin: 40 },
} as const;
/** So many may be refused within a minute before it is a flood. */
const refusalsMax = 3;
/**
 * Each /setup asks the marketplace and the chain, which everything else waits for as well: so many a minute of one person in however
 * many groups, and of all who write in the name of a group, as nobody knows who they are.
 */
const setupsPerMinute = 30;
/** Beyond it the longest unused are forgotten. */
const rememberedMax = 5_000;

export interface FloodRule {
  /**
   * 0: it is answered, and counted. Otherwise it is not, and the next is after so long. Nobody's wish is left out for what others
   * do, but a /setup in the name of a group.
   */
  waitMs(asked: Asked, nowMs: number, standing: Standing): number;
  /** Whether somebody who may not is told so: each once, and one a minute while many try. */
  refuses(asked: Asked, nowMs: number): boolean;
  /** What was admitted could not be handled, and is to come again. */
  forget(asked: Asked): void;
}

/** Whoever floods a chat is not answered beyond a few questions. What happens to a group is never left out. */
export function createFloodRule(): FloodRule {
  const admitted = new Map<string, readonly number[]>();
  /** The times that still count, now the latest used. */
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
    waitMs: (asked, nowMs, standing) => {
      if (asked.kind !== 'question' && asked.kind !== 'wish') return 0;
      const person = personKey(asked);
      const windowMs = personWindowMs[sortOf(asked)];
      const own = since(person, nowMs - windowMs);
      if (own.length >= mostOf(asked, standing)) return leftMs(own, windowMs, nowMs);
      const setups = asked.command === 'setup' ? since(setupKey(asked), nowMs - minuteMs) : null;
      if (setups !== null && setups.length >= setupsPerMinute) return leftMs(setups, minuteMs, nowMs);
      if (setups !== null) admitted.set(setupKey(asked), [...setups, nowMs]);
      admitted.set(person, [...own, nowMs]);
      return 0;
    },
    refuses: (asked, nowMs) => {
      const { chatId, personId, isPress } = asked;
      // A press is answered in a little window of its own.
      if (isPress) return true;
      const person = `refused ${chatId} ${personId}`;
      if (since(person, Number.NEGATIVE_INFINITY).length > 0) return false;
      const [tried, told] = [`tried ${chatId}`, `told ${chatId}`];
      const tries = since(tried, nowMs - minuteMs).slice(-refusalsMax);
      admitted.set(tried, [...tries, nowMs]);
      if (tries.length >= refusalsMax && since(told, nowMs - minuteMs).length > 0) return false;
      admitted.set(told, [nowMs]);
      admitted.set(person, [nowMs]);
      return true;
    },
    forget: (asked) => {
      admitted.delete(personKey(asked));
      if (asked.command === 'setup') admitted.set(setupKey(asked), (admitted.get(setupKey(asked)) ?? []).slice(0, -1));
    },
  };
}

/** Until the first of them counts no more. */
const leftMs = ([first = 0]: readonly number[], windowMs: number, nowMs: number): number =>
  Math.max(1, first + windowMs - nowMs);

function sortOf({ kind, command }: Asked): keyof typeof most {
  if (command === null) return 'press';
  if (command === unknownWord || command === otherWords) return 'pointer';
  return kind === 'question' ? 'question' : 'command';
}

function mostOf(asked: Asked, standing: Standing): number {
  const sort = sortOf(asked);
  if (sort === 'question' || sort === 'pointer') return asked.isGroup ? most[sort].group : most[sort].private;
  return most[sort][standing === 'member' ? 'member' : 'admin'];
}

function personKey(asked: Asked): string {
  const sort = sortOf(asked);
  return sort === 'pointer' ? `${sort} ${asked.chatId}` : `${sort} ${asked.chatId} ${asked.personId}`;
}
const setupKey = ({ speaker, personId }: Asked): string => `setup of ${speaker === 'person' ? personId : 'groups'}`;
