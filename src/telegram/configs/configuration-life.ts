import type { Kysely } from 'kysely';

import type { AuditTrail } from '../../audit/contract.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import { Refused } from '../../shared/failure.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import { createChatLog } from '../send/chat-log.ts';
import { dropPending } from '../send/delivery-store.ts';
import { type ChatStore, openTopicOf } from './chat-store.ts';
import { toTopic } from './chat-topic.ts';
import type { Configuration, ConfigurationStore } from './configuration-store.ts';

/** The bot's name as a listener (notify/delivery-listener.ts). */
export const listenerName = 'telegram';

/** The author of a change: an admin in the dashboard, or a group admin in Telegram. */
export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

export interface ConfiguringDeps {
  readonly db: Kysely<Database>;
  readonly configurations: ConfigurationStore;
  readonly chats: ChatStore;
  readonly setups: SetupStore;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly audit: AuditTrail;
}

/** One collection per group (specification 9): the chat tracks another one by now. */
export type ChatTaken = { readonly kind: 'chat-taken'; readonly collectionName: string };

/** Reads and posts its collection from now on; earlier events are not posted, even if read for other groups. */
export async function followFromNow(
  trx: Trx,
  { configurations, tracking }: Pick<ConfiguringDeps, 'configurations' | 'tracking'>,
  { id, trackedCollectionId }: Configuration,
): Promise<void> {
  await configurations.followAnew(trx, id);
  await tracking.watch(listenerName, trackedCollectionId, id, trx);
}

/** The same, unless the bot was removed from the chat. */
export async function followWhileThere(trx: Trx, deps: ConfiguringDeps, configuration: Configuration): Promise<void> {
  const chat = await deps.chats.read(Number(configuration.chatId), trx);
  if (chat !== null && chat.removedAt === null) await followFromNow(trx, deps, configuration);
}

/** Nothing more is posted for it: its waiting messages are cancelled. */
export async function takeAway(
  trx: Trx,
  { configurations, tracking }: ConfiguringDeps,
  held: Configuration,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await configurations.softDelete(trx, held.id, by);
  await tracking.unwatch(listenerName, held.trackedCollectionId, held.id, trx);
  await dropPending(trx, held.id, reason);
}

interface HeldRows {
  readonly chats: Pick<ChatStore, 'hold'>;
  readonly configurations: Pick<ConfigurationStore, 'find' | 'hold'>;
}

/**
 * Changing which configuration a chat has locks the chat before any of its configurations: otherwise two changes could
 * deadlock. Follows a group whose id changes meanwhile. null: no such configuration.
 */
export async function holdWithChat(
  trx: Trx,
  deps: HeldRows,
  id: string,
  heldChatId: string | null = null,
): Promise<Configuration | null> {
  const found = await deps.configurations.find(id, trx);
  if (found === null) return null;
  if (found.chatId === heldChatId) return deps.configurations.hold(trx, id);
  await deps.chats.hold(trx, Number(found.chatId));
  return holdWithChat(trx, deps, id, found.chatId);
}

/** The chat is locked. The mint count continues as if never deleted: mints in between are counted but not posted. */
export async function restoreIn(
  trx: Trx,
  deps: ConfiguringDeps,
  { id, chatId, trackedCollectionId, mintedCount, deletedAt }: Configuration,
): Promise<Configuration | ChatTaken> {
  const other = await deps.configurations.ofChat(Number(chatId), trx);
  if (other !== null) return { kind: 'chat-taken', collectionName: other.collectionName };
  if (deletedAt === null) throw noSuchConfiguration(true);
  const mintCount = await deps.history.mintCount(trackedCollectionId, deletedAt, trx);
  const restored = await deps.configurations.restore(trx, id, mintedCount + mintCount);
  if (restored === null) throw noSuchConfiguration(true);
  await followWhileThere(trx, deps, restored);
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

/** False: notifications go there already, or there is no configuration. */
export async function pinTopicIn(
  trx: Trx,
  { chats, configurations, audit }: ConfiguringDeps,
  { chatId, topicId, actor }: PinnedTopic,
): Promise<boolean> {
  await chats.hold(trx, chatId);
  const chat = await chats.read(chatId, trx);
  const before = openTopicOf(chat);
  if (chat?.topicId === topicId && before === topicId) return false;
  if ((await configurations.ofChat(chatId, trx)) === null) return false;
  await chats.setTopic(trx, chatId, topicId);
  if (before === topicId) return true;
  const change = { before: toTopic(before), after: toTopic(topicId), actor };
  await createChatLog(audit)({ chatId, action: 'telegram-topic-pinned', ...change }, trx);
  return true;
}
