import { chatMember, isInside, memberOf } from './membership.ts';
import { append, wireChat, wireMessage } from './messages.ts';
import type { AdminRight, Chat, Member, MemberStatus, Permissions } from './telegram-state.ts';
import type { TelegramServer } from './telegram-server.ts';
import type { User } from './wire.ts';

type Change = {
  status: MemberStatus;
  by: User;
  rights?: Partial<Record<AdminRight, boolean>>;
  permissions?: Permissions;
};

const nobody = { status: 'left', isAnonymous: false, rights: {}, permissions: {} } as const;

/** Changes the bot's status in a chat, and sends the `my_chat_member` and service message for it. */
export function changeBotMembership(server: TelegramServer, chat: Chat, change: Change): void {
  const { state, queue } = server;
  const before: Member = memberOf(chat, state.bot.id) ?? { ...nobody, user: state.bot };
  const after: Member = {
    user: state.bot,
    status: change.status,
    isAnonymous: false,
    rights: change.rights ?? {},
    permissions: change.permissions ?? {},
  };
  chat.members.set(state.bot.id, after);
  const atMs = server.now().getTime();
  queue.push(
    'my_chat_member',
    {
      chat: wireChat(state, chat),
      from: change.by,
      date: Math.floor(atMs / 1000),
      old_chat_member: chatMember(chat, before),
      new_chat_member: chatMember(chat, after),
    },
    chat.id,
  );
  if (chat.kind === 'private' || isInside(before.status) === isInside(after.status)) return;
  const service = isInside(after.status) ? { new_chat_members: [state.bot] } : { left_chat_member: state.bot };
  const message = append(state, chat, { from: change.by, atMs, service });
  queue.push('message', wireMessage(state, chat, message), chat.id);
}
