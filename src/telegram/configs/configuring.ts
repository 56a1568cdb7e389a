import { transact, type Trx } from '../../db/transaction.ts';
import type { TrackedCollection } from '../../market/contract.ts';
import { type ChatLog, createChatLog } from '../send/chat-log.ts';
import { changedFields, changesNothing, subjectOf } from './configuration-fields.ts';
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
import { type SetUp, setUpIn } from './set-up-group.ts';

/** The change was made from an outdated version (rulings R6). */
type Stale = { readonly kind: 'stale'; readonly current: Configuration };
export type Changed = { readonly kind: 'changed'; readonly configuration: Configuration } | Stale;

export interface Configuring {
  /** null: the pending setup is gone, confirmed or cancelled before. */
  setUp(setUp: SetUp): Promise<Configuration | null>;
  change(id: string, change: ConfigurationChange, by: By): Promise<Changed>;
  /** `tracked`: the collection that is read from now on. */
  setHexId(id: string, hexCollectionId: string | null, tracked: TrackedCollection, by: By): Promise<Changed>;
  remove(id: string, by: By): Promise<Changed>;
  /** Moves notifications to that topic; false: they go there already, or there is no configuration. */
  pinTopic(chatId: number, topicId: number, actor: Actor): Promise<boolean>;
  /** Logs a change made by Telegram itself. */
  readonly logOfTelegram: ChatLog;
  restore(id: string, by: By): Promise<Changed | ChatTaken>;
}

export interface By {
  readonly actor: Actor;
  /** Shown in the audit log. */
  readonly action: string;
  /** null: any version. */
  readonly ifVersion: number | null;
}

type Work<Result> = (trx: Trx, held: Configuration) => Promise<Result>;

/** Every change of a configuration, each with its log entry, its watch and its messages in one transaction. */
export function createConfiguring(deps: ConfiguringDeps): Configuring {
  const { db, configurations, tracking } = deps;
  const subjectIn = async (trx: Trx, held: Configuration) =>
    subjectOf(held, (await deps.chats.read(Number(held.chatId), trx))?.title ?? '');

  function changing(id: string, by: By, isDeleted: boolean, work: Work<Configuration>): Promise<Changed>;
  function changing(
    id: string,
    by: By,
    isDeleted: boolean,
    work: Work<Configuration | ChatTaken>,
  ): Promise<Changed | ChatTaken>;
  function changing(id: string, by: By, isDeleted: boolean, work: Work<Configuration | ChatTaken>) {
    return transact(db, async (trx): Promise<Changed | ChatTaken> => {
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
  }

  /** A new version only for a real difference. */
  const applied = async (trx: Trx, held: Configuration, change: ConfigurationChange) =>
    changesNothing(held, change) ? held : configurations.change(trx, held.id, change);

  return {
    setUp: (setUp) => transact(db, (trx) => setUpIn(trx, deps, setUp)),
    change: (id, change, by) => changing(id, by, false, (trx, held) => applied(trx, held, change)),
    setHexId: (id, hexCollectionId, tracked, by) =>
      changing(id, by, false, async (trx, held) => {
        const change = { hexCollectionId, trackedCollectionId: tracked.id };
        const configuration = await applied(trx, held, change);
        if (held.trackedCollectionId !== tracked.id) {
          await tracking.unwatch(listenerName, held.trackedCollectionId, held.id, trx);
          await followWhileThere(trx, deps, configuration);
        }
        return configuration;
      }),
    remove: (id, by) =>
      changing(id, by, false, async (trx, held) => {
        await takeAway(trx, deps, held, { by: by.actor.name, reason: 'configuration-deleted' });
        return (await configurations.hold(trx, id)) ?? held;
      }),
    pinTopic: (chatId, topicId, actor) => transact(db, (trx) => pinTopicIn(trx, deps, { chatId, topicId, actor })),
    logOfTelegram: createChatLog(deps.audit),
    restore: (id, by) => changing(id, by, true, (trx, held) => restoreIn(trx, deps, held)),
  };
}
