import type { FoundCollection, TrackedCollection } from '../../market/contract.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { changedFields, changesNothing, presentFields, subjectOf } from './configuration-fields.ts';
import { type Actor, type ConfiguringDeps, listenerName, pinTopicIn, takeAway } from './configuration-life.ts';
import type { Configuration } from './configuration-row.ts';

export interface SetUp {
  readonly chatId: number;
  readonly chatTitle: string;
  readonly topicId: number | null;
  readonly collectionId: string;
  readonly found: FoundCollection;
  readonly tracked: TrackedCollection;
  readonly maxSupply: number;
  readonly actor: Actor;
}

/** Within the caller's transaction. null: the pending setup is gone, confirmed or cancelled before. */
export async function setUpIn(
  deps: ConfiguringDeps,
  setUp: SetUp,
  opened: OpenTransaction,
): Promise<Configuration | null> {
  const { chatId, topicId, found, tracked, maxSupply, actor, collectionId, chatTitle } = setUp;
  const { configurations, chats, setups, tracking, audit } = deps;
  await chats.hold(chatId, opened);
  if (!(await setups.end(chatId, opened))) return null;
  const before = await configurations.ofChat(chatId, opened);
  if (before !== null && isSame(before, collectionId, tracked.id)) return correctSupply(deps, before, setUp, opened);
  if (before !== null) await takeAway(deps, before, actor.name, 'configuration-replaced', opened);
  const fresh = {
    chatId,
    trackedCollectionId: tracked.id,
    collectionId,
    collectionName: found.name,
    maxSupply,
    mintedCount: tracked.mintedCount ?? found.mintedCount ?? 0,
    createdBy: 'userId' in actor ? actor.userId : actor.name,
  };
  const configuration = await configurations.insert(fresh, opened);
  await chats.setTopic(chatId, topicId, opened);
  await tracking.watch(listenerName, tracked.id, configuration.id, opened);
  await audit.record(
    {
      actor,
      action: before === null ? 'telegram-configuration-created' : 'telegram-configuration-replaced',
      subject: subjectOf(configuration, chatTitle),
      ...(before === null
        ? { before: null, after: presentFields(configuration) }
        : changedFields(before, configuration)),
    },
    opened,
  );
  return configuration;
}

/** The group follows this very collection already, by its own id or, without a hex id, in the marketplace. */
const isSame = (before: Configuration, collectionId: string, trackedId: bigint): boolean =>
  before.collectionId === collectionId || (before.hexCollectionId === null && before.trackedCollectionId === trackedId);

/** Repeating the setup of a collection keeps everything but the maximum supply and the topic. */
async function correctSupply(
  deps: ConfiguringDeps,
  before: Configuration,
  { chatId, chatTitle, topicId, maxSupply, actor }: SetUp,
  opened: OpenTransaction,
): Promise<Configuration> {
  const { configurations, audit } = deps;
  await pinTopicIn(deps, { chatId, topicId, actor }, opened);
  if (changesNothing(before, { maxSupply })) return before;
  const after = await configurations.change(before.id, { maxSupply }, opened);
  const entry = { actor, action: 'telegram-max-supply-changed', subject: subjectOf(before, chatTitle) };
  await audit.record({ ...entry, ...changedFields(before, after) }, opened);
  return after;
}
