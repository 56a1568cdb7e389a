import type { Message, Update } from 'grammy/types';

import { speakerOf } from '../bot/speaker.ts';

/**
 * What an update is, when not everything can be answered. `fact`: a command that tells what is known and changes nothing.
 * `wish`: any other command or text, or a press. `event`: what Telegram itself tells, never left out.
 */
type UpdateKind = 'fact' | 'wish' | 'event';

export interface Asked {
  readonly kind: UpdateKind;
  /** 0: none. */
  readonly chatId: number;
  readonly isGroup: boolean;
  /** Who asks: a user's id, or that of the chat on whose behalf it is written. */
  readonly personId: number;
  readonly isAnonymousAdmin: boolean;
  /** 'floor', or 'floor@rocks_bot': which may be another bot's, so it is told apart. null: no command. */
  readonly command: string | null;
}

const factCommands: ReadonlySet<string> = new Set(['floor', 'summary', 'status', 'help', 'start']);

export function readAsked(update: Update): Asked {
  const { message, callback_query: press } = update;
  const chat = chatOf(update);
  const speaker = message && speakerOf(message);
  const command = commandOf(message);
  const personId = press?.from.id ?? speaker?.id ?? 0;
  return {
    kind: kindOf(update, command),
    chatId: chat?.id ?? personId,
    isGroup: chat?.type === 'group' || chat?.type === 'supergroup',
    personId,
    isAnonymousAdmin: speaker?.kind === 'anonymous-admin',
    command,
  };
}

const chatOf = ({ message, callback_query: press, my_chat_member: own, chat_member: other }: Update) =>
  (message ?? press?.message ?? own ?? other)?.chat;

function kindOf({ message, callback_query: press }: Update, command: string | null): UpdateKind {
  if (command !== null && factCommands.has(command.replace(/@.*$/, ''))) return 'fact';
  return message?.text !== undefined || press !== undefined ? 'wish' : 'event';
}

function commandOf(message: Message | undefined): string | null {
  const [first] = message?.entities ?? [];
  if (message?.text === undefined || first?.type !== 'bot_command' || first.offset !== 0) return null;
  return message.text.slice(1, first.length).toLowerCase();
}

const personWindowMs = 20_000;
const sameFactMs = 10_000;
/** Per person and chat within the window. Plain texts and presses are cheaper to answer than commands are. */
const most = { group: 4, private: 10, press: 20, admin: 40 } as const;
/** Beyond it the longest unused are forgotten. */
const rememberedMax = 5_000;

export interface FloodRule {
  /** False: it is left unanswered. Counts it otherwise. */
  admits(asked: Asked, nowMs: number, isKnownAdmin: boolean): boolean;
  /** What was admitted could not be handled, and is to come again. */
  forget(asked: Asked): void;
}

/**
 * Whoever floods a chat is not answered beyond a few questions, and what the chat was told a moment ago is not told again: so
 * nobody's flood costs anybody else an answer. What a known admin of the group asks is dropped for their own flood alone.
 */
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
    admits: (asked, nowMs, isKnownAdmin) => {
      const { kind, command, isGroup } = asked;
      if (kind === 'event') return true;
      const isAdmin = isKnownAdmin || asked.isAnonymousAdmin;
      const sort = isAdmin ? 'admin' : command === null ? 'press' : isGroup ? 'group' : 'private';
      const person = `${sort} ${personKey(asked)}`;
      const own = since(person, nowMs - personWindowMs);
      if (own.length >= most[sort]) return false;
      const fact = factKey(asked);
      if (kind === 'fact' && isGroup) {
        if (!isAdmin && since(fact, nowMs - sameFactMs).length > 0) return false;
        admitted.set(fact, [nowMs]);
      }
      admitted.set(person, [...own, nowMs]);
      return true;
    },
    forget: (asked) => {
      admitted.delete(factKey(asked));
      for (const sort of Object.keys(most)) admitted.delete(`${sort} ${personKey(asked)}`);
    },
  };
}

const factKey = ({ chatId, command }: Asked): string => `fact ${chatId} ${command}`;
const personKey = ({ chatId, personId }: Asked): string => `${chatId} ${personId}`;
