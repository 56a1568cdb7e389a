import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { subjectOf } from './configuration-fields.ts';
import type { AuditTrail } from '../../audit/contract.ts';
import { databaseNow } from '../../db/expressions.ts';
import { type TopicAway, topicAwayNotice } from '../cards/chat-texts.ts';
import { insertMessages, cardsTopic } from '../send/enqueue-messages.ts';
import { publishInTransaction } from '../../db/change-signal.ts';
import type { Activity } from '../../market/contract.ts';
import { listenerName } from './configuring.ts';

interface ChatChange {
  readonly chatId: number | string;
  readonly action:
    | 'telegram-bot-removed'
    | 'telegram-bot-returned'
    | 'telegram-chat-migrated'
    | 'telegram-topic-closed'
    | 'telegram-topic-gone'
    | 'telegram-topic-reopened'
    | 'telegram-topic-pinned';
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** Defaults to Telegram itself. */
  readonly actor?: Parameters<AuditTrail['record']>[0]['actor'];
}

const telegramItself = { kind: 'system', name: 'Telegram' } as const;

/** What changes of a chat need of the rest of the product. */
export interface ChatParts {
  readonly audit: AuditTrail;
  /** Collections that no group follows any more are no longer read. */
  readonly activity: Pick<Activity, 'unwatch'>;
}

/** Logs a change like one by a person, in its transaction; does nothing without a configuration. */
export async function logChatChange(
  trx: Trx,
  { audit }: Pick<ChatParts, 'audit'>,
  { chatId, action, before, after, actor = telegramItself }: ChatChange,
): Promise<void> {
  const configuration = await liveConfiguration(trx, String(chatId));
  if (configuration === undefined) return;
  const subject = subjectOf(configuration, configuration.title);
  await audit.record({ actor, action, subject, before, after }, trx);
}

export const liveConfiguration = (db: Kysely<Database>, chatId: string) =>
  db
    .selectFrom('telegramConfigurations as conf')
    .innerJoin('telegramChats as chat', 'chat.chatId', 'conf.chatId')
    .select(['conf.id', 'conf.chatId', 'conf.trackedCollectionId', 'conf.collectionName', 'chat.title'])
    .where('conf.chatId', '=', chatId)
    .where('conf.deletedAt', 'is', null)
    .executeTakeFirst();

interface Topic {
  readonly chatId: string;
  readonly topicId: string;
}

/**
 * The topic of a chat's notifications was closed or deleted: its waiting messages go to the group itself, which gets one
 * notice. The pin stays. Locks the chat; does nothing for another topic, or for one that was closed or gone before.
 */
export async function leaveTopic(
  trx: Trx,
  parts: Pick<ChatParts, 'audit'>,
  { chatId, topicId }: Topic,
  state: TopicAway,
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
  await insertMessages(trx, [{ chatId, configurationId: configuration.id, kind: 'notice', content }]);
  const action = state === 'closed' ? 'telegram-topic-closed' : 'telegram-topic-gone';
  await logChatChange(trx, parts, { chatId, action, before: toTopic(topicId), after: toTopic(null) });
}

/** `topicId` null: the General topic. */
export async function noteTopicReopened(
  trx: Trx,
  parts: Pick<ChatParts, 'audit'>,
  { chatId, topicId }: Pick<Topic, 'chatId'> & { readonly topicId: string | null },
): Promise<void> {
  if (topicId === null) return tryWaiting(trx, chatId);
  if (!(await changeTopicState(trx, { chatId, topicId }, 'open'))) return;
  await bringWaiting(trx, { chatId, topicId });
  const change = { before: toTopic(null), after: toTopic(topicId) };
  await logChatChange(trx, parts, { chatId, action: 'telegram-topic-reopened', ...change });
}

/**
 * Notifications that wait go to their new topic too: the General topic may be closed, and they would hold up all later
 * ones. A notice that they come to the group itself is outdated.
 */
export async function bringWaiting(trx: Trx, { chatId, topicId }: Topic): Promise<void> {
  const messages = trx.updateTable('telegramMessages').where('chatId', '=', chatId).where('state', '=', 'pending');
  const awayNotices = [topicAwayNotice('closed').html, topicAwayNotice('gone').html];
  const outdated = messages.where('kind', '=', 'notice').where(sql<string>`content ->> 'html'`, 'in', awayNotices);
  await outdated.set({ state: 'dropped', reason: 'superseded' }).execute();
  await messages.where('kind', '<>', 'reply').set({ topicId }).execute();
  await tryWaiting(trx, chatId);
}

/** A person has changed something: what waits in the chat is tried at once. */
async function tryWaiting(trx: Trx, chatId: string): Promise<void> {
  await trx.updateTable('telegramChats').set({ trouble: null }).where('chatId', '=', chatId).execute();
  await publishInTransaction(trx, cardsTopic);
}

/** Where notifications go, in the words of the audit log; null: the group itself. */
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

/**
 * A group that became a supergroup has another id: its configuration, queue and history move with it (rulings R4). Safe
 * to repeat: Telegram reports it in updates of both chats, and in the answer to a send.
 */
export async function migrateChat(trx: Trx, parts: ChatParts, fromChatId: string, toChatId: string): Promise<void> {
  if (fromChatId === toChatId) return;
  const known = await lockForMigration(trx, fromChatId, toChatId);
  if (!known.has(fromChatId)) return;
  await forgetMessageIds(trx, fromChatId);
  if (known.has(toChatId)) await mergeInto(trx, parts, fromChatId, toChatId);
  // Everything that refers to the chat follows through the foreign keys.
  else await trx.updateTable('telegramChats').set({ chatId: toChatId }).where('chatId', '=', fromChatId).execute();
  await trx
    .updateTable('telegramChats')
    .set((row) => ({
      kind: 'supergroup',
      removedAt: null,
      trouble: null,
      // A Date cannot hold it.
      limitedUntil: row.cast<Date>(row.val('-infinity'), 'timestamptz'),
      updatedAt: databaseNow,
      botStatus: row
        .case()
        .when('botStatus', 'in', ['left', 'kicked'])
        .then('member' as const)
        .else(row.ref('botStatus'))
        .end(),
    }))
    .where('chatId', '=', toChatId)
    .execute();
  await publishInTransaction(trx, cardsTopic);
  const change = { before: { chatId: fromChatId }, after: { chatId: toChatId } };
  await logChatChange(trx, parts, { chatId: toChatId, action: 'telegram-chat-migrated', ...change });
}

/** A supergroup numbers its messages anew: what would edit or answer an old one becomes a new message. */
async function forgetMessageIds(trx: Trx, chatId: string): Promise<void> {
  await trx
    .updateTable('telegramMessages')
    .set({ platformMessageId: null, content: sql`content - 'edits' - 'replyTo'` })
    .where('chatId', '=', chatId)
    .where((row) => row.or([row('platformMessageId', 'is not', null), row('state', 'in', ['pending', 'sending'])]))
    .execute();
}

/** In order of their ids, like all code that locks several chats. Returns those that are stored. */
export async function lockForMigration(trx: Trx, ...chatIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('telegramChats')
    .select('chatId')
    .where('chatId', 'in', chatIds)
    .orderBy('chatId')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ chatId }) => chatId));
}

/** The new chat is stored already, through an update of its own. A configuration set up there meanwhile wins. */
async function mergeInto(trx: Trx, { activity }: ChatParts, from: string, to: string): Promise<void> {
  const replaced = await trx
    .updateTable('telegramConfigurations')
    .set({ deletedAt: databaseNow, deletedBy: 'migration of the group' })
    .where('chatId', '=', from)
    .where('deletedAt', 'is', null)
    .where((row) =>
      row.exists(
        row
          .selectFrom('telegramConfigurations as other')
          .select('other.id')
          .where('other.chatId', '=', to)
          .where('other.deletedAt', 'is', null),
      ),
    )
    .returning(['id', 'trackedCollectionId'])
    .execute();
  for (const { id, trackedCollectionId } of replaced)
    await activity.unwatch(listenerName, BigInt(trackedCollectionId), id, trx);
  await trx
    .deleteFrom('telegramDeliveries')
    .where('chatId', '=', from)
    .where('eventId', 'in', (row) => row.selectFrom('telegramDeliveries').select('eventId').where('chatId', '=', to))
    .execute();
  for (const table of ['telegramConfigurations', 'telegramMessages', 'telegramDeliveries'] as const)
    await trx.updateTable(table).set({ chatId: to }).where('chatId', '=', from).execute();
  await trx.deleteFrom('telegramSetups').where('chatId', '=', from).execute();
  await trx.deleteFrom('telegramChats').where('chatId', '=', from).execute();
}
