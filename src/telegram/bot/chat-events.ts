import type { ChatMember, Message, Update } from 'grammy/types';

import type { Membership } from '../configs/chat-store.ts';
import { restoredNotice } from '../commands/texts/chat-texts.ts';
import { startAnswer } from '../commands/start.ts';
import { factsOf } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';

/** Changes of a group and of the bot in it: added, removed, promoted, renamed, migrated, topics closed. */
export async function takeChatEvent(deps: BotDeps, { my_chat_member: change, message }: Update): Promise<void> {
  if (change !== undefined) await noteOwnMembership(deps, change);
  else if (message !== undefined) await noteGroupChange(deps, message);
}

type MembershipChange = NonNullable<Update['my_chat_member']>;

async function noteOwnMembership(deps: BotDeps, change: MembershipChange): Promise<void> {
  const { chat, new_chat_member: member, old_chat_member: before } = change;
  const outcome = await deps.membership.note(factsOf(chat), membershipOf(member), isInside(membershipOf(before)));
  if (outcome.kind !== 'added') return;
  const words = outcome.restored === null ? startAnswer('group') : restoredNotice(outcome.restored);
  await deps.sendNow(chat.id, null, words);
}

async function noteGroupChange({ membership, chats }: BotDeps, message: Message): Promise<void> {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from, message_thread_id: topicId } = message;
  if (to !== undefined) await membership.migrate(chat.id, to);
  if (from !== undefined) await membership.migrate(from, chat.id);
  if (message.new_chat_title !== undefined) await chats.meet(factsOf(chat));
  const isOpen = message.forum_topic_reopened !== undefined;
  if (topicId !== undefined && (isOpen || message.forum_topic_closed !== undefined))
    await membership.noteTopic(chat.id, topicId, isOpen);
}

const isInside = ({ status }: Membership): boolean => status !== 'left' && status !== 'kicked';

/** A restricted member may have left; an admin or a plain member has no restrictions of their own. */
function membershipOf(member: ChatMember): Membership {
  if (member.status !== 'restricted') {
    const status = member.status === 'creator' ? 'administrator' : member.status;
    return { status, canSendMessages: true, canSendPhotos: true };
  }
  return {
    status: member.is_member ? 'restricted' : 'left',
    canSendMessages: member.can_send_messages,
    canSendPhotos: member.can_send_photos,
  };
}
