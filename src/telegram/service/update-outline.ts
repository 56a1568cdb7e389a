import { z } from 'zod';

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

/** Whatever else a call of Telegram holds, it names the update. */
export const updateName = z.looseObject({ update_id: id });

/** Bot API, Update: the parts that are read of one, as far as the bot must be able to count on them. */
export const updateOutline = updateName.extend({
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
