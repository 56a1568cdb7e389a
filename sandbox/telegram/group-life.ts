import { Impossible } from '../world/state.ts';
import type { Chat, ChatKind, Member, MemberStatus } from './telegram-state.ts';
import type { TelegramServer } from './telegram-server.ts';
import type { User } from './wire.ts';

/** Finds and creates people and chats; throws Impossible when that cannot be done. */

export type NewUser = { firstName: string; lastName?: string; username?: string; languageCode?: string; id?: number };
export type NewMember = { userId: number; status?: MemberStatus; isAnonymous?: boolean };
type BotPresence = 'member' | 'administrator' | 'restricted' | 'left' | 'kicked' | 'absent';
export type NewChat = {
  kind: Exclude<ChatKind, 'private'>;
  title: string;
  isForum?: boolean;
  members?: NewMember[];
  /** The bot's initial status, 'member' by default; it causes no `my_chat_member`. */
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

export function memberAs(user: User, status: MemberStatus, isAnonymous = false): Member {
  return { user, status, isAnonymous, rights: {}, permissions: {} };
}

export function nextChatId({ state }: TelegramServer, kind: ChatKind): number {
  return kind === 'group' ? (state.lastGroupId -= 1) : (state.lastSupergroupId -= 1);
}

export function createChat(server: TelegramServer, wanted: NewChat): Chat {
  const { state } = server;
  const isForum = wanted.isForum ?? false;
  if (isForum && wanted.kind !== 'supergroup') throw new Impossible('Only a supergroup can be a forum');
  const people = (wanted.members ?? []).map(({ userId, status, isAnonymous }) =>
    memberAs(findUser(server, userId), status ?? 'member', isAnonymous ?? false),
  );
  const bot = wanted.bot ?? 'member';
  const present = bot === 'absent' ? people : [...people, memberAs(state.bot, bot)];
  const chat: Chat = {
    ...emptyChat(nextChatId(server, wanted.kind), wanted.kind, wanted.title),
    isForum,
    members: new Map(present.map((each) => [each.user.id, each])),
  };
  state.chats.set(chat.id, chat);
  return chat;
}

export function emptyChat(id: number, kind: ChatKind, title: string): Chat {
  return {
    id,
    kind,
    title,
    isForum: false,
    members: new Map(),
    permissions: {},
    topics: new Map(),
    isGeneralClosed: false,
    migratedTo: null,
    migratedFrom: null,
    isDeleted: false,
    refusesNext: { left: 0, description: '' },
    messages: [],
    lastMessageId: 0,
  };
}

/** A user's chat with the bot; created on first use. */
export function privateChat({ state }: TelegramServer, user: User): Chat {
  const known = state.chats.get(user.id);
  if (known) return known;
  const chat = emptyChat(user.id, 'private', user.first_name);
  chat.members.set(user.id, memberAs(user, 'member'));
  chat.members.set(state.bot.id, memberAs(state.bot, 'member'));
  state.chats.set(chat.id, chat);
  return chat;
}

/** Creates many groups with the same creator, for measurements; returns their ids. */
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
