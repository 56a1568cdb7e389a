import { z } from 'zod';
import type { CheckedCommand } from './checked-command.ts';
import { command as checked } from './checked-command.ts';
import { plain } from './plain.ts';
import type { TelegramControl } from '../telegram/telegram-control.ts';
import { adminRights, permissions } from '../telegram/telegram-state.ts';
import { Impossible } from '../world/state.ts';

const id = z.int();
const text = z.string().max(5000);
const status = z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']);
const rights = z.partialRecord(z.enum(adminRights), z.boolean()).optional();
const permitted = z.partialRecord(z.enum(permissions), z.boolean());
const member = z.strictObject({ userId: id, status: status.optional(), isAnonymous: z.boolean().optional() });
const place = { chatId: id, text, threadId: id.optional(), replyToMessageId: id.optional() };

const command = <S extends z.ZodType>(schema: S, run: Parameters<typeof checked<TelegramControl, S>>[1]) =>
  checked<TelegramControl, S>(schema, run);

const newChat = z.strictObject({
  kind: z.enum(['group', 'supergroup', 'channel']),
  title: z.string().min(1).max(128),
  isForum: z.boolean().optional(),
  members: z.array(member).max(200).optional(),
  bot: z.enum(['member', 'administrator', 'restricted', 'left', 'kicked', 'absent']).optional(),
});
const newUser = z.strictObject({
  firstName: z.string().min(1).max(64),
  lastName: z.string().max(64).optional(),
  username: z.string().max(32).optional(),
  languageCode: z.string().max(8).optional(),
  id: z.int().positive().optional(),
});
const typed = z.union([
  z.strictObject({ ...place, userId: id }),
  z.strictObject({ ...place, as: z.literal('anonymous-admin') }),
  z.strictObject({ ...place, as: z.enum(['channel', 'foreign-anonymous']), senderChatId: id }),
]);

/** `POST /control/telegram/<name>`. */
export const telegramCommands: Readonly<Record<string, CheckedCommand<TelegramControl>>> = {
  'create-user': command(newUser, (telegram, wanted) => telegram.createUser(wanted)),
  'create-chat': command(newChat, (telegram, wanted) => telegram.createChat(wanted)),
  'create-groups': command(
    z.strictObject({
      count: z.int().min(1).max(100_000),
      kind: z.enum(['group', 'supergroup']).optional(),
      title: z.string().max(100).optional(),
      creatorId: id.optional(),
    }),
    (telegram, wanted) => telegram.createGroups(wanted),
  ),
  'create-topic': command(z.strictObject({ chatId: id, name: z.string().min(1).max(128) }), (telegram, wanted) =>
    telegram.createTopic(wanted),
  ),
  'set-topic': command(
    z.strictObject({ chatId: id, threadId: id, isClosed: z.boolean().optional(), isDeleted: z.boolean().optional() }),
    (telegram, wanted) => telegram.setTopic(wanted),
  ),
  'refuse-next': command(
    z.strictObject({
      chatId: id,
      times: z.int().min(1).max(100).optional(),
      description: z.string().min(1).max(200).optional(),
    }),
    (telegram, wanted) => telegram.refuseNext(wanted),
  ),
  'set-member': command(
    z.strictObject({ ...member.shape, chatId: id, byUserId: id.optional(), rights, permissions: permitted.optional() }),
    (telegram, wanted) => telegram.setMember(wanted),
  ),
  'set-bot': command(
    z.strictObject({ chatId: id, status, byUserId: id.optional(), rights, permissions: permitted.optional() }),
    (telegram, wanted) => telegram.setBot(wanted),
  ),
  'set-permissions': command(z.strictObject({ chatId: id, permissions: permitted }), (telegram, wanted) =>
    telegram.setPermissions(wanted),
  ),
  'set-blocked': command(z.strictObject({ userId: id, isBlocked: z.boolean() }), (telegram, wanted) =>
    telegram.setBlocked(wanted),
  ),
  'migrate-group': command(
    z.strictObject({ chatId: id, tellsMembership: z.boolean().optional() }),
    (telegram, wanted) => telegram.migrateGroup(wanted),
  ),
  'delete-chat': command(z.strictObject({ chatId: id }), (telegram, wanted) => telegram.deleteChat(wanted)),
  'post-service': command(
    z.strictObject({ chatId: id, userId: id.optional(), service: z.record(z.string(), z.json()) }),
    (telegram, wanted) => telegram.postService(wanted),
  ),
  type: command(typed, (telegram, wanted) => telegram.type(wanted)),
  'edit-typed': command(z.strictObject({ chatId: id, messageId: id, text }), (telegram, wanted) =>
    telegram.editTyped(wanted),
  ),
  press: command(z.strictObject({ chatId: id, messageId: id, userId: id, button: text }), (telegram, wanted) =>
    telegram.press(wanted),
  ),
  'drain-accepted': command(z.strictObject({}), (telegram) => telegram.drainAccepted()),
  'reset-counters': command(z.strictObject({}), (telegram) => telegram.resetCounters()),
  'set-limits': command(
    z
      .strictObject({
        enforced: z.boolean().optional(),
        overallPerSecond: z.int().min(1).max(100_000).optional(),
        perGroupPerMinute: z.int().min(1).max(100_000).optional(),
        perChatPerSecond: z.int().min(1).max(100_000).optional(),
      })
      .nullable(),
    (telegram, wanted) => telegram.setLimits(wanted),
  ),
  reset: command(z.strictObject({}), (telegram) => telegram.reset()),
};

/** `GET /control/telegram/<name>`; undefined if the name is unknown. */
export function readTelegram(telegram: TelegramControl, name: string, query: URLSearchParams): unknown {
  const chatId = (): number => {
    const given = query.get('chatId') ?? '';
    if (!/^-?\d{1,16}$/.test(given)) throw new Impossible('Missing parameter: ?chatId=');
    return Number(given);
  };
  switch (name) {
    case 'seeded':
      return plain(telegram.seeded);
    case 'chats':
      return telegram.chats().map(({ id, kind, title, migratedTo }) => ({ id, kind, title, migratedTo }));
    case 'chat':
      return { ...telegram.chat(chatId()), messages: [] };
    case 'history':
      return telegram.history(chatId());
    case 'accepted':
      return telegram.accepted().slice(Number(query.get('from') ?? 0));
    case 'counters':
      return telegram.counters();
    case 'calls':
      return telegram.calls();
    case 'callback-answers':
      return telegram.callbackAnswers();
    case 'commands':
      return { ...telegram.descriptions(), commands: telegram.commands() };
    default:
      return undefined;
  }
}
