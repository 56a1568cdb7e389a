import { Impossible } from '../world/state.ts';
import { changeBotMembership } from './bot-membership.ts';
import { chatMember, isInside } from './membership.ts';
import { append, wireChat, wireMessage } from './messages.ts';
import type { AdminRight, Chat, ChatKind, Member, MemberStatus, Permissions, Topic } from './telegram-state.ts';
import { adminRights } from './telegram-state.ts';
import type { TelegramServer } from './telegram-server.ts';
import type { User } from './wire.ts';

/** What happens to chats and people, by hand or by a test. Each throws Impossible when it cannot be done. */

export type NewUser = { firstName: string; lastName?: string; username?: string; languageCode?: string; id?: number };
export type NewMember = { userId: number; status?: MemberStatus; isAnonymous?: boolean };
export type BotPresence = 'member' | 'administrator' | 'restricted' | 'left' | 'kicked' | 'absent';
export type NewChat = {
  kind: Exclude<ChatKind, 'private'>;
  title: string;
  isForum?: boolean;
  members?: NewMember[];
  /** Silent: no `my_chat_member` is sent for what was so from the beginning. A member when left out. */
  bot?: BotPresence;
};

export function findChat({ state }: TelegramServer, chatId: number): Chat {
  const chat = state.chats.get(chatId);
  if (!chat) throw new Impossible(`No such chat: ${chatId}`);
  return chat;
}

export function findUser({ state }: TelegramServer, userId: number): User {
  const user = state.users.get(userId);
  if (!user) throw new Impossible(`No such user: ${userId}`);
  return user;
}

export function createUser({ state }: TelegramServer, wanted: NewUser): User {
  const id = wanted.id ?? (state.lastUserId += 1);
  const user: User = {
    id,
    is_bot: false,
    first_name: wanted.firstName,
    ...(wanted.lastName !== undefined && { last_name: wanted.lastName }),
    ...(wanted.username !== undefined && { username: wanted.username }),
    language_code: wanted.languageCode ?? 'en',
  };
  state.users.set(id, user);
  return user;
}

function member(user: User, status: MemberStatus, isAnonymous = false): Member {
  return { user, status, isAnonymous, rights: {}, permissions: {} };
}

function nextChatId({ state }: TelegramServer, kind: ChatKind): number {
  return kind === 'group' ? (state.lastGroupId -= 1) : (state.lastSupergroupId -= 1);
}

export function createChat(server: TelegramServer, wanted: NewChat): Chat {
  const { state } = server;
  const isForum = wanted.isForum ?? false;
  if (isForum && wanted.kind !== 'supergroup') throw new Impossible('Only a supergroup can be a forum');
  const people = (wanted.members ?? []).map(({ userId, status, isAnonymous }) =>
    member(findUser(server, userId), status ?? 'member', isAnonymous ?? false),
  );
  const bot = wanted.bot ?? 'member';
  const present = bot === 'absent' ? people : [...people, member(state.bot, bot)];
  const chat: Chat = {
    ...emptyChat(nextChatId(server, wanted.kind), wanted.kind, wanted.title),
    isForum,
    members: new Map(present.map((each) => [each.user.id, each])),
  };
  state.chats.set(chat.id, chat);
  return chat;
}

function emptyChat(id: number, kind: ChatKind, title: string): Chat {
  return {
    id,
    kind,
    title,
    isForum: false,
    members: new Map(),
    permissions: {},
    topics: new Map(),
    migratedTo: null,
    migratedFrom: null,
    isDeleted: false,
    messages: [],
    lastMessageId: 0,
  };
}

/** The chat of one user with the bot; made when they first write. */
export function privateChat({ state }: TelegramServer, user: User): Chat {
  const known = state.chats.get(user.id);
  if (known) return known;
  const chat = emptyChat(user.id, 'private', user.first_name);
  chat.members.set(user.id, member(user, 'member'));
  chat.members.set(state.bot.id, member(state.bot, 'member'));
  state.chats.set(chat.id, chat);
  return chat;
}

/** Many groups at once, each with the same creator, for measurements. The ids of all. */
export function createGroups(
  server: TelegramServer,
  wanted: { count: number; kind?: 'group' | 'supergroup'; title?: string; creatorId?: number },
): number[] {
  const creatorId = wanted.creatorId ?? createUser(server, { firstName: 'Bulk', username: 'bulk_owner' }).id;
  return Array.from({ length: wanted.count }, (_, index) => {
    const chat = createChat(server, {
      kind: wanted.kind ?? 'supergroup',
      title: `${wanted.title ?? 'Group'} ${index + 1}`,
      members: [{ userId: creatorId, status: 'creator' }],
    });
    return chat.id;
  });
}

export type SetMember = NewMember & {
  chatId: number;
  rights?: Partial<Record<AdminRight, boolean>>;
  permissions?: Permissions;
  byUserId?: number;
};

/** Adds, removes, promotes, restricts a person; who asked for `chat_member` hears of it. */
export function setMember(server: TelegramServer, wanted: SetMember): Member {
  const chat = findChat(server, wanted.chatId);
  const user = findUser(server, wanted.userId);
  const before = chat.members.get(user.id) ?? member(user, 'left');
  const after: Member = {
    ...member(user, wanted.status ?? before.status, wanted.isAnonymous ?? before.isAnonymous),
    rights: wanted.rights ?? (wanted.status === 'administrator' ? allRights : {}),
    permissions: wanted.permissions ?? {},
  };
  chat.members.set(user.id, after);
  const by = wanted.byUserId === undefined ? user : findUser(server, wanted.byUserId);
  const date = Math.floor(server.now().getTime() / 1000);
  server.queue.push(
    'chat_member',
    {
      chat: wireChat(server.state, chat),
      from: by,
      date,
      old_chat_member: chatMember(chat, before),
      new_chat_member: chatMember(chat, after),
    },
    chat.id,
  );
  return after;
}

const allRights: Partial<Record<AdminRight, boolean>> = Object.fromEntries(adminRights.map((right) => [right, true]));

export type SetBot = {
  chatId: number;
  status: MemberStatus;
  byUserId?: number;
  rights?: Partial<Record<AdminRight, boolean>>;
  permissions?: Permissions;
};

/** Adds, removes, kicks, promotes, demotes or restricts the bot; it hears of it through `my_chat_member`. */
export function setBot(server: TelegramServer, wanted: SetBot): void {
  const chat = findChat(server, wanted.chatId);
  if (wanted.status === 'creator') throw new Impossible('A bot creates no groups');
  const by = wanted.byUserId === undefined ? someAdmin(server, chat) : findUser(server, wanted.byUserId);
  changeBotMembership(server, chat, {
    status: wanted.status,
    by,
    rights: wanted.rights ?? (wanted.status === 'administrator' ? { ...allRights, can_promote_members: false } : {}),
    ...(wanted.permissions && { permissions: wanted.permissions }),
  });
}

export function someAdmin({ state }: TelegramServer, chat: Chat): User {
  const people = [...chat.members.values()].filter(({ user, status }) => user.id !== state.bot.id && isInside(status));
  const admin = people.find(({ status }) => status === 'creator' || status === 'administrator') ?? people[0];
  if (!admin) throw new Impossible('Nobody is in that chat: say who does it');
  return admin.user;
}

/** What ordinary members may do there. */
export function setPermissions(server: TelegramServer, wanted: { chatId: number; permissions: Permissions }): void {
  Object.assign(findChat(server, wanted.chatId).permissions, wanted.permissions);
}

/** Posts a service message: a new title or picture, a pinned message, whatever groups do all day. */
export function postService(server: TelegramServer, chat: Chat, from: User, service: Record<string, unknown>): void {
  const message = append(server.state, chat, { from, atMs: server.now().getTime(), service });
  server.queue.push('message', wireMessage(server.state, chat, message), chat.id);
}

/** A basic group becomes a supergroup: another id, and the old one answers with where it went. */
export function migrateGroup(server: TelegramServer, wanted: { chatId: number }): Chat {
  const { state } = server;
  const old = findChat(server, wanted.chatId);
  if (old.kind !== 'group' || old.migratedTo !== null) throw new Impossible('Only a basic group can migrate, and once');
  const by = someAdmin(server, old);
  const chat: Chat = {
    ...emptyChat(nextChatId(server, 'supergroup'), 'supergroup', old.title),
    members: new Map([...old.members].map(([id, each]) => [id, { ...each }])),
    permissions: { ...old.permissions },
    migratedFrom: old.id,
  };
  state.chats.set(chat.id, chat);
  postService(server, old, by, { migrate_to_chat_id: chat.id });
  old.migratedTo = chat.id;
  postService(server, chat, by, { migrate_from_chat_id: old.id });
  return chat;
}

/** Takes a group off this Telegram. */
export function deleteChat(server: TelegramServer, wanted: { chatId: number }): void {
  findChat(server, wanted.chatId).isDeleted = true;
}

export function createTopic(server: TelegramServer, wanted: { chatId: number; name: string }): Topic {
  const chat = findChat(server, wanted.chatId);
  if (!chat.isForum) throw new Impossible('That chat is no forum');
  const service = { forum_topic_created: { name: wanted.name, icon_color: 7322096 } };
  const message = append(server.state, chat, {
    from: someAdmin(server, chat),
    atMs: server.now().getTime(),
    service,
  });
  // A topic's id is the id of the message that made it.
  message.threadId = message.messageId;
  const topic: Topic = { threadId: message.messageId, name: wanted.name, isClosed: false, isDeleted: false };
  chat.topics.set(topic.threadId, topic);
  server.queue.push('message', wireMessage(server.state, chat, message), chat.id);
  return topic;
}

/** Closes, reopens or deletes a topic. */
export function setTopic(
  server: TelegramServer,
  wanted: { chatId: number; threadId: number; isClosed?: boolean; isDeleted?: boolean },
): Topic {
  const topic = findChat(server, wanted.chatId).topics.get(wanted.threadId);
  if (!topic) throw new Impossible(`No such topic: ${wanted.threadId}`);
  if (wanted.isClosed !== undefined) topic.isClosed = wanted.isClosed;
  if (wanted.isDeleted !== undefined) topic.isDeleted = wanted.isDeleted;
  return topic;
}
