import type { Kysely } from 'kysely';

import { Refused } from '../../shared/failure.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { createChatLog } from '../send/chat-log.ts';
import type { TelegramTables } from '../tables.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import type { AuditTrail } from '../../audit/contract.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import { type ChatStore, openTopicOf } from './chat-store.ts';
import type { Configuration } from './configuration-row.ts';
import type { ConfigurationStore } from './configuration-store.ts';

/** The bot's name as a listener (notify/delivery-listener.ts). */
export const listenerName = 'telegram';

/** The author of a change: an admin in the dashboard, or a group admin in Telegram. */
export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

export interface ConfiguringDeps {
  readonly db: Kysely<TelegramTables>;
  readonly configurations: ConfigurationStore;
  readonly chats: ChatStore;
  readonly setups: SetupStore;
  readonly tracking: CollectionTracking;
  readonly history: Pick<CollectionHistory, 'mintCount'>;
  readonly audit: AuditTrail;
  /** Cancels the waiting messages of a deleted configuration. */
  readonly dropPending: (configurationId: string, reason: string, transaction: OpenTransaction) => Promise<unknown>;
}

/** One collection per group (specification 9): the chat tracks another one by now. */
export type ChatTaken = { readonly kind: 'chat-taken'; readonly collectionName: string };

/** Reads and posts its collection from now on; earlier events are not posted, even if read for other groups. */
export async function followFromNow(
  { configurations, tracking }: Pick<ConfiguringDeps, 'configurations' | 'tracking'>,
  { id, trackedCollectionId }: Configuration,
  opened: OpenTransaction,
): Promise<void> {
  await configurations.followAnew(id, opened);
  await tracking.watch(listenerName, trackedCollectionId, id, opened);
}

/** The same, unless the bot was removed from the chat. */
export async function followWhileThere(
  deps: ConfiguringDeps,
  configuration: Configuration,
  opened: OpenTransaction,
): Promise<void> {
  const chat = await deps.chats.read(Number(configuration.chatId), opened);
  if (chat !== null && chat.removedAt === null) await followFromNow(deps, configuration, opened);
}

/** Nothing more is posted for it: its waiting messages are cancelled. */
export async function takeAway(
  { configurations, tracking, dropPending }: ConfiguringDeps,
  held: Configuration,
  by: string,
  reason: string,
  opened: OpenTransaction,
): Promise<void> {
  await configurations.softDelete(held.id, by, opened);
  await tracking.unwatch(listenerName, held.trackedCollectionId, held.id, opened);
  await dropPending(held.id, reason, opened);
}

interface HeldRows {
  readonly chats: Pick<ConfiguringDeps['chats'], 'hold'>;
  readonly configurations: Pick<ConfiguringDeps['configurations'], 'find' | 'hold'>;
}

/**
 * Changing which configuration a chat has locks the chat before any of its configurations: otherwise two changes could
 * deadlock. Follows a group whose id changes meanwhile. null: no such configuration.
 */
export async function holdWithChat(
  deps: HeldRows,
  id: string,
  opened: OpenTransaction,
  heldChatId: string | null = null,
): Promise<Configuration | null> {
  const found = await deps.configurations.find(id, opened);
  if (found === null) return null;
  if (found.chatId === heldChatId) return deps.configurations.hold(id, opened);
  await deps.chats.hold(Number(found.chatId), opened);
  return holdWithChat(deps, id, opened, found.chatId);
}

/** The chat is locked. The mint count continues as if never deleted: mints in between are counted but not posted. */
export async function restoreIn(
  deps: ConfiguringDeps,
  { id, chatId, trackedCollectionId, mintedCount, deletedAt }: Configuration,
  opened: OpenTransaction,
): Promise<Configuration | ChatTaken> {
  const other = await deps.configurations.ofChat(Number(chatId), opened);
  if (other !== null) return { kind: 'chat-taken', collectionName: other.collectionName };
  if (deletedAt === null) throw noSuchConfiguration(true);
  const mintCount = await deps.history.mintCount(trackedCollectionId, deletedAt, opened);
  const restored = await deps.configurations.restore(id, mintedCount + mintCount, opened);
  if (restored === null) throw noSuchConfiguration(true);
  await followWhileThere(deps, restored, opened);
  return restored;
}

export const noSuchConfiguration = (isDeleted: boolean): Refused =>
  new Refused(
    'not-found',
    isDeleted
      ? 'There is no such deleted configuration: it was restored, or its 30 days are over. Refresh the list.'
      : 'There is no such configuration: it may have been deleted or replaced. Refresh the list.',
  );

interface PinnedTopic {
  readonly chatId: number;
  /** null: the group itself. */
  readonly topicId: number | null;
  readonly actor: Actor;
}

/** Within the caller's transaction. False: notifications go there already, or there is no configuration. */
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
