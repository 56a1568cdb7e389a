import { transact, type Trx } from '../../db/transaction.ts';
import type { FoundCollection, TrackedCollection } from '../../market/contract.ts';
import { createChatLog } from '../send/chat-log.ts';
import { changedFields, changesNothing, presentFields, subjectOf } from './configuration-fields.ts';
import {
  type Actor,
  type ChatTaken,
  type ConfiguringDeps,
  followWhileThere,
  holdWithChat,
  listenerName,
  noSuchConfiguration,
  pinTopicIn,
  restoreIn,
  takeAway,
} from './configuration-life.ts';
import type { Configuration, ConfigurationChange } from './configuration-store.ts';

/** The change was made from an outdated version (rulings R6). */
type Stale = { readonly kind: 'stale'; readonly current: Configuration };
export type Changed = { readonly kind: 'changed'; readonly configuration: Configuration } | Stale;

export type Configuring = ReturnType<typeof createConfiguring>;

export interface By {
  readonly actor: Actor;
  /** Shown in the audit log. */
  readonly action: string;
  /** null: any version. */
  readonly ifVersion: number | null;
}

type Work<Result> = (trx: Trx, held: Configuration) => Promise<Result>;

/** Every change of a configuration, each with its log entry, its watch and its messages in one transaction. */
export function createConfiguring(deps: ConfiguringDeps) {
  const { db, configurations, tracking } = deps;
  const subjectIn = async (trx: Trx, held: Configuration) =>
    subjectOf(held, (await deps.chats.read(Number(held.chatId), trx))?.title ?? '');

  const changing = <Taken extends ChatTaken>(
    id: string,
    by: By,
    isDeleted: boolean,
    work: Work<Configuration | Taken>,
  ): Promise<Changed | Taken> =>
    transact(db, async (trx): Promise<Changed | Taken> => {
      const held = await (isDeleted ? holdWithChat(trx, deps, id) : configurations.hold(trx, id));
      if (held === null || (held.deletedAt !== null) !== isDeleted) throw noSuchConfiguration(isDeleted);
      if (by.ifVersion !== null && by.ifVersion !== held.version) return { kind: 'stale', current: held };
      const done = await work(trx, held);
      if ('kind' in done) return done;
      // Nothing was changed: nothing to log.
      if (done.version === held.version) return { kind: 'changed', configuration: held };
      const fields = changedFields(held, done);
      await deps.audit.record(
        { actor: by.actor, action: by.action, subject: await subjectIn(trx, held), ...fields },
        trx,
      );
      return { kind: 'changed', configuration: done };
    });

  /** A new version only for a real difference. */
  const applied = async (trx: Trx, held: Configuration, change: ConfigurationChange) =>
    changesNothing(held, change) ? held : configurations.change(trx, held.id, change);

  return {
    /** null: the pending setup is gone, confirmed or cancelled before. */
    setUp: (setUp: SetUp): Promise<Configuration | null> => transact(db, (trx) => setUpIn(trx, deps, setUp)),
    change: (id: string, change: ConfigurationChange, by: By) =>
      changing<never>(id, by, false, (trx, held) => applied(trx, held, change)),
    /** `tracked`: the collection that is read from now on. */
    setHexId: (id: string, hexCollectionId: string | null, tracked: TrackedCollection, by: By) =>
      changing<never>(id, by, false, async (trx, held) => {
        const configuration = await applied(trx, held, { hexCollectionId, trackedCollectionId: tracked.id });
        if (held.trackedCollectionId !== tracked.id) {
          await tracking.unwatch(listenerName, held.trackedCollectionId, held.id, trx);
          await followWhileThere(trx, deps, configuration);
        }
        return configuration;
      }),
    remove: (id: string, by: By) =>
      changing<never>(id, by, false, async (trx, held) => {
        await takeAway(trx, deps, held, { by: by.actor.name, reason: 'configuration-deleted' });
        return (await configurations.hold(trx, id)) ?? held;
      }),
    restore: (id: string, by: By) => changing<ChatTaken>(id, by, true, (trx, held) => restoreIn(trx, deps, held)),
    /** Moves notifications to that topic; false: they go there already, or there is no configuration. */
    pinTopic: (chatId: number, topicId: number, actor: Actor) =>
      transact(db, (trx) => pinTopicIn(trx, deps, { chatId, topicId, actor })),
    /** Logs a change made by Telegram itself. */
    logOfTelegram: createChatLog(deps.audit),
  };
}

interface SetUp {
  readonly chatId: number;
  readonly chatTitle: string;
  readonly topicId: number | null;
  readonly collectionId: string;
  readonly found: FoundCollection;
  readonly tracked: TrackedCollection;
  readonly maxSupply: number;
  readonly actor: Actor;
}

/** null: the pending setup is gone, confirmed or cancelled before. */
async function setUpIn(trx: Trx, deps: ConfiguringDeps, setUp: SetUp): Promise<Configuration | null> {
  const { chatId, topicId, found, tracked, maxSupply, actor, collectionId, chatTitle } = setUp;
  const { configurations, chats, setups, tracking, audit } = deps;
  await chats.hold(trx, chatId);
  if (!(await setups.end(chatId, trx))) return null;
  const before = await configurations.ofChat(chatId, trx);
  if (before !== null && isSame(before, collectionId, tracked.id)) return correctSupply(trx, deps, before, setUp);
  if (before !== null) await takeAway(trx, deps, before, { by: actor.name, reason: 'configuration-replaced' });
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
  await tracking.watch(listenerName, tracked.id, configuration.id, trx);
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

/** The group follows this very collection already, by its own id or, without a hex id, in the marketplace. */
const isSame = (before: Configuration, collectionId: string, trackedId: bigint): boolean =>
  before.collectionId === collectionId || (before.hexCollectionId === null && before.trackedCollectionId === trackedId);

/** Repeating the setup of a collection keeps everything but the maximum supply and the topic. */
async function correctSupply(
  trx: Trx,
  deps: ConfiguringDeps,
  before: Configuration,
  { chatId, chatTitle, topicId, maxSupply, actor }: SetUp,
): Promise<Configuration> {
  const { configurations, audit } = deps;
  await pinTopicIn(trx, deps, { chatId, topicId, actor });
  if (changesNothing(before, { maxSupply })) return before;
  const after = await configurations.change(trx, before.id, { maxSupply });
  const entry = { actor, action: 'telegram-max-supply-changed', subject: subjectOf(before, chatTitle) };
  await audit.record({ ...entry, ...changedFields(before, after) }, trx);
  return after;
}
