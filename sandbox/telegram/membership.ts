import type { Chat, Member, MemberStatus, Permission, TelegramState } from './telegram-state.ts';
import { adminRights, permissions } from './telegram-state.ts';
import { badRequest, forbidden, Refusal } from './wire.ts';

export function memberOf(chat: Chat, userId: number): Member | undefined {
  return chat.members.get(userId);
}

export function isAdministrator(member: Member | undefined): boolean {
  return member?.status === 'creator' || member?.status === 'administrator';
}

export function isInside(status: MemberStatus | undefined): boolean {
  return status !== undefined && status !== 'left' && status !== 'kicked';
}

const kindNames = {
  private: 'private chat',
  group: 'group chat',
  supergroup: 'supergroup chat',
  channel: 'channel chat',
} as const;

/** Finds a chat in which the bot may act; otherwise throws Telegram's own Refusal. */
export function chatForBot(state: TelegramState, chatId: string | undefined): Chat {
  if (chatId === undefined || chatId === '') throw badRequest('chat_id is empty');
  const chat = state.chats.get(Number(chatId));
  if (!chat) throw badRequest('chat not found');
  if (chat.migratedTo !== null) {
    throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: chat.migratedTo,
    });
  }
  if (chat.isDeleted) throw forbidden(`the ${kindNames[chat.kind].replace(/ chat$/, '')} chat was deleted`);
  const status = memberOf(chat, state.bot.id)?.status;
  if (chat.kind === 'private') {
    if (status === 'kicked') throw forbidden('bot was blocked by the user');
    // A user who never pressed Start is unknown to the bot.
    if (!isInside(status)) throw badRequest('chat not found');
    return chat;
  }
  if (status === 'kicked') throw forbidden(`bot was kicked from the ${kindNames[chat.kind]}`);
  if (status === 'left') throw forbidden(`bot is not a member of the ${kindNames[chat.kind]}`);
  if (status === undefined) throw badRequest('chat not found');
  return chat;
}

function may(chat: Chat, member: Member | undefined, permission: Permission): boolean {
  if (chat.kind === 'private' || isAdministrator(member)) return true;
  if (member?.status === 'restricted' && member.permissions[permission] === false) return false;
  return chat.permissions[permission] !== false;
}

/** Throws unless the bot may post this kind of message there. */
export function requireRightToSend(state: TelegramState, chat: Chat, what: 'text messages' | 'photos'): void {
  const permission = what === 'photos' ? 'can_send_photos' : 'can_send_messages';
  if (!may(chat, memberOf(chat, state.bot.id), permission)) {
    throw badRequest(`not enough rights to send ${what} to the chat`);
  }
}

/** A `ChatMember` as sent over the wire. */
export function chatMember(chat: Chat, member: Member): Record<string, unknown> {
  const { user, status } = member;
  switch (status) {
    case 'creator':
      return { user, status, is_anonymous: member.isAnonymous };
    case 'administrator':
      return {
        user,
        status,
        can_be_edited: false,
        is_anonymous: member.isAnonymous,
        ...Object.fromEntries(adminRights.map((right) => [right, member.rights[right] ?? false])),
      };
    case 'restricted':
      return { user, status, is_member: true, until_date: 0, ...allPermissions(chat, member) };
    case 'kicked':
      return { user, status, until_date: 0 };
    default:
      return { user, status };
  }
}

/** Kinds of messages that do not matter here; they follow `can_send_other_messages`. */
const otherPermissions = [
  'can_send_audios',
  'can_send_documents',
  'can_send_videos',
  'can_send_video_notes',
  'can_send_voice_notes',
  'can_send_polls',
  'can_react_to_messages',
  'can_edit_tag',
] as const;
const neverPermissions = ['can_change_info', 'can_invite_users', 'can_pin_messages', 'can_manage_topics'] as const;

function allPermissions(chat: Chat, member: Member): Record<string, boolean> {
  const other = may(chat, member, 'can_send_other_messages');
  return {
    ...Object.fromEntries(permissions.map((each) => [each, may(chat, member, each)])),
    ...Object.fromEntries(otherPermissions.map((each) => [each, other])),
    ...Object.fromEntries(neverPermissions.map((each) => [each, false])),
  };
}

/** `ChatPermissions` of a group: what its members may do. */
export function chatPermissions(chat: Chat): Record<string, boolean> {
  const plainMember: Member = {
    user: { id: 0, is_bot: false, first_name: '' },
    status: 'member',
    isAnonymous: false,
    rights: {},
    permissions: {},
  };
  return allPermissions(chat, plainMember);
}
