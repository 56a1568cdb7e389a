import { createTopic } from './group-changes.ts';
import { createChat, createUser, privateChat } from './group-life.ts';
import type { TelegramServer } from './telegram-server.ts';

/** Ids of the seeded people, chats and topics. */
export type SeededChats = {
  /** Creator of both groups. */
  adminId: number;
  /** An administrator who posts as the group itself. */
  anonymousAdminId: number;
  memberId: number;
  /** The admin's chat with the bot. */
  privateChatId: number;
  /** 'Rock Fans', a basic group with the bot in it. */
  groupId: number;
  /** 'Rock Collectors', a forum with the bot in it. */
  forumId: number;
  topics: { sales: number; chatter: number };
  /** A channel that people can post as; the bot is not in it. */
  channelId: number;
};

export function seedChats(server: TelegramServer): SeededChats {
  const admin = createUser(server, { firstName: 'Ada', lastName: 'Stone', username: 'ada_stone' });
  const anonymous = createUser(server, { firstName: 'Otto', username: 'otto_quarry' });
  const person = createUser(server, { firstName: 'Mia', lastName: 'Pebble', username: 'mia_pebble' });
  const members = [
    { userId: admin.id, status: 'creator' as const },
    { userId: anonymous.id, status: 'administrator' as const, isAnonymous: true },
    { userId: person.id },
  ];
  const group = createChat(server, { kind: 'group', title: 'Rock Fans', members });
  const forum = createChat(server, { kind: 'supergroup', title: 'Rock Collectors', isForum: true, members });
  const sales = createTopic(server, { chatId: forum.id, name: 'Sales' });
  const chatter = createTopic(server, { chatId: forum.id, name: 'Cave talk' });
  const channel = createChat(server, {
    kind: 'channel',
    title: 'Rock News',
    members: members.slice(0, 1),
    bot: 'absent',
  });
  // The bot gets no updates about the seeded topics.
  server.queue.clear();
  return {
    adminId: admin.id,
    anonymousAdminId: anonymous.id,
    memberId: person.id,
    privateChatId: privateChat(server, admin).id,
    groupId: group.id,
    forumId: forum.id,
    topics: { sales: sales.threadId, chatter: chatter.threadId },
    channelId: channel.id,
  };
}
