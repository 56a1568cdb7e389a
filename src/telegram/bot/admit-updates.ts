import type { Update } from 'grammy/types';
import { z } from 'zod';

import { type Asked, otherWords, unknownWord } from './read-asked.ts';
import type { Log } from '../../process/logger.ts';

/** Rulings R4: the bot asks Telegram for exactly the updates that it handles. */
export const handledUpdates = ['message', 'callback_query', 'my_chat_member'] as const;

const id = z.int();
const chat = z.object({ id, type: z.string(), title: z.string().optional(), is_forum: z.boolean().optional() });
const user = z.object({ id, is_bot: z.boolean().optional() });
const place = {
  message_id: id,
  date: z.int(),
  chat,
  message_thread_id: id.optional(),
  is_topic_message: z.boolean().optional(),
};
const marker = z.object({}).optional();
/** A bot's question identifies what is answered; of any other message the id is enough. */
const answered = z
  .object({ message_id: id, chat, from: user.optional(), text: z.string().optional() })
  .transform(({ from, text, ...rest }) => (from?.is_bot === true ? { ...rest, from, text } : rest));
const message = z.object({
  ...place,
  from: user.optional(),
  sender_chat: chat.optional(),
  is_automatic_forward: z.boolean().optional(),
  text: z.string().optional(),
  entities: z.array(z.object({ type: z.string(), offset: z.int(), length: z.int() })).optional(),
  reply_to_message: answered.optional(),
  new_chat_title: z.string().optional(),
  migrate_to_chat_id: id.optional(),
  migrate_from_chat_id: id.optional(),
  forum_topic_closed: marker,
  forum_topic_reopened: marker,
});
const member = z.object({
  status: z.string(),
  user,
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
  can_send_photos: z.boolean().optional(),
});

export const updateName = z.looseObject({ update_id: id });

/**
 * Bot API, Update: the parts that the bot relies on, and all that is stored of one. No names, and no words of people to
 * each other: the privacy policy mentions only a messenger user ID.
 */
const keptUpdate = z.object({
  update_id: id,
  message: message.optional(),
  callback_query: z
    .object({
      id: z.string(),
      from: user,
      data: z.string().optional(),
      message: z
        .object({ ...place, photo: z.array(marker).optional(), reply_to_message: answered.optional() })
        .optional(),
    })
    .optional(),
  my_chat_member: z.object({ chat, from: user, old_chat_member: member, new_chat_member: member }).optional(),
});

/**
 * What is kept of an update; null: it cannot be read. One that breaks the Bot API is accepted and ignored: if refused,
 * it would be delivered again and again. Logged once, so that a sender of such updates cannot fill the log.
 */
export function createUpdateReading(log: Pick<Log, 'warn'>): (update: { readonly update_id: number }) => Update | null {
  let isNoted = false;
  return (update) => {
    const { data, error } = keptUpdate.safeParse(update);
    // Typed as grammY has it, without the parts that nothing reads.
    if (error === undefined) return data as object as Update;
    if (isNoted) return null;
    isNoted = true;
    const where = error.issues.map(({ path }) => path.join('.')).slice(0, 5);
    log.warn(
      { updateId: update.update_id, where },
      'A Telegram update that breaks the Bot API was ignored, as others like it will be',
    );
    return null;
  };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const shortMs = 20_000;

interface Limit {
  readonly of: string;
  readonly most: number;
  readonly withinMs: number;
}

/**
 * What an update counts for. Questions of a group have a limit together, as their answers are a share of its 20 messages
 * a minute; a first setup with a try of every command is below that of one person. `pointers` are to /help, for what the
 * bot does not understand. Each /setup queries the marketplace and the chain, which everything else needs as well; who
 * writes in the name of a group is unknown, so all of them count as one.
 */
function limitsOf({ kind, command, chatId, personId, isGroup, isPress, speaker }: Asked): readonly Limit[] {
  if (kind === 'event' || kind === 'nothing') return [];
  const inChat = `${chatId} ${personId}`;
  if (isPress) return [{ of: `presses ${inChat}`, most: 40, withinMs: shortMs }];
  if (command === unknownWord || command === otherWords)
    return [{ of: `pointers ${chatId}`, most: isGroup ? 1 : 5, withinMs: minuteMs }];
  if (kind === 'question') {
    const ofPerson = { of: `questions of ${personId}`, most: 30, withinMs: minuteMs };
    if (!isGroup) return [ofPerson];
    const ofGroup = { of: `questions ${chatId}`, most: 10, withinMs: minuteMs };
    return [ofPerson, ofGroup, { of: `questions ${inChat}`, most: 8, withinMs: minuteMs }];
  }
  const commands = { of: `commands ${inChat}`, most: 10, withinMs: shortMs };
  if (command !== 'setup') return [commands];
  return [commands, { of: `setups of ${speaker === 'person' ? personId : 'groups'}`, most: 30, withinMs: minuteMs }];
}

/** Above this the least recently used are forgotten. */
const rememberedMax = 5_000;

/**
 * Limits how many questions and wishes are taken. Changes of a group are never dropped; a wish only for what its author
 * does, except that anonymous admins share their number of /setup.
 */
export function createFloodRule(nowMs: () => number) {
  const counted = new Map<string, readonly number[]>();
  /** The times that still count; marks the key as recently used. */
  const since = (key: string, fromMs: number): readonly number[] => {
    const times = (counted.get(key) ?? []).filter((time) => time > fromMs);
    counted.delete(key);
    counted.set(key, times);
    for (const oldest of counted.keys()) {
      if (counted.size <= rememberedMax) break;
      counted.delete(oldest);
    }
    return times;
  };
  /** Within all limits; then it counts. */
  const passes = (limits: readonly Limit[]): boolean => {
    if (limits.some(({ of, most, withinMs }) => since(of, nowMs() - withinMs).length >= most)) return false;
    for (const { of } of limits) counted.set(of, [...(counted.get(of) ?? []), nowMs()]);
    return true;
  };
  return {
    /** Whether it is to be handled; then it counts. */
    admits: (asked: Asked): boolean => passes(limitsOf(asked)),
    /** Whether a refused person gets a notice: once a day each, and three a minute in a group. */
    notices: ({ chatId, personId }: Asked): boolean =>
      passes([
        { of: `refused ${chatId} ${personId}`, most: 1, withinMs: dayMs },
        { of: `noticed ${chatId}`, most: 3, withinMs: minuteMs },
      ]),
  };
}
export type FloodRule = ReturnType<typeof createFloodRule>;
