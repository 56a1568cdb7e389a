import type { Entity, InlineKeyboard, PhotoSize, User } from './wire.ts';

/** The state of this Telegram, as plain data. */

export type MemberStatus = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';

export const adminRights = [
  'can_manage_chat',
  'can_delete_messages',
  'can_manage_video_chats',
  'can_restrict_members',
  'can_promote_members',
  'can_change_info',
  'can_invite_users',
  'can_pin_messages',
  'can_manage_topics',
  'can_post_stories',
  'can_edit_stories',
  'can_delete_stories',
] as const;
export type AdminRight = (typeof adminRights)[number];

export const permissions = [
  'can_send_messages',
  'can_send_photos',
  'can_send_other_messages',
  'can_add_web_page_previews',
] as const;
export type Permission = (typeof permissions)[number];
export type Permissions = Partial<Record<Permission, boolean>>;

export type Member = {
  user: User;
  status: MemberStatus;
  /** Posts as the group itself. */
  isAnonymous: boolean;
  rights: Partial<Record<AdminRight, boolean>>;
  /** For a restricted member; omitted permissions are allowed. */
  permissions: Permissions;
};

export type ChatKind = 'private' | 'group' | 'supergroup' | 'channel';
export type Topic = { threadId: number; name: string; isClosed: boolean; isDeleted: boolean };

export type Chat = {
  id: number;
  kind: ChatKind;
  title: string;
  isForum: boolean;
  members: Map<number, Member>;
  /** What members may do; omitted permissions are allowed. */
  permissions: Permissions;
  topics: Map<number, Topic>;
  /** The General topic, which has no thread id. */
  isGeneralClosed: boolean;
  migratedTo: number | null;
  migratedFrom: number | null;
  isDeleted: boolean;
  /** How many of the bot's next messages are refused for their content; the chat itself is fine. */
  refusesNext: { left: number; description: string };
  /** The newest ones, oldest first. */
  messages: StoredMessage[];
  lastMessageId: number;
};

type Edit = { atMs: number; text: string | null; source: string | null; buttons: string[][] };

export type StoredMessage = {
  messageId: number;
  atMs: number;
  from: User;
  /** The chat on whose behalf it was posted: anonymous admins, channels. */
  senderChatId: number | null;
  threadId: number | null;
  replyToMessageId: number | null;
  /** Text, or the caption of a photo. */
  text: string | null;
  entities: Entity[];
  /** The text as it was sent, markup included. */
  source: string | null;
  parseMode: string | null;
  photo: PhotoSize[] | null;
  replyMarkup: InlineKeyboard | null;
  /** A reply markup other than an inline keyboard: force_reply and the like. */
  otherMarkup: Record<string, unknown> | null;
  /** For a service message: the fields that describe it. */
  service: Record<string, unknown> | null;
  isSilent: boolean;
  edits: Edit[];
};

/** One message posted by the bot. All of them are kept, so it is small. */
export type Accepted = {
  chatId: number;
  messageId: number;
  method: string;
  atMs: number;
  threadId: number | null;
  /** The first 200 characters of the text or caption, without markup. */
  text: string;
  /** The first 16 hex digits of the SHA-256 of the text or caption as it was sent, markup included. */
  sourceHash: string;
  /** The URLs of its links, in order; at most twelve. */
  links: string[];
  fileUniqueId: string | null;
};

export type BotCommand = { command: string; description: string };

export type TelegramState = {
  bot: User;
  users: Map<number, User>;
  /** A private chat has its user as a member, and the bot until the user blocks it. */
  chats: Map<number, Chat>;
  lastUserId: number;
  lastGroupId: number;
  lastSupergroupId: number;
  /** Basic groups and private chats share one sequence of message ids. */
  lastSharedMessageId: number;
  /** Scope and language as one key. */
  commands: Map<string, BotCommand[]>;
  description: string;
  shortDescription: string;
  lastCallbackId: number;
  openCallbacks: Map<string, { chatId: number; messageId: number; userId: number }>;
  callbackAnswers: CallbackAnswer[];
};

type CallbackAnswer = { id: string; userId: number; chatId: number; text: string | null; showAlert: boolean };

export const anonymousBot: User = {
  id: 1087968824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};
/** The `from` of messages posted on behalf of a channel. */
export const channelBot: User = { id: 136817688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' };

export function createTelegramState(bot: User): TelegramState {
  return {
    bot,
    users: new Map([anonymousBot, channelBot, bot].map((user) => [user.id, user])),
    chats: new Map(),
    lastUserId: 500_000_000,
    lastGroupId: -4_000_000_000,
    lastSupergroupId: -1_002_000_000_000,
    lastSharedMessageId: 0,
    commands: new Map(),
    description: '',
    shortDescription: '',
    lastCallbackId: 4_000_000_000_000_000,
    openCallbacks: new Map(),
    callbackAnswers: [],
  };
}
