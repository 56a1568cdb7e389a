import type { OpenTransaction } from '../shared/open-transaction.ts';
import { createChatLog } from './adapters/chat-log.ts';
import { openTopicOf } from './adapters/chat-store.ts';
import type { Actor, ConfiguringDeps } from './configuring-deps.ts';

interface PinnedTopic {
  readonly chatId: number;
  /** null: the group itself. */
  readonly topicId: number | null;
  readonly actor: Actor;
}

/** Within somebody's transaction. False: notifications go there already, or there is nothing to tell. */
export async function pinTopicIn(
  { chats, configurations, audit }: ConfiguringDeps,
  { chatId, topicId, actor }: PinnedTopic,
  opened: OpenTransaction,
): Promise<boolean> {
  await chats.hold(chatId, opened);
  const chat = await chats.read(chatId, opened);
  const isThere = chat?.topicId === topicId && openTopicOf(chat) === topicId;
  if (isThere || (await configurations.ofChat(chatId, opened)) === null) return false;
  await chats.setTopic(chatId, topicId, opened);
  const [before, after] = [openTopicOf(chat), topicId].map((id) => ({
    notificationsTo: id === null ? 'the group itself' : `topic ${id}`,
  }));
  if (before?.notificationsTo === after?.notificationsTo) return true;
  const change = { before: before ?? {}, after: after ?? {}, actor };
  await createChatLog(audit)({ chatId, action: 'telegram-topic-pinned', ...change }, opened);
  return true;
}
