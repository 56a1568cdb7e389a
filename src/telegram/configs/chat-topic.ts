import { sql, type Transaction } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import { type TopicAway, topicAwayNotice } from '../commands/texts/topic-texts.ts';
import { type ChatLog, liveConfiguration } from '../send/chat-log.ts';
import { insertMessages } from '../notify/enqueue-messages.ts';
import type { TelegramTables } from '../tables.ts';

interface Topic {
  readonly chatId: string;
  readonly topicId: string;
}

/**
 * The topic of a chat's notifications was closed or deleted: its queue goes to the group itself, which is notified
 * once. The pin stays. Locks the chat; does nothing if it is not the chat's topic, or was in that state already.
 */
export async function leaveTopic(
  trx: Transaction<TelegramTables>,
  { chatId, topicId }: Topic,
  state: TopicAway,
  log: ChatLog,
): Promise<void> {
  if (!(await changeTopicState(trx, { chatId, topicId }, state))) return;
  await sql`
    update telegram_messages set topic_id = null
    where chat_id = ${chatId} and state = 'pending' and topic_id = ${topicId}`.execute(trx);
  const configuration = await liveConfiguration(trx, chatId);
  if (configuration === undefined) return;
  const content = topicAwayNotice(state);
  const notice = { chatId, configurationId: configuration.id, topicId: null, kind: 'notice', content } as const;
  await insertMessages(trx, [{ ...notice, eventCount: 0, happenedAt: null }]);
  const action = state === 'closed' ? 'telegram-topic-closed' : 'telegram-topic-gone';
  await log({ chatId, action, ...wentFrom(topicId, 'the group itself') }, openTransaction(trx));
}

/** Notifications go back to their topic. */
export async function returnToTopic(trx: Transaction<TelegramTables>, topic: Topic, log: ChatLog): Promise<void> {
  const { chatId, topicId } = topic;
  if (!(await changeTopicState(trx, topic, 'open'))) return;
  const { before: after, after: before } = wentFrom(topicId, 'the group itself');
  await log({ chatId, action: 'telegram-topic-reopened', before, after }, openTransaction(trx));
}

const wentFrom = (topicId: string, to: string) => ({
  before: { notificationsTo: `topic ${topicId}` },
  after: { notificationsTo: to },
});

/** False: already in that state. */
async function changeTopicState(
  trx: Transaction<TelegramTables>,
  { chatId, topicId }: Topic,
  state: 'open' | TopicAway,
): Promise<boolean> {
  const changed = await trx
    .updateTable('telegram_chats')
    .set({ topic_state: state, updated_at: sql`clock_timestamp()` })
    .where('chat_id', '=', chatId)
    .where('topic_id', '=', topicId)
    .where((where) => (state === 'open' ? where('topic_state', '<>', 'open') : where('topic_state', '=', 'open')))
    .returning('chat_id')
    .executeTakeFirst();
  return changed !== undefined;
}
