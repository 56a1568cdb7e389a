import type { Update } from 'grammy/types';
import { z } from 'zod';

import type { Log } from '../../process/logger.ts';
import { type Me, noSuchCommand, notACommand, readRequest, type UpdateRequest } from './read-request.ts';
import type { UpdateJobs, UpdateStore } from './update-jobs.ts';

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
/** Sender and text are kept only of a bot's message: they identify its question. Of any other, the id is enough. */
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
 * The parts of an update (Bot API) that the bot relies on; nothing else is stored. No names and no conversation between
 * people: the privacy policy mentions only a messenger user ID.
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
 * Returns the kept parts of an update; null if it breaks the Bot API. Such an update is accepted and ignored: if refused,
 * it would be delivered again and again. Logged once, so that a sender of such updates cannot fill the log.
 */
function createUpdateReader(log: Pick<Log, 'warn'>): (update: { readonly update_id: number }) => Update | null {
  let isNoted = false;
  return (update) => {
    const { data, error } = keptUpdate.safeParse(update);
    // grammY's type, although the parts that nothing reads are missing.
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
  readonly key: string;
  readonly most: number;
  readonly withinMs: number;
}

/**
 * The limits that an update counts towards. A group's queries share a limit, as their answers use some of its 20
 * messages a minute; setting up the bot and trying every command stays below the limit of one person. `pointers` lead to
 * /help from commands that the bot does not understand. Each /setup queries the marketplace and the chain, which
 * everything else needs too; who writes in the name of a group is unknown, so all such people share one limit.
 */
function limitsOf({ kind, command, chatId, personId, isGroup, isPress, author }: UpdateRequest): readonly Limit[] {
  if (kind === 'chat-change' || kind === 'none') return [];
  const inChat = `${chatId} ${personId}`;
  if (isPress) return [{ key: `presses ${inChat}`, most: 40, withinMs: shortMs }];
  if (command === noSuchCommand || command === notACommand)
    return [{ key: `pointers ${chatId}`, most: isGroup ? 1 : 5, withinMs: minuteMs }];
  if (kind === 'query') {
    const ofPerson = { key: `queries of ${personId}`, most: 30, withinMs: minuteMs };
    if (!isGroup) return [ofPerson];
    const ofGroup = { key: `queries ${chatId}`, most: 10, withinMs: minuteMs };
    return [ofPerson, ofGroup, { key: `queries ${inChat}`, most: 8, withinMs: minuteMs }];
  }
  const commands = { key: `commands ${inChat}`, most: 10, withinMs: shortMs };
  if (command !== 'setup') return [commands];
  return [commands, { key: `setups of ${author === 'person' ? personId : 'groups'}`, most: 30, withinMs: minuteMs }];
}

/** Above this, the least recently used keys are forgotten. */
const limitKeysMax = 5_000;

/**
 * Limits how many queries and admin actions are admitted. Chat changes are never dropped. An admin action is dropped only
 * because of its own author, except that anonymous admins share one limit for /setup.
 */
export function createFloodLimiter(nowMs: () => number) {
  /** When each update was admitted, by its id: one that is delivered again, as storing failed, is not counted again. */
  const counted = new Map<string, ReadonlyMap<number, number>>();
  /** Those that still count; marks the key as recently used. */
  const since = (key: string, fromMs: number): ReadonlyMap<number, number> => {
    const admitted = new Map([...(counted.get(key) ?? [])].filter(([, atMs]) => atMs > fromMs));
    counted.delete(key);
    counted.set(key, admitted);
    for (const oldest of counted.keys()) {
      if (counted.size <= limitKeysMax) break;
      counted.delete(oldest);
    }
    return admitted;
  };
  /** Whether all limits allow it; if so, it is counted. */
  const passes = (id: number, limits: readonly Limit[]): boolean => {
    const isFull = ({ key, most, withinMs }: Limit): boolean => {
      const admitted = since(key, nowMs() - withinMs);
      return admitted.size >= most && !admitted.has(id);
    };
    if (limits.some(isFull)) return false;
    for (const { key } of limits) counted.set(key, new Map(counted.get(key)).set(id, nowMs()));
    return true;
  };
  return {
    /** Whether to handle it; if so, it is counted. */
    admits: (request: UpdateRequest): boolean => passes(request.updateId, limitsOf(request)),
    /** Whether a refused person gets a notice: once a day each, and three a minute in a group. */
    notices: ({ updateId, chatId, personId }: UpdateRequest): boolean =>
      passes(updateId, [
        { key: `refused ${chatId} ${personId}`, most: 1, withinMs: dayMs },
        { key: `noticed ${chatId}`, most: 3, withinMs: minuteMs },
      ]),
  };
}
export type FloodLimiter = ReturnType<typeof createFloodLimiter>;

interface IntakeDeps {
  readonly limiter: Pick<FloodLimiter, 'admits'>;
  readonly me: () => Promise<Me>;
  readonly store: Pick<UpdateStore, 'write'>;
  readonly handleChats: UpdateJobs['handleChats'];
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Stores the updates from polling and webhook that the bot handles, with the jobs that handle them (docs/decisions/0016).
 * Resolves when all are stored, each once however often it arrives. Rejects with database errors, so that Telegram
 * delivers them again.
 */
export function createUpdateIntake({ limiter, me, store, handleChats, log }: IntakeDeps) {
  const readUpdate = createUpdateReader(log);
  const admit = (received: Update, self: Me) => {
    const update = readUpdate(received);
    if (update === null) return [];
    const request = readRequest(update, self);
    if (request.kind === 'none' || !limiter.admits(request)) return [];
    return [{ update: withoutPrivateText(update, request), chatId: request.chatId }];
  };
  return async (updates: readonly Update[]): Promise<void> => {
    const self = await me();
    const admitted = updates.flatMap((update) => admit(update, self));
    if (admitted.length === 0) return;
    const chatIds = admitted.map(({ chatId }) => chatId);
    await store.write(admitted, (trx) => handleChats(chatIds, trx));
  };
}

/** The text of a private message that is not a command is never stored. */
const withoutPrivateText = (update: Update, { command }: UpdateRequest): Update =>
  update.message !== undefined && command === notACommand
    ? { ...update, message: { ...update.message, text: '' } }
    : update;
