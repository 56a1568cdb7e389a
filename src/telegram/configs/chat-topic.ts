import { databaseNow } from '../../db/expressions.ts';
import type { Trx } from '../../db/transaction.ts';
import { type TopicAway, topicAwayNotice } from '../commands/texts/topic-texts.ts';
import { insertMessages } from '../notify/enqueue-messages.ts';
import { type ChatLog, liveConfiguration } from '../send/chat-log.ts';

interface Topic {
  readonly chatId: string;
  readonly topicId: string;
}

/**
 * The topic of a chat's notifications was closed or deleted: its queue goes to the group itself, which is notified
 * once. The pin stays. Locks the chat; does nothing if it is not the chat's topic, or was in that state already.
 */
export async function leaveTopic(
  trx: Trx,
  { chatId, topicId }: Topic,
  state: TopicAway,
  chatLog: ChatLog,
): Promise<void> {
  if (!(await changeTopicState(trx, { chatId, topicId }, state))) return;
  await trx
    .updateTable('telegramMessages')
    .set({ topicId: null })
    .where('chatId', '=', chatId)
    .where('state', '=', 'pending')
    .where('topicId', '=', topicId)
    .execute();
  const configuration = await liveConfiguration(trx, chatId);
  if (configuration === undefined) return;
  const content = topicAwayNotice(state);
  const notice = { chatId, configurationId: configuration.id, topicId: null, kind: 'notice', content } as const;
  await insertMessages(trx, [{ ...notice, eventCount: 0, happenedAt: null }]);
  const action = state === 'closed' ? 'telegram-topic-closed' : 'telegram-topic-gone';
  await chatLog({ chatId, action, before: toTopic(topicId), after: toTopic(null) }, trx);
}

/** Notifications go back to their topic. */
export async function returnToTopic(trx: Trx, topic: Topic, chatLog: ChatLog): Promise<void> {
  const { chatId, topicId } = topic;
  if (!(await changeTopicState(trx, topic, 'open'))) return;
  const change = { before: toTopic(null), after: toTopic(topicId) };
  await chatLog({ chatId, action: 'telegram-topic-reopened', ...change }, trx);
}

/** As the log of changes says where notifications go; null: the group itself. */
export const toTopic = (topicId: string | number | null) => ({
  notificationsTo: topicId === null ? 'the group itself' : `topic ${topicId}`,
});

/** False: already in that state. */
async function changeTopicState(
  trx: Trx,
  { chatId, topicId }: Topic,
  topicState: 'open' | TopicAway,
): Promise<boolean> {
  const changed = await trx
    .updateTable('telegramChats')
    .set({ topicState, updatedAt: databaseNow })
    .where('chatId', '=', chatId)
    .where('topicId', '=', topicId)
    .where('topicState', topicState === 'open' ? '<>' : '=', 'open')
    .returning('chatId')
    .executeTakeFirst();
  return changed !== undefined;
}
