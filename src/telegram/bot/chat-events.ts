import type { Bot } from 'grammy';
import type { ChatMember } from 'grammy/types';

import type { Membership } from '../adapters/chat-store.ts';
import { restoredNotice } from '../core/chat-texts.ts';
import { startAnswer } from '../core/start-texts.ts';
import { factsOf, isGroup } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';

/** What happens to a group and to the bot in it: added, put out, promoted, renamed, migrated, topics closed. */
export function addChatEvents(bot: Bot, deps: BotDeps): void {
  bot.on('my_chat_member', async (ctx) => {
    const { chat, new_chat_member: member, old_chat_member: before } = ctx.myChatMember;
    if (!isGroup(chat)) return;
    const outcome = await deps.membership.note(factsOf(chat), membershipOf(member), isInside(membershipOf(before)));
    if (outcome.kind !== 'added') return;
    const words = outcome.restored === null ? startAnswer('group') : restoredNotice(outcome.restored);
    await deps.sendNow(chat.id, null, words);
  });
  bot.on('message:migrate_to_chat_id', async (ctx) => {
    await deps.membership.migrate(ctx.chat.id, ctx.message.migrate_to_chat_id);
  });
  bot.on('message:migrate_from_chat_id', async (ctx) => {
    await deps.membership.migrate(ctx.message.migrate_from_chat_id, ctx.chat.id);
  });
  bot.on('message:new_chat_title', async (ctx) => {
    if (isGroup(ctx.chat)) await deps.chats.meet(factsOf(ctx.chat));
  });
  bot.on(['message:forum_topic_closed', 'message:forum_topic_reopened'], async (ctx) => {
    const { chat, message_thread_id: topicId, forum_topic_closed: closed } = ctx.message;
    if (topicId !== undefined) await deps.membership.noteTopic(chat.id, topicId, closed === undefined);
  });
}

const isInside = ({ status }: Membership): boolean => status !== 'left' && status !== 'kicked';

/** A restricted member may have left; what an admin or a member may send is not narrowed for them alone. */
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
