import { Impossible } from '../world/state.ts';
import { changeBotMembership } from './bot-membership.ts';
import { emptyChat, findChat, findUser, memberAs, nextChatId } from './group-life.ts';
import type { NewMember } from './group-life.ts';
import { chatMember, isAdministrator, isInside, memberOf } from './membership.ts';
import { append, wireChat, wireMessage } from './messages.ts';
import type { AdminRight, Chat, Member, MemberStatus, Permissions, Topic } from './telegram-state.ts';
import { adminRights } from './telegram-state.ts';
import type { TelegramServer } from './telegram-server.ts';
import type { User } from './wire.ts';

/** Changes to chats and people, from the console or a test. Each throws Impossible when it cannot be made. */

export type SetMember = NewMember & {
  chatId: number;
  rights?: Partial<Record<AdminRight, boolean>>;
  permissions?: Permissions;
  byUserId?: number;
};

/**
 * Adds, removes, promotes or restricts a person. A bot that asked for `chat_member` gets it in chats where it is an admin
 * (Bot API, Update).
 */
export function setMember(server: TelegramServer, wanted: SetMember): Member {
  const chat = findChat(server, wanted.chatId);
  const user = findUser(server, wanted.userId);
  const before = chat.members.get(user.id) ?? memberAs(user, 'left');
  const after: Member = {
    ...memberAs(user, wanted.status ?? before.status, wanted.isAnonymous ?? before.isAnonymous),
    rights: wanted.rights ?? (wanted.status === 'administrator' ? allRights : {}),
    permissions: wanted.permissions ?? {},
  };
  chat.members.set(user.id, after);
  if (!isAdministrator(memberOf(chat, server.state.bot.id))) return after;
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

/** Adds, removes, kicks, promotes, demotes or restricts the bot, which gets `my_chat_member`. */
export function setBot(server: TelegramServer, wanted: SetBot): void {
  const chat = findChat(server, wanted.chatId);
  if (wanted.status === 'creator') throw new Impossible('A bot cannot create groups');
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
  if (!admin) throw new Impossible('That chat has no people: give the id of the user who does this');
  return admin.user;
}

/** Sets what ordinary members may do there. */
export function setPermissions(server: TelegramServer, wanted: { chatId: number; permissions: Permissions }): void {
  Object.assign(findChat(server, wanted.chatId).permissions, wanted.permissions);
}

/** Posts a service message: a new title or picture, a pinned message and the like. */
export function postService(server: TelegramServer, chat: Chat, from: User, service: Record<string, unknown>): void {
  const message = append(server.state, chat, { from, atMs: server.now().getTime(), service });
  server.queue.push('message', wireMessage(server.state, chat, message), chat.id);
}

export type MigrateGroup = {
  chatId: number;
  /** The bot first gets updates that it left the old group and joined the new one. */
  tellsMembership?: boolean;
};

/** Turns a basic group into a supergroup with a new id; calls to the old id are answered with the new one. */
export function migrateGroup(server: TelegramServer, wanted: MigrateGroup): Chat {
  const { state } = server;
  const old = findChat(server, wanted.chatId);
  if (old.kind !== 'group' || old.migratedTo !== null)
    throw new Impossible('Only a basic group can migrate, and only once');
  const by = someAdmin(server, old);
  const chat: Chat = {
    ...emptyChat(nextChatId(server, 'supergroup'), 'supergroup', old.title),
    members: new Map([...old.members].map(([id, each]) => [id, { ...each }])),
    permissions: { ...old.permissions },
    migratedFrom: old.id,
  };
  state.chats.set(chat.id, chat);
  old.migratedTo = chat.id;
  if (wanted.tellsMembership) {
    const status = old.members.get(state.bot.id)?.status ?? 'member';
    tellMembership(server, old, { status: 'left', by, before: status });
    tellMembership(server, chat, { status, by, before: 'left' });
  }
  postService(server, old, by, { migrate_to_chat_id: chat.id });
  postService(server, chat, by, { migrate_from_chat_id: old.id });
  return chat;
}

function tellMembership(
  { state, queue, now }: TelegramServer,
  chat: Chat,
  told: { status: MemberStatus; before: MemberStatus; by: User },
): void {
  queue.push(
    'my_chat_member',
    {
      chat: wireChat(state, chat),
      from: told.by,
      date: Math.floor(now().getTime() / 1000),
      old_chat_member: chatMember(chat, memberAs(state.bot, told.before)),
      new_chat_member: chatMember(chat, memberAs(state.bot, told.status)),
    },
    chat.id,
  );
}

/** Marks a group as deleted. */
export function deleteChat(server: TelegramServer, wanted: { chatId: number }): void {
  findChat(server, wanted.chatId).isDeleted = true;
}

export function createTopic(server: TelegramServer, wanted: { chatId: number; name: string }): Topic {
  const chat = findChat(server, wanted.chatId);
  if (!chat.isForum) throw new Impossible('That chat is not a forum');
  const service = { forum_topic_created: { name: wanted.name, icon_color: 7322096 } };
  const message = append(server.state, chat, {
    from: someAdmin(server, chat),
    atMs: server.now().getTime(),
    service,
  });
  // A topic's id is the id of the message that created it.
  message.threadId = message.messageId;
  const topic: Topic = { threadId: message.messageId, name: wanted.name, isClosed: false, isDeleted: false };
  chat.topics.set(topic.threadId, topic);
  server.queue.push('message', wireMessage(server.state, chat, message), chat.id);
  return topic;
}

/** A Telegram error about a message, not about its chat. */
const messageRefused = 'message is too long';
/** The product sends a message as it is, then in its simplest form. */
const attempts = 2;

/** Refuses the bot's next `times` attempts in that chat; by default, all attempts at one message. */
export function refuseNext(
  server: TelegramServer,
  wanted: { chatId: number; times?: number; description?: string },
): void {
  const { times = attempts, description = messageRefused } = wanted;
  findChat(server, wanted.chatId).refusesNext = { left: times, description };
}

/** Closes or reopens the General topic, with its service message. */
export function setGeneral(server: TelegramServer, { chatId, isClosed }: { chatId: number; isClosed: boolean }): void {
  const chat = findChat(server, chatId);
  chat.isGeneralClosed = isClosed;
  const service = isClosed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} };
  postService(server, chat, someAdmin(server, chat), service);
}

/** Closes, reopens or deletes a topic. The first two post a service message; a deletion sends nothing (Bot API). */
export function setTopic(
  server: TelegramServer,
  wanted: { chatId: number; threadId: number; isClosed?: boolean; isDeleted?: boolean },
): Topic {
  const chat = findChat(server, wanted.chatId);
  const topic = chat.topics.get(wanted.threadId);
  if (!topic) throw new Impossible(`No such topic: ${wanted.threadId}`);
  if (wanted.isClosed !== undefined && wanted.isClosed !== topic.isClosed) {
    topic.isClosed = wanted.isClosed;
    const message = append(server.state, chat, {
      from: someAdmin(server, chat),
      threadId: topic.threadId,
      atMs: server.now().getTime(),
      service: wanted.isClosed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} },
    });
    server.queue.push('message', wireMessage(server.state, chat, message), chat.id);
  }
  if (wanted.isDeleted !== undefined) topic.isDeleted = wanted.isDeleted;
  return topic;
}
