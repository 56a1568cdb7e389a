import { chatForBot, chatMember, chatPermissions, isAdministrator, isInside, memberOf } from '../membership.ts';
import { wireChat } from '../messages.ts';
import { integerOf, textOf } from '../parameters.ts';
import { changeBotMembership } from '../bot-membership.ts';
import type { Method } from '../telegram-server.ts';
import { badRequest } from '../wire.ts';

export const getChat: Method = ({ state }, parameters) => {
  const chat = chatForBot(state, textOf(parameters, 'chat_id'));
  return {
    ...wireChat(state, chat),
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: true,
      limited_gifts: true,
      unique_gifts: true,
      premium_subscription: true,
      gifts_from_channels: true,
    },
    ...(chat.kind !== 'private' && { permissions: chatPermissions(chat) }),
  };
};

export const getChatMember: Method = ({ state }, parameters) => {
  const chat = chatForBot(state, textOf(parameters, 'chat_id'));
  const userId = integerOf(parameters, 'user_id');
  if (userId === 0) throw badRequest('invalid user_id specified');
  const member = memberOf(chat, userId);
  if (member) return chatMember(chat, member);
  const user = state.users.get(userId);
  if (!user) throw badRequest('PARTICIPANT_ID_INVALID');
  return { user, status: 'left' };
};

export const getChatAdministrators: Method = ({ state }, parameters) => {
  const chat = chatForBot(state, textOf(parameters, 'chat_id'));
  if (chat.kind === 'private') throw badRequest('there are no administrators in the private chat');
  // A bot that is not an admin does not see anonymous ones (tdlib/telegram-bot-api#667).
  const seesAnonymous = isAdministrator(memberOf(chat, state.bot.id));
  return [...chat.members.values()]
    .filter((member) => isAdministrator(member) && (seesAnonymous || !member.isAnonymous))
    .filter(({ user }) => !user.is_bot || user.id === state.bot.id)
    .map((member) => chatMember(chat, member));
};

export const getChatMemberCount: Method = ({ state }, parameters) => {
  const chat = chatForBot(state, textOf(parameters, 'chat_id'));
  return [...chat.members.values()].filter((member) => isInside(member.status)).length;
};

export const leaveChat: Method = (server, parameters) => {
  const chat = chatForBot(server.state, textOf(parameters, 'chat_id'));
  if (chat.kind === 'private') throw badRequest("chat member status can't be changed in private chats");
  changeBotMembership(server, chat, { status: 'left', by: server.state.bot });
  return true;
};
