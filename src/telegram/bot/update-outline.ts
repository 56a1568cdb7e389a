import { z } from 'zod';

import type { BotLog } from '../../bot-service/bot-runner.ts';

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
export function createUpdateReading(log: Pick<BotLog, 'warn'>): (update: { readonly update_id: number }) => boolean {
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
