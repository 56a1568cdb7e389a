import { transact, type Trx } from '../../db/transaction.ts';
import type { FoundCollection, TrackedCollection } from '../../market/contract.ts';
import type { TelegramParts } from '../bot-deps.ts';
import { bringWaiting, logChatChange, toTopic } from './chat-changes.ts';
import { openTopicOf } from './chat-store.ts';
import { changedFields, changesNothing, presentFields, subjectOf } from './configuration-fields.ts';
import type { Configuration } from './configuration-store.ts';
import { type Actor, listenerName, deleteConfiguration } from './configuring.ts';

interface SetUp {
  readonly chatId: number;
  readonly chatTitle: string;
  /** Where notifications go; null: the group itself. */
  readonly topicId: number | null;
  readonly collectionId: string;
  readonly found: FoundCollection;
  readonly tracked: TrackedCollection;
  readonly maxSupply: number;
  readonly actor: Actor;
}

/** null: the pending setup was already confirmed or cancelled. */
export const setUpConfiguration = (deps: TelegramParts, setUp: SetUp): Promise<Configuration | null> =>
  transact(deps.db, (trx) => setUpIn(trx, deps, setUp));

async function setUpIn(trx: Trx, deps: TelegramParts, setUp: SetUp): Promise<Configuration | null> {
  const { chatId, topicId, found, tracked, maxSupply, actor, collectionId, chatTitle } = setUp;
  const { configurations, chats, setups, activity, audit } = deps;
  await chats.lock(trx, chatId);
  if (!(await setups.end(chatId, trx))) return null;
  const before = await configurations.ofChat(chatId, trx);
  if (before !== null && isSame(before, collectionId, tracked.id)) return correctSupply(trx, deps, before, setUp);
  if (before !== null)
    await deleteConfiguration(trx, deps, before, { by: actor.name, reason: 'configuration-replaced' });
  const fresh = {
    chatId: String(chatId),
    trackedCollectionId: tracked.id,
    collectionId,
    collectionName: found.name,
    maxSupply,
    mintedCount: tracked.mintedCount ?? found.mintedCount ?? 0,
    createdBy: 'userId' in actor ? actor.userId : actor.name,
  };
  const configuration = await configurations.insert(trx, fresh);
  await chats.setTopic(trx, chatId, topicId);
  await activity.watch(listenerName, tracked.id, configuration.id, trx);
  await audit.record(
    {
      actor,
      action: before === null ? 'telegram-configuration-created' : 'telegram-configuration-replaced',
      subject: subjectOf(configuration, chatTitle),
      ...(before === null
        ? { before: null, after: presentFields(configuration) }
        : changedFields(before, configuration)),
    },
    trx,
  );
  return configuration;
}

/** Whether the group already follows this collection: by the id it gave if an admin set a hex id, or at the marketplace. */
const isSame = (before: Configuration, collectionId: string, trackedId: bigint): boolean =>
  before.hexCollectionId === null ? before.trackedCollectionId === trackedId : before.collectionId === collectionId;

/** Repeating the setup of a collection keeps everything but the maximum supply; sent in a topic, it also pins that. */
async function correctSupply(
  trx: Trx,
  deps: TelegramParts,
  before: Configuration,
  { chatId, chatTitle, topicId, maxSupply, actor }: SetUp,
): Promise<Configuration> {
  const { configurations, audit } = deps;
  if (topicId !== null) await pinTopicIn(trx, deps, { chatId, topicId, actor });
  if (changesNothing(before, { maxSupply })) return before;
  const after = await configurations.change(trx, before.id, { maxSupply });
  const entry = { actor, action: 'telegram-max-supply-changed', subject: subjectOf(before, chatTitle) };
  await audit.record({ ...entry, ...changedFields(before, after) }, trx);
  return after;
}

type PinnedTopic = Pick<SetUp, 'chatId' | 'actor'> & { readonly topicId: number };

/** Moves notifications to that topic. False: they go there already, or there is no configuration. */
async function pinTopicIn(trx: Trx, deps: TelegramParts, { chatId, topicId, actor }: PinnedTopic): Promise<boolean> {
  const { chats, configurations } = deps;
  await chats.lock(trx, chatId);
  const before = openTopicOf(await chats.read(chatId, trx));
  if (before === topicId) return false;
  if ((await configurations.ofChat(chatId, trx)) === null) return false;
  await chats.setTopic(trx, chatId, topicId);
  await bringWaiting(trx, { chatId: String(chatId), topicId: String(topicId) });
  const change = { before: toTopic(before), after: toTopic(topicId), actor };
  await logChatChange(trx, deps, { chatId, action: 'telegram-topic-pinned', ...change });
  return true;
}

export const pinTopic = (deps: TelegramParts, pinned: PinnedTopic): Promise<boolean> =>
  transact(deps.db, (trx) => pinTopicIn(trx, deps, pinned));
